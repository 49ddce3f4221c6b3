"""What one session has spent today, cheap enough to be asked while somebody looks on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from usage import count, days, ledger, prices
from usage.tokens import NONE, Tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from usage.ledger import Ledger
    from usage.prices import Cost


class Spent(NamedTuple):
    tokens: Tokens
    cost: Cost | None  # None if the file of prices cannot be used
    currency: str


def today(home: str, session: str, now: float, env: Mapping[str, str]) -> Spent | None:
    """Counts what is new in its transcripts first, one portion of them. None if there is nothing, or more to count.

    A fork of a session that has not been counted yet is taken for the first to say what it has copied, until that
    session is looked at too: `yourturn usage` looks at all of them. Raises OSError where nothing can be kept.
    """
    rows = ledger.use(home, lambda book: _rows(book, session, now, env))
    if rows is None:
        return None
    tokens = NONE
    for _, part in rows:
        tokens = tokens.plus(part)
    try:
        known = prices.load(env)
    except (prices.PricesError, OSError):
        return Spent(tokens, None, "")
    return Spent(tokens, known.costs(rows), known.currency)


def _rows(book: Ledger, session: str, now: float, env: Mapping[str, str]) -> list[tuple[str, Tokens]] | None:
    if not count.look_at_session(book, env, session) or not book.files(session):
        return None
    return [(row.model, row.tokens) for row in book.rows(days.first_quarter(days.today(now)), session)]
