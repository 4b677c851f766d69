"""What an attacker makes of a pack who knows how packs are written."""

from pathlib import Path

from evidence.archive import archived
from evidence.bag import INFO, TAG_MANIFEST, Told, digest_of, moment, payload, sealed
from evidence.checking import check
from evidence.signing import ATTESTATION, CryptoSigner, attested


def rewritten(
    pack: Path,
    changes: dict[str, bytes | None],
    target: Path,
    *,
    rename: bool = True,
    signer: CryptoSigner | None = None,
) -> Path:
    """A pack with some files other, or away where None, every manifest written anew, signed by `signer` where given."""
    held = check(pack)
    content = {path: data for path, data in (held.content | changes).items() if data is not None}
    told = changes.get(INFO) or held.content[INFO]
    bag = payload(
        {path: data for path, data in content.items() if path not in (ATTESTATION, TAG_MANIFEST)}, held.audit, Told({})
    )
    bag |= {INFO: told}
    if signer:
        bag = attested(bag, held.audit, signer)
    elif ATTESTATION in content:
        bag[ATTESTATION] = content[ATTESTATION]
    whole = sealed(bag)
    name = f"{pack.name[:-13]}-{digest_of(whole)}" if rename else pack.name
    target.mkdir(parents=True, exist_ok=True)
    (target / f"{name}.zip").write_bytes(archived(whole, name, moment(held.audit)))
    return target / f"{name}.zip"
