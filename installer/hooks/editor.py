"""How our part gets into the text of a client's file and out again. Pure.

Most clients have a file of settings with hooks in it (`HookEditor`); one reads a program of ours (`ProgramEditor`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from installer.hooks import entries, settings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from installer.hooks.entries import Entry
    from installer.hooks.program import Program
    from installer.hooks.shape import Shape


class ForeignError(ValueError):
    """There is a file in the place of ours that somebody else has written."""


class Editor(Protocol):
    @property
    def noun(self) -> str: ...
    @property
    def names(self) -> list[str]:
        """What there is when all of it is there."""
        ...

    def put(self, text: str, /) -> str:
        """The text with our part as this version writes it."""
        ...

    def take(self, text: str, original: str | None, /) -> str | None:
        """The text without our part; None if nothing is left. `original` is the text from before, if it is known."""
        ...

    def parts(self, text: str, /) -> dict[str, list[Any]]:
        """What is ours in the text, by name."""
        ...

    def programs(self, text: str, /) -> list[Program | None]:
        """What each of ours starts; None for one that was edited."""
        ...

    def narrowed(self, text: str, /) -> list[str]:
        """The events that somebody has limited to some cases."""
        ...

    def is_empty(self, text: str | None, /) -> bool:
        """Whether the file would say nothing at all."""
        ...


class HookEditor(NamedTuple):
    """Entries among the hooks in a file of JSON."""

    shape: Shape
    wanted: Mapping[str, Entry]

    @property
    def noun(self) -> str:
        return "hook"

    @property
    def names(self) -> list[str]:
        return list(self.wanted)

    def put(self, text: str) -> str:
        return settings.merge(text, self.wanted, self.shape)

    def take(self, text: str, original: str | None) -> str | None:
        kept = settings.containers(original, self.shape) if original is not None else ()
        return settings.unmerge(text, kept, self.shape)

    def parts(self, text: str) -> dict[str, list[Any]]:
        by_event: dict[str, list[Any]] = {}
        for event, _, hook in entries.found_in(settings.parse(text, self.shape), self.shape):
            by_event.setdefault(event, []).append(hook)
        return by_event

    def programs(self, text: str) -> list[Program | None]:
        found = entries.found_in(settings.parse(text, self.shape), self.shape)
        return [entries.program_of(one.hook[self.shape.line], self.shape.told(one.event)) for one in found]

    def narrowed(self, text: str) -> list[str]:
        found = entries.found_in(settings.parse(text, self.shape), self.shape)
        return [one.event for one in found if one.matcher not in (None, "", "*")]

    def is_empty(self, text: str | None) -> bool:
        return settings.parse(text or "", self.shape) in ({}, settings.parse(self.shape.empty, self.shape))


class ProgramEditor(NamedTuple):
    """A whole file of ours, known by how it begins."""

    mark: str
    program: Program
    write: Callable[[Program], str]
    read: Callable[[str], Program | None]

    @property
    def noun(self) -> str:
        return "plugin"

    @property
    def names(self) -> list[str]:
        return [self.noun]

    def put(self, text: str) -> str:
        if text.strip() and not self.parts(text):
            raise ForeignError("was not written by yourturn")
        # A checkout of dotfiles may have changed the ends of the lines, and nothing else.
        return text if text.replace("\r\n", "\n") == self._ours else self._ours

    def take(self, text: str, original: str | None) -> str | None:
        return original if self.parts(text) else text

    def parts(self, text: str) -> dict[str, list[Any]]:
        return {self.noun: [text]} if text.startswith(self.mark) else {}

    def programs(self, text: str) -> list[Program | None]:
        return [self.read(text)] if self.parts(text) else []

    def narrowed(self, _text: str) -> list[str]:
        return []

    def is_empty(self, text: str | None) -> bool:
        return not text

    @property
    def _ours(self) -> str:
        return self.write(self.program)


def of_hooks(shape: Shape, program: Program, events: Iterable[str], entry: Callable[[str, str], Entry]) -> HookEditor:
    """`entry` is made of an event and its shell line."""
    lines = {event: entries.command_of(program, shape.told(event)) for event in events}
    return HookEditor(shape, {event: entry(event, line) for event, line in lines.items()})
