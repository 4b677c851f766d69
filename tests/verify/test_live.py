"""How far a batch is, in one line: of all, by status, by probe, with its rate and the time that is left."""

from graph import Progress
from graph.verdict import Status
from verify.batch.live import Live


def step(probe: str, hypothesis: str, state: str) -> Progress:
    return Progress.model_validate({"probe": probe, "hypothesis": hypothesis, "state": state, "text": "x"})


def test_it_counts_the_probes_that_are_running() -> None:
    live = Live("normal", total=5, earlier=1)
    assert live.state == "1 of 5; 1 finished earlier"
    with live.reporter(str, "one") as one, live.reporter(str, "other") as other:
        one(step("replay", "h1", "started"))
        one(step("replay", "h1", "note"))
        other(step("replay", "h1", "started"))
        other(step("browser", "h2", "started"))
        assert live.state == "1 of 5; 1 finished earlier; asking 1 browser, 2 replay"
        one(step("replay", "h1", "finished"))
        assert live.state == "1 of 5; 1 finished earlier; asking 1 browser, 1 replay"
    assert live.state == "1 of 5; 1 finished earlier", "an audit that ends asks nobody any more"


def test_it_counts_what_is_finished_and_what_is_left() -> None:
    live = Live("normal", total=4, earlier=0)
    for status in (Status.NOT_SUPPORTED, Status.SUPPORTED, Status.NOT_SUPPORTED):
        live.finished(status)
    live.failed()
    assert live.state.startswith("4 of 4; 2 not supported, 1 supported, 1 could not be audited; ")
    assert live.state.endswith(" per second, 0 s left")
