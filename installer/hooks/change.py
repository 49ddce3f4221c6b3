"""A change to a client's file, planned before anything is written."""

from __future__ import annotations

import difflib
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from installer.hooks import settings, settings_file
from installer.hooks.editor import ForeignError
from installer.hooks.settings_file import Content
from installer.refusal import Refusal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from installer.hooks.editor import Editor
    from installer.record import Installed


class Change(NamedTuple):
    """From what was read to what will be written; `after` is None if the file will be removed."""

    path: str
    before: Content
    after: bytes | None
    restores: bool = False
    """Whether this restores, byte for byte, the file from before the installation."""

    @property
    def is_nothing(self) -> bool:
        return self.after == self.before.data


def putting_in(path: str, editor: Editor) -> Change:
    before = settings_file.read(path)
    with editing(path):
        text = before.text
        merged = editor.put(text)
        return Change(path, before, before.data if merged == text else before.with_text(merged))


def taking_out(path: str, editor: Editor, installed: Installed | None) -> Change:
    before = settings_file.read(path)
    original = _original(installed)
    if before.data is None:
        return Change(path, before, None)
    if installed and original and before.digest == installed.wrote:
        return Change(path, before, original.data, restores=True)
    with editing(path):
        text = before.text
        left = editor.take(text, original.text if original else None)
        nothing_left = left != text and original == Content(None) and editor.is_empty(left)
    # A file that is ours alone is removed as a whole.
    return Change(path, before, None if nothing_left or left is None else before.with_text(left))


def diff(change: Change) -> str:
    """As `diff -u` shows it."""
    before, after = (_lines(data) for data in (change.before.data, change.after))
    old = "/dev/null" if change.before.data is None else change.path
    new = "/dev/null" if change.after is None else change.path
    return "".join(difflib.unified_diff(before, after, old, new))


def summary(change: Change, editor: Editor) -> str:
    """What changes in one line; the diff may have hundreds of lines."""
    before, after = (editor.parts(Content(data).text) for data in (change.before.data, change.after))
    both = before.keys() & after.keys()
    counts = {
        "adds": len(after.keys() - both),
        "changes": sum(before[event] != after[event] for event in both),
        "removes": len(before.keys() - both),
    }
    noun = editor.noun
    parts = [f"{verb} {count} {noun}{'s' * (count != 1)}" for verb, count in counts.items() if count]
    text = ", ".join(parts) or f"changes no {noun}s"
    return f"{text.capitalize()}. Nothing else in {change.path} changes."


@contextmanager
def editing(path: str) -> Iterator[None]:
    """Turn an error in the text into a refusal that names the line."""
    try:
        yield
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise Refusal(
            f"{path}:{line}: not UTF-8 (byte {error.start}).", "Save it as UTF-8 and run this again."
        ) from None
    except RecursionError:
        raise Refusal(f"{path} is nested too deeply.", "It was not changed; reduce the nesting.") from None
    except settings.UnfitError as error:
        remedy = f"It was not changed. In line {error.line}, {error.remedy}; then run this again."
        raise Refusal(f"{path}:{error.line}:{error.column}: {error}.", remedy) from None
    except ForeignError as error:
        raise Refusal(f"{path} {error}.", "It was not changed. Move it away, then run this again.") from None


def _original(installed: Installed | None) -> Content | None:
    """The file from before the installation, if it is known and the backup still has it."""
    if installed is None:
        return None
    if installed.absent:
        return Content(None)
    backup = settings_file.read(installed.original) if installed.original else Content(None)
    return backup if backup.data is not None and backup.digest == installed.original_digest else None


def _lines(data: bytes | None) -> list[str]:
    text = (data or b"").decode("utf-8", "replace").replace("\r\n", "\n")
    *whole, rest = text.split("\n")
    ended = [line + "\n" for line in whole]
    return [*ended, rest + "\n\\ No newline at end of file\n"] if rest else ended
