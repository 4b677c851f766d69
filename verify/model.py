"""The language model of a command: its name, its server, and what it may cost."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from cases.sentences import Sentences
from verify.config import Configuration

if TYPE_CHECKING:
    from graph.llm import ModelOptions

say = Sentences(__name__)


def memory_of(configuration: Configuration) -> Path:
    """Where replies and the journal of prompts are kept."""
    return configuration.state / "model"


def model_options(configuration: Configuration) -> "ModelOptions | None":
    """How the model may be used; None where none was named.

    Raises:
        CredentialsError: no key.
        InputError: a ceiling of costs without a price, a server's address that is none.
    """
    if configuration.model is None:
        return None
    from cases import InputError
    from graph.llm import ModelOptions, Price
    from graph.llm.prices import check_price
    from graph.llm.transport import key_from

    server = os.environ.get("OPENAI_BASE_URL", "").strip() or None
    if server is not None and not server.startswith(("http://", "https://")):
        raise InputError(say("model.openai_base_url_no", server=server[:80]))
    if not configuration.offline:
        key_from(os.environ)
    price = configuration.model_price and Price(*map(float, configuration.model_price.split("/")))
    options = ModelOptions(
        name=configuration.model,
        server=server,
        calls=configuration.max_calls,
        tokens=configuration.max_tokens,
        cost=configuration.max_cost,
        price=price or None,
        context=configuration.model_context,
        answer=min(6_000, configuration.model_context // 3),
        second_reader=configuration.second_reader,
        offline=configuration.offline,
        memory=memory_of(configuration),
    )
    check_price(options)
    return options
