"""The folder of an unfinished audit belongs to one at a time, also while it is being removed."""

import asyncio
from pathlib import Path

from verify.state import held, remove


async def test_many_that_want_one_folder_have_it_one_after_another_and_each_finds_it_empty(tmp_path: Path) -> None:
    folder, inside, said = tmp_path / "state" / "task", [], []

    async def work(number: int) -> None:
        async with held(folder, said.append):
            assert [path.name for path in folder.iterdir()] == ["held-by"]
            inside.append(number)
            assert len(inside) == 1
            for name in range(20):
                (folder / f"artifact-{name}").write_text(str(number))
            await asyncio.sleep(0.02)
            assert {path.read_text() for path in folder.glob("artifact-*")} == {str(number)}
            inside.remove(number)
            remove(folder)

    await asyncio.gather(*map(work, range(8)))
    assert len(said) == 7
    assert list((tmp_path / "state").iterdir()) == []


async def test_a_folder_without_rights_for_others_holds_a_lock_without_rights_for_others(tmp_path: Path) -> None:
    folder = tmp_path / "task"
    async with held(folder, print):
        assert folder.stat().st_mode & 0o077 == 0
        assert (folder / "held-by").stat().st_mode & 0o077 == 0
