"""How what is new in a transcript is entered into the ledger: sightings of messages, and the sums that they change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from usage import owner
from usage.owner import Sighting

if TYPE_CHECKING:
    from usage.ledger import File, Ledger
    from usage.message import Message
    from usage.reading import News


def enter(ledger: Ledger, news: News) -> None:
    if news.is_anew:
        _forget(ledger, news.file.id)
    file, messages = ledger.save(news.file), news.messages.values()
    models = {name: ledger.model(name) for name in {message.model for message in messages}}
    ledger.add(owner.sums(_sight(ledger, file, message, models[message.model]) for message in messages))


def _sight(ledger: Ledger, file: File, message: Message, model: int) -> tuple[list[Sighting], list[Sighting]]:
    """Where it was seen before, and where it is seen now."""
    before = ledger.sightings(message.digest)
    now = Sighting(file.id, file.opening.began, file.path, message.at, model, message.tokens)
    for same in (one for one in before if one.file == file.id):
        now = same.merged(now)
    if now not in before:
        ledger.sight(message.digest, now)
    return before, [*owner.without(before, file.id), now]


def _forget(ledger: Ledger, file: int) -> None:
    """What stands in other transcripts too counts for one of those from now on."""
    seen = {digest: ledger.sightings(digest) for digest in ledger.shared(file)}
    changes = owner.sums((before, owner.without(before, file)) for before in seen.values())
    ledger.forget(file)
    ledger.add({key: tokens for key, tokens in changes.items() if key[0] != file})
