"""Files that go into a container and come out of it."""

import io
import shlex
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cases.sentences import Sentences
from sandboxes.container import Container
from sandboxes.deadlines import COPY_SECONDS, each_within
from sandboxes.errors import SandboxError, translated
from sandboxes.journal import Entry, Placed
from sandboxes.mounts import beyond_copy
from sandboxes.packing import Packed, TooLarge, pack_file, pack_files, pack_tree, unpack_file
from sandboxes.spec import HELD, Spec

say = Sentences(__name__)

TREE_BYTES = 500_000_000
ORDINARY = 0o644


class Placing:
    """What of a session has to do with files."""

    container: str
    spec: Spec
    journal: list[Entry]
    _api: Any
    _box: Container

    def put(self, path: str, data: bytes, *, mode: int = ORDINARY) -> None:
        """Write a file as root, with its directories.

        Raises:
            SandboxError: it lies in a read-only directory.
        """
        self.journal.append(Placed(path, data, mode))
        if not beyond_copy(self.spec, path):
            self._box.extract("/", pack_file(path.lstrip("/"), data, mode))
            return
        self._box.extract(HELD, pack_file("passed-on", data, mode))
        target = shlex.quote(path)
        self._box.must(f"mkdir -p $(dirname {target}) && cp {HELD}/passed-on {target} && chmod {mode:o} {target}", path)

    def put_all(self, content: Mapping[str, bytes]) -> None:
        """Write files as root at once, by path, each with its directories.

        Raises:
            SandboxError: one lies in a read-only directory.
        """
        if any(beyond_copy(self.spec, path) for path in content):
            for path, data in content.items():
                self.put(path, data)
            return
        self.journal += [Placed(path, data, ORDINARY) for path, data in content.items()]
        self._box.extract("/", pack_files({path.lstrip("/"): data for path, data in content.items()}, ORDINARY))

    def unpack(self, where: str, archive: bytes) -> None:
        """Unpack a tar archive of ours in a directory below `HELD`, beside the journal.

        Raises:
            SandboxError: it cannot be written.
        """
        self._box.extract(where, archive)

    def put_tree(self, path: str, directory: Path, *, limit: int = TREE_BYTES) -> Packed:
        """Copy a directory of this machine to `path` as the ordinary user's; links are not followed out of it.

        Raises:
            SandboxError: it holds more than `limit` bytes, cannot be read, or `path` cannot be written.
        """
        owner = self._box.must('id -u "$0" && id -g "$0"', self.spec.user, argument=self.spec.user).split()
        beyond = beyond_copy(self.spec, path)
        with tempfile.TemporaryFile() as archive:
            try:
                prefix = "passed-on" if beyond else path
                packed = pack_tree(directory, prefix, (int(owner[0]), int(owner[1])), limit, archive)
            except (TooLarge, OSError) as error:
                raise SandboxError(
                    say("placing.cannot_copied_into_container", directory=directory, error=error)
                ) from error
            archive.seek(0)
            self._box.extract(HELD if beyond else "/", archive)
        if beyond:
            moved = f'mkdir -p "$0" && cp -a {HELD}/passed-on/. "$0" && rm -rf {HELD}/passed-on'
            self._box.must(moved, path, argument=path)
        return packed

    def get(self, path: str, *, limit: int = 10_000_000) -> bytes:
        """Read a file of at most `limit` bytes.

        Raises:
            SandboxError: there is no such file, or it is larger.
        """
        if beyond_copy(self.spec, path):
            copied = f'[ "$(stat -Lc %s "$0")" -gt {limit} ] || cp "$0" {HELD}/passed-out'
            self._box.must(f'rm -f {HELD}/passed-out; test -f "$0" && {{ {copied}; }}', path, argument=path)
            source = f"{HELD}/passed-out"
        else:
            source = path
        packed = io.BytesIO()
        with translated(f"read {path}"):
            stream, _ = self._api.get_archive(self.container, source)
            for chunk in each_within(COPY_SECONDS, stream):
                packed.write(chunk)
                if packed.tell() > limit + 10_240:
                    raise SandboxError(say("placing.larger_than_bytes", path=path, limit=limit))
        content = unpack_file(packed.getvalue())
        if content is None:
            raise SandboxError(say("placing.not_file", path=path))
        return content
