"""What tokens cost."""

from __future__ import annotations

import os
from datetime import date
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest

from usage import prices
from usage.prices import Cost, PricesError
from usage.tokens import Tokens

if TYPE_CHECKING:
    from pathlib import Path

GOOD = """date = 2026-01-02
currency = "EUR"
web_search = 0.5
[models]
model-a = { input = 1, output = 2, cache_write_5m = 3, cache_write_1h = 4, cache_read = 0.5 }
"""
MILLION = Tokens(1, 10**6, 10**6, 3 * 10**6, 10**6, 10**6, 2)


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"HOME": str(tmp_path), "YOURTURN_HOME": str(tmp_path)}


def test_our_own_table_is_good_and_has_a_date(env: dict[str, str]) -> None:
    found = prices.load(env)
    assert found.path == prices.OURS
    assert found.date >= date(2026, 11, 17)
    assert len(found.models) > 20


def test_each_kind_of_token_has_its_price(env: dict[str, str]) -> None:
    found = prices.parse("p", GOOD.encode())
    assert found.cost("model-a", MILLION) == Cost(Decimal(1 + 2 + 2 * 3 + 4) + Decimal("0.5") + 1)


def test_costs_are_exact() -> None:
    found = prices.parse("p", GOOD.replace("input = 1", "input = 0.1").encode())
    one = [("model-a", Tokens(1, 1))] * 3
    assert found.costs(one).amount == Decimal("0.0000003")


def test_the_client_itself_came_to_the_same_amount(env: dict[str, str]) -> None:
    """Of Claude Code 2.1.325, from its own sum for a session of this usage."""
    tokens = Tokens(4, input=12, output=492, written=2800, written_1h=800, read=20_000, searches=8)
    assert prices.load(env).cost("claude-opus-5-5", tokens).amount == Decimal("0.110288")


@pytest.mark.parametrize(
    ("model", "name"),
    [
        ("claude-opus-4-20250514", "claude-opus-4"),
        ("claude-opus-4-5-20251101", "claude-opus-4-5"),
        ("us.anthropic.claude-opus-4-5-20251101-v1:0", "claude-opus-4-5"),
        ("claude-opus-4-5@20251101", "claude-opus-4-5"),
        ("claude-opus-5-5[1m]", "claude-opus-5-5"),
        ("claude-3-5-haiku-latest", "claude-3-5-haiku"),
        ("claude-opus-4-9", None),
        ("claude-opus-4-55", None),
        ("claude-opus-6", None),
        ("gpt", None),
        ("", None),
    ],
)
def test_a_name_stands_for_its_releases_and_for_no_other_version(
    model: str, name: str | None, env: dict[str, str]
) -> None:
    found = prices.load(env)
    assert found.price(model) == (found.models[name] if name else None)


def test_a_model_without_a_price_is_left_out_and_named() -> None:
    found = prices.parse("p", GOOD.encode())
    cost = found.costs([("model-a", MILLION), ("other", MILLION)])
    assert (cost.unknown, cost.is_known) == (frozenset({"other"}), True)
    assert not found.cost("other", MILLION).is_known


def test_a_persons_own_table_is_used_instead(env: dict[str, str]) -> None:
    path = prices.own(env)
    with open(path, "w", encoding="utf-8") as file:
        file.write(GOOD)
    assert prices.load(env).path == path
    with open(path, "a", encoding="utf-8") as file:
        file.write("model-b = { input = 1, output = 2, cache_write_5m = 3, cache_write_1h = 4, cache_read = 1 }\n")
    assert len(prices.load(env).models) == 2
    os.truncate(path, 0)
    assert prices.load(env).path == prices.OURS, "an empty one is none: a shell makes it before we are asked to fill it"


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ("[models]", "[models", 4, "Expected ']'"),
        ("2026-01-02", '"yesterday"', 1, "date must be"),
        ("2026-01-02", "2026-01-02T00:00:00", 1, "date must be"),
        ('"EUR"', '"€"', 2, "currency must be"),
        ("0.5\n", "-1\n", 3, "web_search must be a number"),
        ("0.5\n", "nan\n", 3, "web_search must be a number"),
        ("output = 2", "output = true", 5, "output must be a number"),
        ("output = 2", "out = 2", 5, "model-a must have exactly"),
        ("{ input", "5 # { input", 5, "model-a must have exactly"),
        ("web_search", "search", 3, "there is no such key"),
        ("[models]", "[model]", 4, "there is no such key"),
        ("EUR", "EU\udcffR", 2, "not UTF-8"),
        ("[models]", "x = " + "[" * 5000, 0, ""),
    ],
)
def test_a_broken_table_is_told_with_its_file_and_line(old: str, new: str, line: int, words: str) -> None:
    data = GOOD.replace(old, new, 1).encode("utf-8", "surrogateescape")
    with pytest.raises(PricesError) as told:
        prices.parse("/x/prices.toml", data)
    where = f"/x/prices.toml, line {line}: " if line else "/x/prices.toml"
    assert str(told.value).startswith(where)
    assert words in str(told.value)
