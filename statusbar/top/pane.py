"""The selected agent in full, beside the list on a wide screen: pure."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from contract.paths import MAIN
from statusbar.cli.pieces import Line, Piece, signed
from statusbar.model.rows import Kind
from statusbar.text import wording
from statusbar.text.width import cut, pad, tidy, wrap

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from contract.status import AgentStatus, SessionStatus
    from conversations.glimpse import Glimpse
    from statusbar.model.rows import Row

    # What a session has used today, tokens and cost, in words; '' where nobody counts it.
    Spent = Callable[[SessionStatus], str]

FROM_COLUMNS = 110
LEAST, MOST, SHARE = 38, 64, 0.36
LABEL = 9
LONG = 400


class Subject(NamedTuple):
    """Whom the pane is about."""

    row: Row
    session: SessionStatus
    glimpse: Glimpse | None
    spent: str = ""

    @property
    def status(self) -> SessionStatus | AgentStatus:
        """The agent itself; that of a session's own row is the session."""
        return next((agent for agent in self.session.agents if agent.key == self.row.agent), self.session)


def nothing_counted(_session: SessionStatus) -> str:
    return ""


def room(columns: int) -> int:
    """How wide the pane is; 0 on a screen that has no room for one."""
    return 0 if columns < FROM_COLUMNS else min(max(int(columns * SHARE), LEAST), MOST)


def lines(subject: Subject, columns: int, height: int) -> list[Line]:
    """As many as fit; the words come last, because they may be long."""
    row = subject.row
    title = [(Piece(part, "bold"),) for part in wrap(row.name, columns)[:2]]
    state = signed(row.look, cut(f"{row.look.word}{f' for {row.age}' if row.age else ''}", columns - 3))
    known = [_labelled(label, text, columns) for label, text in _known(subject) if text]
    spoken = [line for label, text in _spoken(subject) if text for line in _block(label, text, columns)]
    return [*title, state, (), *known, *spoken][:height]


def _known(subject: Subject) -> Iterator[tuple[str, str]]:
    session, glimpse = subject.session, subject.glimpse
    yield "client", tidy(session.client, LONG)
    yield "team", tidy(session.team, LONG)
    yield "folder", tidy(session.cwd, LONG)
    if glimpse:
        yield "branch", _branch(glimpse)
        yield "model", tidy(glimpse.model, LONG)
        yield "context", _context(glimpse)
    yield "today", subject.spent
    yield "why", _why(subject.status)


def _spoken(subject: Subject) -> Iterator[tuple[str, str]]:
    row, glimpse = subject.row, subject.glimpse
    is_main = row.kind is Kind.SESSION or row.agent in (MAIN, row.session_id)
    yield "detail", row.detail
    yield "said", wording.said(glimpse.last_words, LONG) if glimpse and is_main else ""


def _branch(glimpse: Glimpse) -> str:
    branch, worktree = tidy(glimpse.branch, LONG), tidy(glimpse.worktree, LONG)
    return f"{branch} (worktree {worktree})" if worktree else branch


def _context(glimpse: Glimpse) -> str:
    """Such as "65 k of 1 M tokens, 7 %"; without the limit where that is not known."""
    if glimpse.context_tokens is None:
        return ""
    if not glimpse.context_limit or glimpse.context_share is None:
        return f"{short(glimpse.context_tokens)} tokens"
    return (
        f"{short(glimpse.context_tokens)} of {short(glimpse.context_limit)} tokens, {100 * glimpse.context_share:.0f} %"
    )


def short(number: int) -> str:
    """Such as 950, 65 k and 1.2 M."""
    for unit, letter in ((10**6, "M"), (10**3, "k")):
        if number >= unit:
            return f"{number / unit:.1f}".removesuffix(".0") + f" {letter}"
    return str(number)


def _why(status: SessionStatus | AgentStatus) -> str:
    return f"{tidy(status.rule, LONG)} (from {tidy(status.evidence, LONG)})"


def _labelled(label: str, text: str, columns: int) -> Line:
    return Piece(pad(label, LABEL), "bold"), Piece(cut(text, columns - LABEL))


def _block(label: str, text: str, columns: int) -> Iterator[Line]:
    yield ()
    yield (Piece(label, "bold"),)
    yield from ((Piece(part),) for part in wrap(text, columns))
