"""Audits whose every text is an attack."""

from cases import Block, Transcript
from graph.verdict import Audit
from probes import ArtifactStore, Observation, Route, Tier
from tests.evidence.synthetic_audits import cite, judged, not_supported

HOSTILE = (
    "<script>window.pwned=1</script>",
    "</script></style></title></pre><script>pwned=1</script>",
    "\"'><img src=http://127.0.0.1:9/x onerror=pwned=1>",
    "<svg onload=pwned=1><a xlink:href='javascript:pwned=1'>x</a></svg>",
    "<style>*{display:none}</style><link rel=stylesheet href=http://127.0.0.1:9/s><base href=http://127.0.0.1:9/>",
    "<meta http-equiv=refresh content='0;url=http://127.0.0.1:9/'><iframe src=http://127.0.0.1:9/></iframe>",
    "{{ 7*7 }}{% raw %}{# x #} `<b onclick=pwned=1>`",
    "javascript:pwned=1//",
    "data:text/html,<script>pwned=1</script>",
    'https://shop.example/" onmouseover="pwned=1',
    "user\u202etxt.exe\u202c \u2066x\u2069 \u200bzero\u200d\ufeff \U000e0041tag",
    "\x1b]0;title\x07\x1b[31mred\x1b[0m\x9b5m\x08\x00\r\x7f\u2028",
    "[link=javascript:pwned=1]rich[/link]",
    "W" * 3000,
)
ALL_OF_IT = "\n".join(HOSTILE)


def hostile(store: ArtifactStore, flood: int = 3_400_000) -> Audit:
    """An audit whose every text is an attack, one of them of `flood` tags."""
    audit = not_supported(store)
    run = audit.case.runs[0]
    assert run.transcript
    blocks = tuple(block.model_copy(update={"text": f"{block.text}\n{ALL_OF_IT}"}) for block in run.transcript.blocks)
    big = Block(index=len(blocks), role=HOSTILE[0], kind="result", tool=HOSTILE[2], text=ALL_OF_IT + "<b>" * flood)
    run = run.model_copy(
        update={"transcript": Transcript(blocks=(*blocks, big)), "agent": HOSTILE[0], "model": HOSTILE[10]}
    )
    claims = tuple(claim.model_copy(update={"text": ALL_OF_IT, "category": HOSTILE[3]}) for claim in audit.case.claims)
    task = audit.case.task.model_copy(update={"prompt": ALL_OF_IT})
    case = audit.case.model_copy(
        update={"task_id": HOSTILE[1], "task": task, "claims": claims, "runs": (run, *audit.case.runs[1:])}
    )
    citations = (
        *(cite(case, "run-a", 3, text) for text in HOSTILE),
        cite(case, "run-a", 5, "<b>" * min(flood, 100_000)),
    )
    names = [store.put(text, text, "text/html") for text in HOSTILE[:-1]]
    first = audit.findings[0].model_copy(
        update={
            "summary": ALL_OF_IT,
            "citations": citations,
            "artifacts": (*names, store.put(f"<!doctype html><body>{ALL_OF_IT}", "page.html", "text/html")),
            "observations": tuple(Observation(name=text, value=text) for text in HOSTILE),
            "routes": tuple(
                Route(id=text, tier=Tier.T1, commands=(text,), result="failed", note=text) for text in HOSTILE
            ),
            "limits": HOSTILE,
        }
    )
    leading = audit.hypotheses[0]
    targets = leading.targets.model_copy(update={"urls": HOSTILE, "commands": HOSTILE})
    thought = leading.model_copy(update={"statement": ALL_OF_IT, "targets": targets, "citations": citations})
    way_out = Route(id="way out", tier=Tier.T1, commands=HOSTILE, result="passed", note=ALL_OF_IT)
    second = audit.findings[1].model_copy(update={"summary": ALL_OF_IT, "routes": (way_out,)})
    return judged(case, (thought,), (first, second, *audit.findings[2:]), audit.envelope, *HOSTILE)
