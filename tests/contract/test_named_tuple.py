"""Named tuples without `typing`: the same as with it."""

from __future__ import annotations

import typing
from typing import TYPE_CHECKING, Any

import pytest

from contract import named_tuple

if TYPE_CHECKING:
    from collections.abc import Callable


class Ours(named_tuple.NamedTuple):
    """Said of it."""

    name: str
    parent: str | None = None
    among: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        return f"{self.name} of {self.parent}"

    def older(self) -> Ours:
        return self._replace(name=f"old {self.name}")


class Theirs(typing.NamedTuple):
    """Said of it."""

    name: str
    parent: str | None = None
    among: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        return f"{self.name} of {self.parent}"

    def older(self) -> Theirs:
        return self._replace(name=f"old {self.name}")


@pytest.mark.parametrize(
    "ask",
    [
        lambda kind: kind("a"),
        lambda kind: kind("a", among=("b",)),
        lambda kind: kind("a", "b").called,
        lambda kind: kind("a").older().name,
        lambda kind: kind._fields,
        lambda kind: kind._field_defaults,
        lambda kind: kind("a")._asdict(),
        lambda kind: kind.__doc__,
        lambda kind: kind.__module__,
        lambda kind: list(kind.__annotations__),
        lambda kind: isinstance(kind("a"), tuple),
    ],
)
def test_a_record_is_what_it_would_be_with_typing(ask: Callable[[Any], object]) -> None:
    assert ask(Ours) == ask(Theirs)


def test_a_record_is_called_by_its_name() -> None:
    assert repr(Ours("a")) == "Ours(name='a', parent=None, among=())"
    assert Ours.__qualname__ == "Ours"


def test_a_record_can_be_the_base_of_a_class() -> None:
    class Below(Ours):
        def own(self) -> str:
            return self.name

    assert Below("a").own() == "a"
    assert isinstance(Below("a"), Ours)
