"""The SDK's own adapters, with a deadline for the whole of every answer."""

from typing import Any

from requests import PreparedRequest, Response
from requests.adapters import BaseAdapter

from sandboxes.deadlines import COPY_SECONDS, LONG_SECONDS, within


class Bounded(BaseAdapter):
    """An adapter of the SDK's whose answers are there in time: their heads, and their bodies but for streams."""

    def __init__(self, inner: BaseAdapter) -> None:
        """Take the place of `inner`."""
        super().__init__()
        self._inner = inner

    def send(
        self,
        request: PreparedRequest,
        stream: bool = False,
        timeout: Any = None,  # noqa: ANN401 - as the base class has it
        verify: bool | str = True,
        cert: Any = None,  # noqa: ANN401
        proxies: Any = None,  # noqa: ANN401
    ) -> Response:
        """The answer; `timeout` is for all of it."""

        def answered() -> Response:
            response = self._inner.send(request, stream, timeout, verify, cert, proxies)
            if not stream:
                response.content  # noqa: B018 - reads it
            return response

        seconds = timeout if isinstance(timeout, int | float) else LONG_SECONDS
        return within(max(seconds, COPY_SECONDS) if _carries_files(request) else seconds, answered)

    def close(self) -> None:
        """Let go of its connections."""
        self._inner.close()


def _carries_files(request: PreparedRequest) -> bool:
    return not isinstance(request.body, str | bytes | None) or len(request.body or b"") > 2**20
