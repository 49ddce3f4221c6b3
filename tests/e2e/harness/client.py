"""The real Claude Code, driven by its keyboard and read from its screen."""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING, Any

from e2e.harness.driven import Driven
from e2e.harness.patience import PATIENCE_S, until

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from e2e.harness.home import Home

__all__ = ["Client", "until"]

PROMPT = "\N{HEAVY RIGHT-POINTING ANGLE QUOTATION MARK ORNAMENT}"
OPTION = re.compile(rf"^ *(?:{PROMPT} )?\d+\. .*$", re.MULTILINE)
CHOSEN = re.compile(rf"^ *{PROMPT} \d+\. ", re.MULTILINE)
RULE = re.compile(r"^ *──.*$", re.MULTILINE)

# A dialog ignores the first 0.15 s of keys, so that nobody answers it while typing.
DEAF = 0.3


class Client(Driven):
    """One client in a terminal of its own. Ready for its first prompt when it is made."""

    def __init__(
        self,
        program: str | Sequence[str],
        api_url: str,
        home: Home,
        *args: str,
        mode: str = "default",
        env: Mapping[str, str] | None = None,
    ) -> None:
        """`program` may be a command that starts it: the program is its last word."""
        self.home = home
        words = [program] if isinstance(program, str) else list(program)
        argv = [*words, "--permission-mode", mode, *args]
        super().__init__(argv, home.project, home.environment(api_url, env or {}), "" if len(words) == 1 else words[-1])
        self._registered_as = _own_pid(self.pid)
        self.ready(rf"^{PROMPT}\s*$")

    # Looking

    def wait_for_words(self, words: str, seconds: float = PATIENCE_S) -> None:
        """Wait until the agent has said this."""
        self.wait(rf"^● {re.escape(words)}", seconds)

    def dialog(self) -> str:
        """The question that is open on the screen, down to its last option; empty when there is none."""
        screen = self.screen()
        chosen = [option.start() for option in CHOSEN.finditer(screen)]
        if not chosen:
            return ""
        start = max((rule.end() for rule in RULE.finditer(screen, 0, chosen[-1])), default=0)
        end = max(option.end() for option in OPTION.finditer(screen))
        return screen[start:end].strip()

    def wait_for_dialog(self, words: str = "", seconds: float = PATIENCE_S) -> None:
        def shown() -> bool:
            dialog = self.dialog()
            return dialog != "" and words in dialog

        until(shown, seconds, lambda: f"no dialog {words!r}:\n{self.screen()}")

    def registry(self) -> dict[str, Any]:
        """What the client says of itself in its registry."""
        return self.home.registry(self._registered_as)

    def wait_for_status(self, status: str, seconds: float = PATIENCE_S) -> None:
        until(
            lambda: self.registry().get("status") == status,
            seconds,
            lambda: f"never {status}: {self.registry()}\n{self.screen()}",
        )

    @property
    def session_id(self) -> str:
        until(lambda: self.registry().get("sessionId"), PATIENCE_S, lambda: f"no session:\n{self.screen()}")
        return str(self.registry()["sessionId"])

    def heard(self, event: str, **fields: Any) -> list[dict[str, Any]]:
        """The recorded payloads of this event, in order; of a sub-agent with ``agent_id=...``."""
        wanted = {"hook_event_name": event, **fields}.items()
        return [payload for payload in self.home.heard() if wanted <= payload.items()]

    def wait_for_hook(self, event: str, times: int = 1, seconds: float = PATIENCE_S, **fields: Any) -> dict[str, Any]:
        until(
            lambda: len(self.heard(event, **fields)) >= times,
            seconds,
            lambda: f"{event} {fields} did not come {times} times:\n{self.screen()}",
        )
        return self.heard(event, **fields)[times - 1]

    def told(self, subtype: str) -> int:
        """How many lines of this subtype the transcript of this session has."""
        return sum(record.get("subtype") == subtype for record in self.home.transcript(self.session_id))

    # Doing

    def say(self, words: str) -> None:
        """Type a prompt and send it."""
        self.wait(rf"^{PROMPT}\s*$")
        self.terminal.type(words)
        # Keys that come in one gulp with the text are part of the text: first see it, then press Enter.
        until(lambda: self._typed(words), PATIENCE_S, lambda: f"{words!r} was not typed:\n{self.screen()}")
        self._press_until(lambda: not self._typed(words), "Enter")

    def answer(self, *keys: str, words: str = "") -> None:
        """Answer the open dialog: Enter approves, Escape rejects."""
        self.wait_for_dialog(words)
        question = self.dialog()
        self.let_it_listen()
        self._press_until(lambda: self.dialog() != question, *keys)

    def let_it_listen(self) -> None:
        """It drops keys for a moment after it has drawn a dialog, and nothing tells when it does not any more."""
        time.sleep(DEAF)

    # Below

    def _typed(self, words: str) -> bool:
        """Whether the text stands in the input box, folded, its beginning perhaps scrolled out above.

        A long one that comes in one gulp is shown as a mark in its place.
        """
        box = "".join(self._box().split())
        return "".join(words.split())[-24:] in box or "[Pastedtext#" in box

    def _box(self) -> str:
        """What stands in the input box, between the last two rules; a dialog has one rule above it and no box."""
        screen = self.screen()
        rules = list(RULE.finditer(screen))[-2:]
        return screen[rules[0].end() : rules[1].start()] if len(rules) > 1 else ""


def _own_pid(pid: int) -> int:
    """The pid that a process has for itself: another one where it lives in a namespace of its own."""
    try:
        with open(f"/proc/{pid}/status", encoding="utf-8") as file:
            words = next((line.split() for line in file if line.startswith("NSpid:")), [])
    except FileNotFoundError:
        return pid
    return int(words[-1]) if words else pid
