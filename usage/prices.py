"""What tokens cost: a table that people can edit, and the cost of tokens by it."""

from __future__ import annotations

import os
import re
import tomllib
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from contract import bar_files, store
from contract.clean import clean

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from usage.tokens import Tokens

OURS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "prices.toml")
MILLION = Decimal(1_000_000)
HIGHEST = Decimal(1_000_000)
KEYS = ("date", "currency", "web_search", "models")
PROVIDER = "anthropic."  # as in us.anthropic.claude-opus-4-5-20251101-v1:0
_ANOTHER_VERSION = re.compile(r"[0-9]|-[0-9]{1,2}(?![0-9])")
_CURRENCY = re.compile(r"[A-Z]{3}")
_LINE = re.compile(r"at line ([0-9]+)")


class PricesError(ValueError):
    """What is wrong with the file, and where."""

    def __init__(self, path: str, line: int, words: str) -> None:
        where = f", line {line}" if line else ""
        super().__init__(f"{path}{where}: {words}. Correct it, or remove the file: then the usual prices are used")


class Price(NamedTuple):
    """For a million tokens of each kind."""

    input: Decimal
    output: Decimal
    cache_write_5m: Decimal
    cache_write_1h: Decimal
    cache_read: Decimal

    def of(self, tokens: Tokens) -> Decimal:
        kinds = (tokens.input, tokens.output, tokens.written - tokens.written_1h, tokens.written_1h, tokens.read)
        return sum((price * number for price, number in zip(self, kinds, strict=True)), Decimal()) / MILLION


class Cost(NamedTuple):
    """An amount, and the models that it leaves out because they have no price."""

    amount: Decimal
    unknown: frozenset[str] = frozenset()

    @property
    def is_known(self) -> bool:
        """At least a part of it."""
        return bool(self.amount) or not self.unknown

    def plus(self, other: Cost) -> Cost:
        return Cost(self.amount + other.amount, self.unknown | other.unknown)


NOTHING = Cost(Decimal())


class Prices(NamedTuple):
    path: str
    text: str
    date: date
    currency: str
    web_search: Decimal
    models: Mapping[str, Price]

    def price(self, model: str) -> Price | None:
        """The longest name that the model's begins with, if only a date or the like follows."""
        model = model.rpartition(PROVIDER)[2]
        names = [name for name in self.models if _is_release(model, name)]
        return self.models[max(names, key=len)] if names else None

    def cost(self, model: str, tokens: Tokens) -> Cost:
        price = self.price(model)
        if price is None:
            return Cost(Decimal(), frozenset({model}))
        return Cost(price.of(tokens) + self.web_search * tokens.searches)

    def costs(self, spent: Iterable[tuple[str, Tokens]]) -> Cost:
        total = NOTHING
        for model, tokens in spent:
            total = total.plus(self.cost(model, tokens))
        return total


def own(env: Mapping[str, str]) -> str:
    """Where a person's own prices are: beside config.toml."""
    return os.path.join(os.path.dirname(bar_files.settings(env)), "prices.toml")


def load(env: Mapping[str, str]) -> Prices:
    """The person's own prices, else ours. Raises PricesError and OSError."""
    for path in (own(env), OURS):
        # Links are followed: people keep such files elsewhere. Asked first, as `top` asks again and again.
        signature = store.signature_of(path)
        found = _read(path, signature) if signature else None
        if found:
            return found
    raise PricesError(OURS, 0, "there are no prices in it")


@lru_cache(maxsize=4)
def _read(path: str, _signature: tuple[int, int, int]) -> Prices | None:
    """None if it is empty: a shell makes an empty file first, where our own table is to be copied to."""
    data = store.read(os.path.realpath(path)) or b""
    return parse(path, data) if data.strip() else None


def parse(path: str, data: bytes) -> Prices:
    try:
        text = data.decode()
        raw = tomllib.loads(text, parse_float=Decimal)
    except UnicodeDecodeError as error:
        raise PricesError(path, data[: error.start].count(b"\n") + 1, "this is not UTF-8") from None
    except RecursionError:
        raise PricesError(path, 0, "it is nested too deeply") from None
    except ValueError as error:
        found = _LINE.search(str(error))
        raise PricesError(path, int(found[1]) if found else 0, clean(str(error), 120)) from None
    return _Checked(path, text, raw).prices()


class _Checked(NamedTuple):
    path: str
    text: str
    raw: dict[str, Any]

    def prices(self) -> Prices:
        for name in self.raw.keys() - set(KEYS):
            raise self._wrong(name, f"there is no such key; there are {', '.join(KEYS)}")
        return Prices(
            self.path, self.text, self._date(), self._currency(), self._amount("web_search", self.raw), self._models()
        )

    def _date(self) -> date:
        value = self.raw.get("date")
        if type(value) is not date:
            raise self._wrong("date", "date must be the day of the prices, such as 2026-11-17")
        return value

    def _currency(self) -> str:
        value = self.raw.get("currency")
        if not isinstance(value, str) or not _CURRENCY.fullmatch(value):
            raise self._wrong("currency", 'currency must be three capital letters, such as "USD"')
        return value

    def _models(self) -> dict[str, Price]:
        value = self.raw.get("models")
        if not isinstance(value, dict) or not value:
            raise self._wrong("models", "the table [models] is missing")
        return {name: self._price(name, entry) for name, entry in value.items()}

    def _price(self, name: str, entry: Any) -> Price:
        if not isinstance(entry, dict) or set(entry) != set(Price._fields):
            raise self._wrong(name, f"{clean(name, 60)} must have exactly {', '.join(Price._fields)}")
        return Price(*(self._amount(field, entry, name) for field in Price._fields))

    def _amount(self, field: str, entry: Mapping[str, Any], name: str = "") -> Decimal:
        value = Decimal(entry[field]) if type(entry.get(field)) in (int, Decimal) else Decimal("NaN")
        if not value.is_finite() or not 0 <= value <= HIGHEST:
            raise self._wrong(name or field, f"{field} must be a number from 0 to {HIGHEST}")
        return value

    def _wrong(self, name: str, words: str) -> PricesError:
        """With the line that begins with this name."""
        begins = re.compile(rf"""\s*\[?["']?{re.escape(name)}\b""")
        numbers = [number for number, line in enumerate(self.text.splitlines(), 1) if begins.match(line)]
        return PricesError(self.path, numbers[0] if numbers else 0, words)


def _is_release(model: str, name: str) -> bool:
    return model.startswith(name) and not _ANOTHER_VERSION.match(model, len(name))
