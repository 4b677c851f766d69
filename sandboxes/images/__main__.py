"""`python -m sandboxes.images [--print]`: see that the base image is there, or only say its name."""

import sys

from sandboxes.engine import Engine
from sandboxes.errors import SandboxError
from sandboxes.images.base import base_tag, ensure_base

NOT_READY = 3


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")


def main(arguments: list[str]) -> int:
    """Exit code 0 when the image is there, 2 for a wrong argument, 3 when it cannot be had."""
    if arguments == ["--print"]:
        sys.stdout.write(f"{base_tag()}\n")
        return 0
    if arguments:
        _say("usage: python -m sandboxes.images [--print]")
        return 2
    try:
        engine = Engine.connect()
        try:
            identity = engine.identity(ensure_base(engine, _say))
        finally:
            engine.close()
    except SandboxError as error:
        _say(str(error))
        return NOT_READY
    layers = len(identity["layers"])
    sys.stdout.write(
        f"{identity['image']}: base from {identity['made']}, image {identity['id']}, "
        f"{layers} layer{'s' if layers != 1 else ''}, {identity['pullable']}\n"
    )
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
