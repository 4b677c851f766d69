"""A second opinion on what is a secret: the detectors of detect-secrets that know one kind of token each."""

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib import import_module

from detect_secrets.plugins.base import RegexBasedDetector

from cases.secrets import MASK

_DETECTORS = {
    "artifactory": "ArtifactoryDetector",
    "azure_storage_key": "AzureStorageKeyDetector",
    "cloudant": "CloudantDetector",
    "discord": "DiscordBotTokenDetector",
    "gitlab_token": "GitLabTokenDetector",
    "ibm_cloud_iam": "IbmCloudIamDetector",
    "ibm_cos_hmac": "IbmCosHmacDetector",
    "mailchimp": "MailchimpDetector",
    "pypi_token": "PypiTokenDetector",
    "sendgrid": "SendGridDetector",
    "slack": "SlackDetector",
    "softlayer": "SoftlayerDetector",
    "square_oauth": "SquareOAuthDetector",
    "stripe": "StripeDetector",
    "twilio": "TwilioKeyDetector",
}
"""Those with a pattern of their own that runs in linear time; keywords and entropy alone cry at every digest."""

_SHORTEST = 8
_SHORT, _LONGEST = 1_000, 20_000
"""Signs up to which what was found in a text is remembered, for many texts and for few: packs say most things again."""


def detected(text: str) -> Iterable[tuple[str, str]]:
    """Secrets in a text that are not masked yet, each with its kind; under eight characters they are too common."""
    if len(text) > _LONGEST:
        return _found(text)
    return _remembered(text) if len(text) <= _SHORT else _long_remembered(text)


def _all(text: str) -> tuple[tuple[str, str], ...]:
    return tuple(_found(text))


_remembered, _long_remembered = lru_cache(maxsize=4096)(_all), lru_cache(maxsize=32)(_all)


def _found(text: str) -> Iterator[tuple[str, str]]:
    for detector in _detectors():
        for secret in detector.analyze_string(text):
            if MASK not in secret and len(secret.strip()) >= _SHORTEST:
                yield secret, detector.secret_type


@cache
def _detectors() -> tuple[RegexBasedDetector, ...]:
    modules = {name: import_module(f"detect_secrets.plugins.{name}") for name in _DETECTORS}
    return tuple(getattr(modules[name], kind)() for name, kind in _DETECTORS.items())
