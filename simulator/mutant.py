"""One broken place of the law or the recorder: a name in a module, a class or a table, and what stands there now."""

from __future__ import annotations

from contextlib import contextmanager, nullcontext
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from contextlib import AbstractContextManager

    Function = Callable[..., Any]


class NoPlaceError(LookupError):
    """What a mutant breaks is not there any more: it would break nothing, and seem to be survived."""


@dataclass
class Scout:
    """Whether a broken place would have answered differently, once at least."""

    has_met: bool = False
    is_busy = False  # one of all: what a broken place calls while it is tried tells nothing of the program

    def compare(self, broken: Function, real: Any) -> None:
        Scout.is_busy = True
        try:
            self.has_met = bool(broken() != real)
        except Exception:  # whatever it is, the real one does not raise it
            self.has_met = True
        finally:
            Scout.is_busy = False

    @property
    def is_needed(self) -> bool:
        return not self.has_met and not Scout.is_busy


@dataclass(frozen=True)
class Mutant:
    owner: Any  # a module, a class, or a table by name
    name: str
    breaks: Callable[[Any], Any]  # from what stands there to what is put there
    is_pure: bool = True  # its answer is all that it does; else it changes what it is given
    beside: Mutant | None = None  # another place that would make up for this one

    @contextmanager
    def put_in(self) -> Iterator[None]:
        with self._patched(self.breaks), self.beside.put_in() if self.beside else nullcontext():
            yield

    @contextmanager
    def watched(self, scout: Scout) -> Iterator[None]:
        """Nothing is broken, but the broken place is tried beside the real one, each time with the same question.

        Up to the first answer that differs the watcher does the same with either: a program in which none differs
        need not be played with the broken one.
        """
        if not callable(_function(self._target)):
            scout.has_met = True  # a number: nobody asks it anything
            yield
            return
        try_both = _on_the_same if self.is_pure else _on_copies
        beside = self.beside.watched(scout) if self.beside else nullcontext()
        with self._patched(lambda real: try_both(real, self.breaks(real), scout)), beside:
            yield

    @property
    def _target(self) -> Any:
        known = self.owner if isinstance(self.owner, dict) else vars(self.owner)
        if self.name not in known:
            where = "its table" if isinstance(self.owner, dict) else self.owner.__name__
            raise NoPlaceError(f"{self.name!r} is not in {where} any more: mend simulator/mutants.py")
        return known[self.name]

    def _patched(self, change: Callable[[Any], Any]) -> AbstractContextManager[Any]:
        target = self._target
        put = change(_function(target))
        if isinstance(self.owner, dict):
            return patch.dict(self.owner, {self.name: put})  # in its place: the order of a ladder counts
        return patch.object(self.owner, self.name, put if target is _function(target) else property(put))


def _on_the_same(real: Function, broken: Function, scout: Scout) -> Function:
    def both(*args: Any, **more: Any) -> Any:
        value = real(*args, **more)
        if scout.is_needed:
            scout.compare(lambda: broken(*args, **more), value)
        return value

    return both


def _on_copies(real: Function, broken: Function, scout: Scout) -> Function:
    def both(*args: Any, **more: Any) -> Any:
        copies = deepcopy(args) if scout.is_needed else ()
        value = real(*args, **more)
        if scout.is_needed:
            scout.compare(lambda: (broken(*copies, **more), copies), (value, args))
        return value

    return both


def _function(target: Any) -> Any:
    if isinstance(target, property):
        return target.fget
    return target.func if isinstance(target, cached_property) else target
