"""A pack's zip in a store that many machines share: any address that fsspec knows."""

import shutil
from pathlib import Path

from cases import EnvironmentNotReady, InputError
from cases.sentences import Sentences
from evidence.pack import archive_of

say = Sentences(__name__)


def store(pack: Path, url: str) -> None:
    """Put the zip beside `pack` to `url`, whole or not at all; one of its size that is there already is it.

    Raises:
        InputError: nothing here speaks to such an address.
        EnvironmentNotReady: it could not be written.
    """
    try:
        from fsspec.core import url_to_fs  # noqa: PLC0415 - an extra
    except ImportError:
        raise InputError(say("storing.evidence_store_needs_fsspec")) from None
    archive = archive_of(pack)
    try:
        system, root = url_to_fs(url)
        target = f"{root.rstrip('/')}/{archive.name}"
        if system.exists(target) and system.size(target) == archive.stat().st_size:
            return
        system.makedirs(root, exist_ok=True)
        with system.transaction, archive.open("rb") as here, system.open(target, "wb") as there:
            shutil.copyfileobj(here, there)
    except (ImportError, ValueError) as error:
        raise InputError(f"evidence {url}: {error}") from None
    except Exception as error:
        raise EnvironmentNotReady(
            say("storing.evidence_could_not_put", url=url, name=archive.name, error=error)
        ) from error
