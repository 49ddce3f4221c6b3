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
    context: int  # tokens that the model was given for the session's latest answer; 0 if there was none


class _Counted(NamedTuple):
    rows: list[tuple[str, Tokens]]
    context: int


def today(home: str, session: str, now: float, env: Mapping[str, str]) -> Spent | None:
    """Counts what is new in its transcripts first, but not more than a little.

    None if there is nothing, if there is more to count, or if somebody else is counting just now. A fork of a session
    that was never counted is taken for the first to say what it has copied, until that session is looked at too:
    `yourturn usage` looks at all of them. Raises OSError where nothing can be kept.
    """
    counted = _counted(home, session, now, env)
    if counted is None:
        return None
    tokens = NONE
    for _, part in counted.rows:
        tokens = tokens.plus(part)
    try:
        known = prices.load(env)
    except (prices.PricesError, OSError):
        return Spent(tokens, None, "", counted.context)
    return Spent(tokens, known.costs(counted.rows), known.currency, counted.context)


def _counted(home: str, session: str, now: float, env: Mapping[str, str]) -> _Counted | None:
    try:
        return ledger.use(home, lambda book: _look(book, session, now, env), PATIENCE_S)
    except TroubleError as error:
        if error.is_busy:
            return None
        raise


def _look(book: Ledger, session: str, now: float, env: Mapping[str, str]) -> _Counted | None:
    is_all = count.look_at_session(book, env, session)
    files = book.files(session).values()
    if not is_all or not files:
        return None
    rows = book.rows(days.first_quarter(days.today(now)), session)
    context = max(((file.signature[-1], file.context) for file in files if file.is_main), default=(0, 0))[1]
    return _Counted([(row.model, row.tokens) for row in rows], context)
