"""A second opinion on what is a secret: the detectors of detect-secrets that know one kind of token each."""

from collections.abc import Iterator
from functools import cache
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


def detected(text: str) -> Iterator[tuple[str, str]]:
    """Secrets in a text that are not masked yet, each with its kind; under eight characters they are too common."""
    for detector in _detectors():
        for secret in detector.analyze_string(text):
            if MASK not in secret and len(secret.strip()) >= _SHORTEST:
                yield secret, detector.secret_type


@cache
def _detectors() -> tuple[RegexBasedDetector, ...]:
    modules = {name: import_module(f"detect_secrets.plugins.{name}") for name in _DETECTORS}
    return tuple(getattr(modules[name], kind)() for name, kind in _DETECTORS.items())
