"""What is to be done to the file of one client, planned before anything is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from installer.hooks import answers, change, settings_file
from installer.hooks.program import Program
from installer.hooks.settings_file import Content

if TYPE_CHECKING:
    from collections.abc import Iterable

    from installer.clients.caveat import Caveat
    from installer.hooks.change import Change
    from installer.hooks.editor import Editor
    from installer.record import Installed
    from installer.target import Target

NOBODY = Program("", "")  # what the hooks start does not matter for taking them out


class Plan(NamedTuple):
    target: Target
    editor: Editor
    change: Change

    @property
    def path(self) -> str:
        return self.change.path

    @property
    def is_nothing(self) -> bool:
        return self.change.is_nothing

    @property
    def summary(self) -> str:
        return change.summary(self.change, self.editor)

    @property
    def caveats(self) -> list[Caveat]:
        """What would keep the installed hooks from working."""
        return self.target.client.caveats(self.path, Content(self.change.after).text)

    @property
    def ours(self) -> str:
        """What is installed there, as a noun."""
        return self.editor.noun + "s" * self._are_several

    @property
    def all_of_ours(self) -> str:
        return f"{'all' if self._are_several else 'the'} yourturn {self.ours}"

    @property
    def _are_several(self) -> bool:
        return len(self.editor.names) > 1


def putting_in(target: Target, program: Program, *, answers_too: bool | None = None) -> Plan:
    """A refusal if the file cannot be changed. `answers_too`: with the hook that answers; None: as it is."""
    editor = _editor(target, program, answers_too=answers_too)
    with settings_file.refusing("Could not read the settings"):
        return Plan(target, editor, change.putting_in(target.path, editor))


def taking_out(target: Target, installed: Installed | None) -> Plan:
    editor = _editor(target, NOBODY, answers_too=False)
    with settings_file.refusing("Could not read the settings"):
        return Plan(target, editor, change.taking_out(target.path, editor, installed))


def _editor(target: Target, program: Program, *, answers_too: bool | None) -> Editor:
    """Only Claude Code waits for an answer of a hook and shows its own dialog meanwhile."""
    editor = target.client.editor(program)
    return answers.editor(editor, program, wanted=answers_too) if target.is_default else editor


def diff(plans: Iterable[Plan]) -> str:
    return "".join(change.diff(planned.change) for planned in plans)
