"""`verify image`: the image that a pack's replay ran in, as a file that a stranger can load."""

from pathlib import Path
from typing import Annotated

import typer

from cases.sentences import Sentences

say = Sentences(__name__)


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(image)


def image(
    pack: Annotated[Path, typer.Argument(metavar="PACK", help="A pack: its folder or its zip.")],
    *,
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="Where it goes (default: PACK.image.tar beside the pack)."),
    ] = None,
) -> None:
    """Export the image that a pack was replayed in, for whoever cannot pull it."""
    from cases import EnvironmentNotReady, InputError
    from evidence.checking import check, evidence_in
    from evidence.reproduce import recipe_of
    from sandboxes import Engine, SandboxError
    from verify import terminal

    found = check(pack)
    recipe = recipe_of(found.audit, evidence_in(found.audit, found.content))
    if recipe is None:
        raise InputError(say("image.nothing_replayed_container_so", pack=pack))
    target = out or pack.with_name(f"{pack.name.removesuffix('.zip')}.image.tar")
    try:
        engine = Engine.connect(sweep=False)
        try:
            size = engine.export(recipe.image, target)
        finally:
            engine.close()
    except SandboxError as error:
        raise EnvironmentNotReady(say("image.image_cannot_exported", error=error)) from error
    except OSError as error:
        raise EnvironmentNotReady(
            say("image.cannot_written_another_file", target=target, strerror=error.strerror)
        ) from error
    console = terminal.out()
    console.print(f"{terminal.one_line(str(target))}: {terminal.one_line(recipe.image)}, {size / 1e6:,.0f} MB")
    if recipe.digests:
        console.print(say("image.can_pulled_too_docker", name=terminal.one_line(recipe.digests[0])))
    console.print(say("image.send_along_pack_beside"))
