"""What a killed audit leaves half-written goes; what is being written stays."""

import signal
import subprocess
import sys
from pathlib import Path

from evidence.placing import clear_partial, place

HELD = """
import sys, time
from pathlib import Path
from evidence.placing import unfinished
with unfinished(Path(sys.argv[1]), "pack") as partial:
    (partial / "case.json").write_text("{}")
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_half_written_pack_stays_while_it_is_written_and_goes_after_a_kill(tmp_path: Path) -> None:
    place({"case.json": b"{}"}, b"zip", tmp_path, "whole")
    with subprocess.Popen(
        [sys.executable, "-c", HELD, str(tmp_path)], stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
    ) as writer:
        assert writer.stdout
        assert writer.stdout.readline() == "held\n"
        clear_partial(tmp_path)
        assert len(list(tmp_path.glob(".pack*/case.json"))) == 1
        writer.send_signal(signal.SIGKILL)
    clear_partial(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["whole", "whole.zip"]
