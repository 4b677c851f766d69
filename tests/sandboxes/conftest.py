"""A real engine and its base image, once for all tests of this room."""

from collections.abc import Iterator

import pytest

from sandboxes import ContainerPool, Engine, Spec
from sandboxes.images import ensure_base


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    connected = Engine.connect()
    yield connected
    connected.close()


@pytest.fixture(scope="session")
def image(engine: Engine) -> str:
    return ensure_base(engine)


@pytest.fixture
def containers(engine: Engine) -> Iterator[ContainerPool]:
    with ContainerPool(engine) as made:
        yield made


@pytest.fixture
def spec(image: str) -> Spec:
    """An ordinary user's container without a network."""
    return Spec(image=image)
