"""`yourturn usage`, as people and scripts see it."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest

from support.command import YOURTURN, yourturn
from support.patience import PATIENCE_S, until
from support.project import PROJECT
from support.showing import HOSTILE, environ
from support.spending import NOON, answer, prompt, recount, total, usage
from usage import prices, report, table
from usage.ledger import Row
from usage.tokens import Tokens

if TYPE_CHECKING:
    from support.spending import Person

DAY = 86400
MILLION = 10**6


def run(person: Person, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    return yourturn(person.root / "state", "usage", *words, HOME=str(person.root), TZ="UTC", **env)


def told(person: Person, *words: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(person, "--json", *words).stdout)
    return found


@pytest.fixture
def spender(person: Person) -> Person:
    """Three days, two projects, three models."""
    big = usage(MILLION, cache_creation_input_tokens=200_000)
    person.writes("aaaaaaaa-1", answer("a", spent=big), answer("b", 7, NOON + DAY), answer("c", 9, NOON + 2 * DAY))
    person.writes("aaaaaaaa-1", answer("d", 11, NOON + DAY, model="claude-haiku-4-5"), agent="agent-1")
    there: dict[str, Any] = {"cwd": "/home/me/api"}
    person.writes("bbbbbbbb-2", prompt(**there), answer("e", 13, **there, model="other"), project="-home-me-api")
    return person


def test_a_table_for_each_day(spender: Person) -> None:
    assert (
        run(spender).stdout
        == """\
DAY         INPUT     OUTPUT  CACHE WRITE  CACHE READ  COST USD
2026-11-17      6  1,000,013      200,000      10,000    21.00+
2026-11-18      6         18            0      10,000      0.00
2026-11-19      3          9            0       5,000      0.00
TOTAL          15  1,000,040      200,000      25,000    21.00+

Cost: what it would be at API prices of 2026-11-17 (yourturn usage --prices).
With a subscription you pay for that instead.
At least $21.00: no price for other.
"""
    )


def test_a_cost_of_which_nothing_is_known_is_no_amount(spender: Person) -> None:
    assert run(spender, "--project", "api").stdout.endswith("\nUnknown: no price for other.\n")


def test_by_project_by_model_and_by_session(spender: Person) -> None:
    def names(by: str) -> list[str]:
        return [line.rpartition("  ")[0][:15].strip() for line in run(spender, "--by", by).stdout.splitlines()[1:4]]

    assert names("project")[:2] == ["shop", "api"]
    assert names("model") == ["claude-opus-5-5", "claude-haiku-4-", "other"]
    assert names("session")[:2] == ["aaaaaaaa shop", "bbbbbbbb api"]


def test_json_has_exact_numbers(spender: Person) -> None:
    found = told(spender, "--by", "project")
    assert (found["v"], found["by"], found["currency"], found["since"]) == (1, "project", "USD", None)
    first, second = found["rows"]
    assert (first["project"], first["folder"], first["messages"]) == ("shop", "/home/me/shop", 4)
    assert first["cost"] == pytest.approx(20 + 0.2 * 5 + 0.00338 + 0.0005 + 0.000055, abs=1e-3)
    assert (second["project"], second["cost"], second["models_without_price"]) == ("api", None, ["other"])
    sums = total(recount(spender.contents()))
    assert found["total"]["output_tokens"] == sums["output"]
    assert found["total"]["input_tokens"] == sums["input"]
    assert found["total"]["cache_write_5m_tokens"] + found["total"]["cache_write_1h_tokens"] == sums["written"]
    assert not found["total"]["cost_is_complete"]


def test_the_rows_of_every_way_add_up_to_the_same(spender: Person) -> None:
    for by in report.BY:
        found = told(spender, "--by", by)
        assert sum(row["output_tokens"] for row in found["rows"]) == found["total"]["output_tokens"] == 1_000_040


def test_since_a_day(spender: Person) -> None:
    assert told(spender, "--since", "2026-11-18")["total"]["output_tokens"] == 27
    assert told(spender, "--since", "2026-11-20")["rows"] == []
    assert told(spender, "--since", "2026-11-18")["since"] == "2026-11-18"


def test_one_project_by_its_name_or_its_folder(spender: Person) -> None:
    for name in ("api", "/home/me/api"):
        assert told(spender, "--project", name)["total"]["output_tokens"] == 13


def test_projects_of_the_same_name_are_told_apart(person: Person) -> None:
    for number, folder in enumerate(("/a/api", "/b/api")):
        person.writes(f"s{number}", answer(str(number), cwd=folder), project=f"-p{number}")
    assert {row["project"] for row in told(person, "--by", "project")["rows"]} == {"a/api", "b/api"}


def test_nothing_is_a_sentence_and_no_failure(person: Person, spender: Person) -> None:
    empty = yourturn(person.root / "empty", "usage", HOME=str(person.root / "nobody"))
    assert (empty.returncode, empty.stdout, empty.stderr) == (0, "No tokens were counted.\n", "")
    nobody = run(spender, "--project", "no\x1b[31mpe", "--since", "2026-11-18")
    assert nobody.stdout == "No tokens were counted in the project no [31mpe since 2026-11-18.\n"


@pytest.mark.parametrize("words", [["--by", "hour"], ["--since", "yesterday"], ["--since", "0d"], ["x"]])
def test_wrong_usage_is_told_and_nothing_is_counted(words: list[str], spender: Person) -> None:
    done = run(spender, *words)
    assert (done.returncode, done.stdout) == (2, "")
    assert not spender.cache.exists()


def test_help_fits_80_columns_and_has_examples(person: Person) -> None:
    said = run(person, "--help", COLUMNS="80").stdout
    assert "yourturn usage --since 7d --by model" in said
    assert max(map(len, said.splitlines())) <= 80


def test_broken_prices_are_told_with_file_and_line(spender: Person) -> None:
    own = spender.root / "state" / "prices.toml"
    own.parent.mkdir(exist_ok=True)
    own.write_text("date = 2026-01-01\ncurrency = 5\n")
    done = run(spender)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"yourturn: {own}, line 2: currency must be")


def test_the_table_of_prices_can_be_kept_and_edited(spender: Person) -> None:
    own = spender.root / "state" / "prices.toml"
    page = run(spender, "--prices").stdout
    advice = f"# To change them, edit a copy: yourturn usage --prices > {shlex.quote(str(own))}\n"
    assert page.startswith(f"# In use: {prices.OURS}\n{advice}\n")
    own.parent.mkdir(exist_ok=True)
    other = "other = { input = 1, output = 1000000, cache_write_5m = 1, cache_write_1h = 1, cache_read = 1 }"
    own.write_text(f"{page}{other}\n")
    found = {row["model"]: row["cost"] for row in told(spender, "--by", "model")["rows"]}
    assert found["other"] == pytest.approx(13.005003)
    assert run(spender, "--prices").stdout == f"# In use: {own}\n\n{page}{other}\n"


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_hostile_names_stay_text_in_their_column(text: str) -> None:
    rows = [Row(text, 0, text, Tokens(1, 1, 1)), Row("s", 0, "m", Tokens(1, 10**9, 1))]
    where = report.places({text: f"/home/{text}", "s": "/home/me/shop"})
    for by in report.BY:
        found = report.report(rows, by, where, prices.load({"HOME": "/nowhere"}))
        lines = table.table(found)
        assert {table._width(line) for line in lines} == {table._width(lines[0])}
        assert table._width(lines[0]) <= 80
        assert all(line.isprintable() for line in lines)


@pytest.mark.parametrize("number", [10**k for k in range(0, 15, 3)])
def test_large_numbers_are_shown_in_a_larger_unit_rather_than_wider(number: int) -> None:
    rows = [Row("s", 0, "claude-opus-5-5", Tokens(*[number] * 7))]
    lines = table.table(report.report(rows, "day", report.places({}), prices.load({"HOME": "/nowhere"})))
    assert max(map(len, lines)) <= 80


def test_an_amount_is_never_rounded_away_in_json() -> None:
    line = report.Line("x", "", "", Tokens(), prices.Cost(Decimal("0.0000014")))
    assert report._figures(line)["cost"] == 0.000001


def test_a_reader_that_has_gone_is_no_reason_to_complain(spender: Person) -> None:
    for number in range(300):
        spender.writes("many", answer(f"m{number}", 1, NOON + number * DAY))
    env = environ(spender.root / "state", HOME=str(spender.root))
    argv = ["sh", "-c", f"{' '.join(YOURTURN)} usage | true"]
    done = subprocess.run(argv, env=env, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_ctrl_c_ends_it_quietly_and_what_was_counted_stays(person: Person) -> None:
    path = person.writes("s", answer("a", 5))
    with path.open("ab") as file:
        file.truncate(4 << 30)  # zeros that take no room on the disk, but time to read
    env = environ(person.root / "state", HOME=str(person.root))
    argv = [*YOURTURN, "usage"]
    with subprocess.Popen(argv, env=env, cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        until(lambda: _has_counted(person) or process.poll() is not None, "the first portion is counted")
        process.send_signal(signal.SIGINT)
        out, error = process.communicate(timeout=PATIENCE_S)
    assert (process.returncode, out, error) == (130, b"", b"")
    assert _has_counted(person)


def _has_counted(person: Person) -> bool:
    from usage import ledger  # noqa: PLC0415

    if not person.cache.exists():
        return False
    with ledger.Ledger(person.home) as book:
        return bool(book.rows())


def test_what_cannot_be_read_is_told(spender: Person) -> None:
    os.mkfifo(spender.transcript("pipe"))
    done = run(spender)
    assert done.returncode == 0
    assert done.stderr == "yourturn: transcripts that could not be read and are not counted: 1\n"


def test_a_python_without_sqlite_says_so(person: Person) -> None:
    code = "import sys; sys.modules['_sqlite3'] = None; import yourturn; sys.exit(yourturn.main(['usage']))"
    env = environ(person.root / "state", HOME=str(person.root))
    argv = [sys.executable, "-c", code]
    done = subprocess.run(argv, cwd=PROJECT, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "this Python has no SQLite" in done.stderr
