"""What one session has spent today, cheap enough to be asked while somebody looks on."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from usage import count, days, ledger, prices
from usage.cache_file import TroubleError
from usage.tokens import NONE, Tokens

if TYPE_CHECKING:
    from collections.abc import Mapping

    from usage.ledger import Ledger
    from usage.prices import Cost


PATIENCE_S = 0.1  # somebody looks on


class Spent(NamedTuple):
    tokens: Tokens
    cost: Cost | None  # None if the file of prices cannot be used
    currency: str


def today(home: str, session: str, now: float, env: Mapping[str, str]) -> Spent | None:
    """Counts what is new in its transcripts first, but not more than a little.

    None if there is nothing, if there is more to count, or if somebody else is counting just now. A fork of a session
    that was never counted is taken for the first to say what it has copied, until that session is looked at too:
    `yourturn usage` looks at all of them. Raises OSError where nothing can be kept.
    """
    rows = _spent(home, session, now, env)
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


def _spent(home: str, session: str, now: float, env: Mapping[str, str]) -> list[tuple[str, Tokens]] | None:
    try:
        return ledger.use(home, lambda book: _rows(book, session, now, env), PATIENCE_S)
    except TroubleError as error:
        if error.is_busy:
            return None
        raise


def _rows(book: Ledger, session: str, now: float, env: Mapping[str, str]) -> list[tuple[str, Tokens]] | None:
    if not count.look_at_session(book, env, session) or not book.files(session):
        return None
    return [(row.model, row.tokens) for row in book.rows(days.first_quarter(days.today(now)), session)]
