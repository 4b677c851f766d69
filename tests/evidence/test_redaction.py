"""No planted secret reaches a pack, and every quotation still stands where it stood."""

import re
import time
from pathlib import Path

import pytest

from cases.secrets import Masker, kinds
from evidence import document, read_pack, write_pack
from evidence.redaction import MASK, redact
from evidence.text import dumps
from graph.verdict import Audit
from probes import ArtifactStore, Observation
from tests.cases.planted import planted as planted_secrets
from tests.evidence.planting import planted
from tests.evidence.synthetic_audits import PROMPT, supported

A = "b7Kq3vXz91LmPd05RtYw"  # the tail of every planted secret; synthetic
KEY = "\n".join(["MIIEvQIBADANBgkqhkiG9w0BAQEFAASC" + A] * 3)
# One canary a channel: the line as it would stand in a transcript, and what must not be found afterwards.
PLANTED = {
    "bearer": (f"curl -H 'Authorization: Bearer {A}1'", f"{A}1"),
    "basic": (f'"authorization": "Basic {A}2=="', f"{A}2"),
    "digest": (f"Authorization: Digest username=bob, response={A}22", f"{A}22"),
    "quoted option": (f"run('--password', '--password {A}23')", f"{A}23"),
    "bare header": (f"Authorization: {A}3", f"{A}3"),
    "cookie": (f"Cookie: theme=dark; session={A}4", f"{A}4"),
    "set-cookie": (f"set-cookie: sid={A}5; Path=/; HttpOnly", f"{A}5"),
    "har": (f'{{"name": "Cookie", "value": "a={A}6"}}', f"{A}6"),
    "model key": (f"openai.api_key = sk-proj-{A}7", f"sk-proj-{A}7"),
    "aws id": ("aws_access_key_id AKIAQWERTYUIOPASDFGH", "AKIAQWERTYUIOPASDFGH"),
    "aws secret": (f"aws_secret_access_key = {A}{A}", f"{A}{A}"),
    "private key": (f"-----BEGIN RSA PRIVATE KEY-----\n{KEY}\n-----END RSA PRIVATE KEY-----", KEY.split()[0]),
    "url password": (f"git clone https://bob:{A}8@git.example/r.git", f"{A}8"),
    "url user": (f"git clone https://{A}9@git.example/r.git", f"{A}9"),
    "url key": (f"GET https://api.example/v1?q=x&key={A}10&z=1", f"{A}10"),
    "url token": (f"https://api.example/cb#access_token={A}11", f"{A}11"),
    "environment": (f"export SERVICE_TOKEN={A}12", f"{A}12"),
    "quoted": (f"client = Client(api_key='{A}13')", f"{A}13"),
    "netrc": (f"machine api.example login bob password {A}14", f"{A}14"),
    "curl user": (f"curl -s -u bob:{A}15 https://api.example", f"{A}15"),
    "option": (f"tool login --password {A}16", f"{A}16"),
    "github": (f"ghp_{A}{A}", f"ghp_{A}{A}"),
    "hub": (f"hf_{A}{A}", f"hf_{A}{A}"),
    "web token": (f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.{A}17", f"{A}17"),
    "key header": (f"X-Api-Key: {A}18", f"{A}18"),
    "setting": ("db_password: Orange44tree", "Orange44tree"),
    "lower-case assignment": ("export db_pass=Purple55tree; run", "Purple55tree"),
    "prose": ("The password is Blue7Giraffe", "Blue7Giraffe"),
    "short token": ("token: Green66tree", "Green66tree"),
    "hexadecimal key": (f"your api_key {'0a1b2c3d4e' * 4}", "0a1b2c3d4e" * 4),
    "environment in code": ("os.environ['XAI_KEY']='orange-tree-words'", "orange-tree-words"),
    "sshpass": ("sshpass -p Tr0ub4dor3x ssh host", "Tr0ub4dor3x"),
    "mysql": ("mysql -u root -pS3cr3tPw9x db", "S3cr3tPw9x"),
    "registry login": ("docker login -u bob -p d0ckerPw99x", "d0ckerPw99x"),
    "sudo": ("echo plainsudoword | sudo -S apt-get update", "plainsudoword"),
    "wandb": (f"wandb login --relogin {'9f8e7d6c5b' * 4}", "9f8e7d6c5b" * 4),
    "groq": (f"gsk_{A}{A}", f"gsk_{A}{A}"),
    "xai": (f"xai-{A}{A}", f"xai-{A}{A}"),
    "replicate": (f"r8_{A}{A}", f"r8_{A}{A}"),
    "databricks": (f"dapi{'3a21f42a' * 4}", f"dapi{'3a21f42a' * 4}"),
    "telegram": (f"bot123456789:A{A}abcdefghijklmn", f"123456789:A{A}abcdefghijklmn"),
    "age": (f"AGE-SECRET-KEY-1{'QPZRY9X8GF2TVDW0' * 4}", "QPZRY9X8GF2TVDW0" * 2),
}


def said(pack: Path) -> str:
    """Every byte of a pack, with JSON's escapes undone."""
    raw = "\n".join(path.read_bytes().decode("utf-8", "replace") for path in sorted(pack.rglob("*")) if path.is_file())
    return raw.replace("\\n", "\n").replace('\\"', '"')


@pytest.mark.parametrize("channel", PLANTED)
def test_a_secret_in_a_transcript_is_in_no_file_and_its_quotation_stays_valid(
    channel: str, store: ArtifactStore, tmp_path: Path
) -> None:
    line, secret = PLANTED[channel]
    packed = write_pack(planted(supported(store), f"$ run\n{line}\ndone"), store, tmp_path / "packs")
    pack = packed.path
    assert secret not in said(pack)
    back = read_pack(pack)
    citation = back.verdict.citations[0]
    assert MASK * 8 in citation.quote
    assert back.case.cites(citation)
    assert len(citation.quote) == len(f"$ run\n{line}\ndone") - 3
    assert citation.quote.endswith("\ndone"), "only the secret may be masked"
    assert secret not in dumps(document(packed))


def test_all_secrets_at_once_in_every_channel(store: ArtifactStore, tmp_path: Path) -> None:
    everything = "\n".join(line for line, _ in PLANTED.values())
    audit = planted(supported(store), everything, arguments={"headers": {"Cookie": f"{A}20"}, "note": everything})
    artifacts = (
        store.put(everything, "page.html", "text/html"),
        store.put(everything.encode() + b"\xff", "log", "text/plain"),
        store.put(everything, "capture.har", "application/octet-stream"),
    )
    pointing = tuple(
        Observation(name=artifact.name, value=everything, artifact=artifact.sha256) for artifact in artifacts
    )
    first = audit.findings[0]
    first = first.model_copy(
        update={
            "summary": f"It said {A}7.",
            "observations": (*first.observations, *pointing),
            "artifacts": (*first.artifacts, *artifacts),
        }
    )
    run = audit.case.runs[0].model_copy(update={"environment": {"OPENAI_API_KEY": f"{A}21"}})
    audit = audit.model_copy(
        update={
            "findings": (first, *audit.findings[1:]),
            "case": audit.case.model_copy(update={"runs": (run, *audit.case.runs[1:])}),
        }
    )
    pack = write_pack(audit, store, tmp_path / "packs").path
    text = said(pack)
    assert {secret for _, secret in PLANTED.values() if secret in text} == set()
    assert f"{A}20" not in text
    assert f"{A}21" not in text
    back = read_pack(pack)
    held = {artifact.sha256 for artifact in back.findings[0].artifacts}
    assert {entry.artifact for entry in back.findings[0].observations} <= held
    assert {path.name[:12] for path in (pack / "data/evidence").iterdir()} >= {digest[:12] for digest in held}


def test_a_value_learnt_in_one_place_is_masked_in_every_other(store: ArtifactStore) -> None:
    audit = planted(supported(store), f"export MY_TOKEN={A}42")
    audit = audit.model_copy(update={"verdict": audit.verdict.model_copy(update={"against": f"It printed {A}42."})})
    clean = redact(audit)
    assert clean.audit.verdict.against == f"It printed {MASK * len(A + '42')}."
    assert clean.count == 1


def test_masking_twice_changes_nothing_more(store: ArtifactStore) -> None:
    once = redact(planted(supported(store), "\n".join(line for line, _ in PLANTED.values())))
    again = redact(once.audit)
    assert again.audit == once.audit
    assert again.count == 0


def test_what_holds_no_secret_is_left_alone(store: ArtifactStore) -> None:
    harmless = (
        f"{PROMPT}\nDownloading https://files.example/a/b.whl?size=12#sha256=0123456789abcdef\n"
        "Authorization required. Cookies are small files. Bearer of news. password: optional\n"
        "docker run --user 1000:1000 x\ntask-list sk-learn scikit-learn AKIA\n"
        "key = os.environ['API_KEY']\napi_key = 'YOUR_MAPS_API_KEY'\n"
        "https://api.example/?key=YOUR_KEY\nexport TOKEN=$OTHER\nTOKEN=\n"
        "password = input('pw1')\ntoken: str\ntokens=4096\nmax_tokens: 20000\npassword = getpass2()\n"
        "password must have 12 signs\npassword=self.args1.password\npassword=os.environ['DB_PASSWORD_1']\n"
        "connect(password=db_password_1, user=bob)\npassword = f'{user}12345'\npassword: ${DB_PASSWORD_1}\n"
        "token = next_token_2\ntoken = tokens_2[0]\nsecret = hashlib.sha256(x)\nUnexpected token: 0x7f21223344\n"
        "PASS: test_module_2\npass=1 fail=2\nPWD=/home/user1\nsecret: /run/secrets/db_1\npad_token='<|end1|>'\n"
        "mysql -u root -p db1\nmysqldump --protocol=tcp -P3306 db\ndocker run -p 8080:80 x\necho hello | sudo tee x1\n"
        "wandb login --relogin\npip install passlib==1.7.4 secretstorage==3.3.3 tokenizers==0.15.2\n"
        "3 tokens=12\nhttp://host.example:8080/path@2x.png mailto:bob@mail.example"
    )
    audit = planted(supported(store), harmless)
    clean = redact(audit)
    assert clean.audit == audit
    assert clean.kinds == {}


def test_an_artifact_s_digest_is_no_secret_though_it_reads_like_one(store: ArtifactStore, tmp_path: Path) -> None:
    artifact = store.put("line 29184190\n", "counted.txt", "text/plain")
    assert Masker().text(artifact.sha256) != artifact.sha256, "as hexadecimal text it says a password"
    audit = supported(store)
    first = audit.findings[0].model_copy(update={"artifacts": (*audit.findings[0].artifacts, artifact)})
    audit = audit.model_copy(update={"findings": (first, *audit.findings[1:])})
    pack = write_pack(audit, store, tmp_path / "packs").path
    assert artifact.sha256 in {one.sha256 for finding in read_pack(pack).findings for one in finding.artifacts}


def test_a_quotation_that_was_never_valid_does_not_become_valid(store: ArtifactStore) -> None:
    audit = planted(supported(store), f"Authorization: Bearer {A}1")
    false = audit.verdict.citations[0].model_copy(update={"quote": "x" * len(audit.verdict.citations[0].quote)})
    audit = audit.model_copy(update={"verdict": audit.verdict.model_copy(update={"citations": (false,)})})
    clean = redact(audit).audit
    assert not clean.case.cites(clean.verdict.citations[0])


def test_the_report_and_the_bag_say_how_many_were_masked(store: ArtifactStore, tmp_path: Path) -> None:
    audit = planted(supported(store), f"Authorization: Bearer {A}1\nmachine a login b password {A}2")
    pack = write_pack(audit, store, tmp_path).path
    assert "Impassable-Secrets-Masked: 2" in (pack / "bag-info.txt").read_text()
    assert re.search(
        r"Secrets were masked .*Authorization value 1, netrc password 1", (pack / "report.html").read_text()
    )
    assert read_pack(pack).verdict.limits == audit.verdict.limits, "the verdict stays a pure function of the evidence"


@pytest.mark.parametrize(
    "seed",
    [
        "-----BEGIN PRIVATE KEY-----", "A_TOKEN", "cookie: a=", "https://a:", "password=",
        *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in (
            "authorization: bearer ", "curl -u ", "eyJa.", "aws secret ", "?key=", "machine a login b ", "sk-",
            "api_key='",
        )),
    ],
)  # fmt: skip
def test_a_hostile_text_takes_time_by_its_length_and_no_more(seed: str, store: ArtifactStore) -> None:
    """What takes the square of it three times as long takes nine times; a megabyte takes less than a minute."""
    short, long = (_seconds(planted(supported(store), seed * (most // len(seed)))) for most in (40_000, 120_000))
    assert long < 5 * short + 0.5
    assert long < 60 * 0.12


def _seconds(audit: Audit) -> float:
    """Of the processor, to mask an audit."""
    began = time.thread_time()
    redact(audit)
    return time.thread_time() - began


MET = (
    "sbp_0123456789abcdef0123456789abcdef01234567", "root:$6$abcdefgh$qwertyuiop1234567890QWERTYUIOP:19000:0:",
    '{"kty": "EC", "d": "q7fZ81mmKp0Lw2Yd6Gf0q7fZ81mm"}', "echo q7fZ81mmKp0 | su -c id",
    "passwd bob <<EOF\nq7fZ81mmKp0\nEOF",
    "sqlplus scott/q7fZ81mmKp0@orcl",
    "net use z: //srv/share q7fZ81mmKp0 /user:bob",
    "https://a.example/cb?code=q7fZ81mmKp0Lw2Yd",
    "884213 is your verification code", "kind: Secret\ndata:\n  db: aHVudGVyMjJ4OVE=",
    "seed phrase: able about above absent absorb abuse access across act adapt add admit",
    "pass = q7fZ81mmKp0", "api_key=qxfZvbmmKpwLwzYd", "rabbitmqctl add_user bob q7fZ81mmKp0",
    "xprv9" + "q7fZ81mmKp" * 11, f"cast send --private-key 0x{'0123456789abcdef' * 4}",
    f'accounts: ["0x{"0123456789abcdef" * 4}"]', "snyk auth q7fZ81mmKp0Lw2Yd6Gf0", ":pserver:bob:q7fZ81mmKp0@cvs:/r",
    "ftp -n h <<EOF\nuser bob q7fZ81mmKp0\nEOF", "AUTH PLAIN AGJvYgBxN2ZaODE=", "found creds admin:q7fZ81mmKp0",
    "page.fill('#password', 'q7fZ81mmKp0')", "pymysql.connect('h', 'bob', 'q7fZ81mmKp0', 'app')",
    'Client("AC1", "q7fZ81mmKp0Lw2Yd6Gf0")', 'password: Some("q7fZ81mmKp0")', "app password: fqja mbbz nuib wvuj",
    "DB_PASSWORD=q7fZ81{mmKp0", 'Content-Disposition: form-data; name="password"\r\n\r\nq7fZ81mmKp0',
)  # fmt: skip


def test_every_pattern_finds_something_that_was_planted() -> None:
    everything = "\n".join(
        [*(line for line, _ in PLANTED.values()), *(plant.text for plant in planted_secrets()), *MET]
    )
    assert {kind.id for kind in kinds() if not kind.pattern.search(everything)} == set()
