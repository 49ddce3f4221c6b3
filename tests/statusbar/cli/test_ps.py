"""`yourturn ps`."""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from contract import life
from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.cli.pieces import Line
from statusbar.cli.ps import HERE, TITLES, page
from statusbar.model import agents
from statusbar.model.listing import listing, parents_first
from statusbar.text.width import width
from support.command import yourturn
from support.project import PROJECT
from support.showing import (
    HOSTILE,
    NOW,
    STATUSBAR,
    agent,
    environ,
    hostile,
    litter,
    put,
    rest,
    run,
    session,
    statuses,
    terminal,
    watcher,
)
from watcher.rules.lifecycle import BY_RULE

FAMILY = (
    session(
        "9df7420c",
        NEEDS_APPROVAL,
        name="shop",
        cwd="/p/shop",
        since=NOW - 240,
        agents=(
            agent(state="suspended", detail="2 sub-agents", since=NOW - 240),
            agent("c3d2", WAITING, type="Nested", parent="b2e1", state="joined"),
            agent("b2e1", NEEDS_APPROVAL, type="Review", parent="main", detail="Bash: npm test", quote="npm test"),
            agent("mate", kind="teammate", name="tester", parent="main"),
        ),
    ),
    session("mate", hidden=True, pid=8),
    session("aaaa", WAITING, name="api", cwd="/p/api", agents=(agent("main", WAITING),)),
    session("bbbb", name="api", cwd="/p/api", hidden=True, agents=(agent(),)),
)


def words(lines: list[Line]) -> str:
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in lines)


def listed(home: Path, *options: str) -> list[str]:
    return [one["id"] for one in json.loads(run(home, "ps", "--json", *options).stdout)["agents"]]


@pytest.fixture
def home(tmp_path: Path) -> Path:
    put(tmp_path, *FAMILY)
    return tmp_path


def test_each_agent_is_a_line_after_its_parent() -> None:
    everybody = listing(statuses(*FAMILY), show_hidden=True)
    assert words(page(everybody, 1000, NOW)) == (
        "ID         KIND       STATE      STATUS            AGE  PID  PARENT     PROJECT  DETAIL\n"
        "9df7       agent      suspended  ● working         4 m    7  -          shop     2 sub-agents\n"
        "9df7/b2e1  sub-agent  running    ▲ needs approval  1 m    -  9df7       shop     Bash: “npm test”\n"
        "9df7/c3d2  sub-agent  joined     ○ waiting         1 m    -  9df7/b2e1  shop\n"
        "9df7/mate  teammate   running    ● working         1 m    8  9df7       shop\n"
        "bbbb       agent      running    ● working         1 m    7  -          api\n"
        "aaaa       agent      running    ○ waiting         1 m    7  -          api"
    )


def test_names_are_shown_where_one_says_more_than_the_project() -> None:
    mia = session("9df7", name="mia", cwd="/p/shop", spawned=True, parent="aaaa", agents=(agent(kind="worker"),))
    lead = session("aaaa", name="shop", cwd="/p/shop", agents=(agent(), agent("x", type="Explore", parent="main")))
    assert words(page(listing(statuses(mia, lead)), 1000, NOW)) == (
        "ID      NAME     KIND       STATE    STATUS     AGE  PID  PARENT  PROJECT  DETAIL\n"
        "9df7    mia      worker     running  ● working  1 m    7  aaaa    shop\n"
        "aaaa    shop     agent      running  ● working  1 m    7  -       shop\n"
        "aaaa/x  Explore  sub-agent  running  ● working  1 m    -  aaaa    shop"
    )


def test_ended_agents_and_background_sessions_are_listed_only_if_asked_for(home: Path) -> None:
    assert listed(home) == ["9df7", "9df7/b2e1", "9df7/mate", "aaaa"]
    assert listed(home, "--all") == ["9df7", "9df7/b2e1", "9df7/c3d2", "9df7/mate", "bbbb", "aaaa"]
    assert listed(home, "--state", "joined") == ["9df7/c3d2"], "who names a state wants to see it"


@pytest.mark.parametrize(
    ("options", "ids"),
    [
        (["--state", "suspended"], ["9df7"]),
        (["--state", "needs_approval"], ["9df7/b2e1"]),
        (["--kind", "sub_agent"], ["9df7/b2e1"]),
        (["--kind", "sub-agent"], ["9df7/b2e1"]),
        (["--kind", "teammate"], ["9df7/mate"]),
        (["--project", "api"], ["aaaa"]),
        (["--project", "shop", "--kind", "agent"], ["9df7"]),
        (["--project", "nothing"], []),
    ],
    ids=" ".join,
)
def test_filters_are_combined(options: list[str], ids: list[str], home: Path) -> None:
    assert listed(home, *options) == ids


@pytest.mark.parametrize(("option", "valid"), [("--state", life.STATES), ("--kind", agents.KINDS)])
def test_a_filter_that_can_never_fit_is_refused_with_those_that_can(
    option: str, valid: tuple[str, ...], home: Path
) -> None:
    found = run(home, "ps", option, "asleep")
    assert (found.returncode, found.stdout) == (2, "")
    assert all(f"'{word}'" in found.stderr for word in valid)


def test_every_state_that_the_watcher_writes_can_be_asked_for() -> None:
    assert {life.state for life in BY_RULE.values()} <= set(life.STATES)


def test_nobody_there_is_a_head_and_no_error(tmp_path: Path) -> None:
    rest(tmp_path)
    found = run(tmp_path, "ps")
    assert (found.returncode, found.stderr, found.stdout.split()) == (
        0,
        "",
        [title for title in TITLES if title not in ("NAME", "CLIENT")],
    )
    assert json.loads(run(tmp_path, "ps", "--json").stdout)["agents"] == []
    assert json.loads(run(tmp_path, "ps", "--json").stdout)["known"] is True


def test_that_nobody_knows_is_said_beside_the_list(home: Path) -> None:
    found = run(home, "ps")
    assert found.stderr == "✕ No watcher is running: state unknown. Start it: yourturn up\n"
    assert "▲? needed approval" in found.stdout
    assert json.loads(run(home, "ps", "--json").stdout)["known"] is False
    with watcher(home):
        known = run(home, "ps")
    assert known.stderr == ""
    assert "▲ needs approval" in known.stdout


def test_scripts_get_what_identifies_an_agent(home: Path) -> None:
    record = json.loads(yourturn(home, "ps", "--json", "--kind", "sub_agent").stdout)
    (found,) = record["agents"]
    wanted: dict[str, Any] = {
        "id": "9df7/b2e1", "session_id": "9df7420c", "key": "b2e1", "parent": "9df7", "pid": None, "type": "Review",
        "status": "needs_approval", "state": "running", "detail": "Bash: npm test", "quote": "npm test",
        "project": "shop",
    }  # fmt: skip
    assert record["v"] == 1
    assert found.items() >= wanted.items()


def test_a_pipe_gets_whole_lines_without_colours(home: Path) -> None:
    put(home, session("long", name="long", detail="long " * 30, agents=(agent(detail="long " * 30),)))
    found = run(home, "ps", COLUMNS="40").stdout
    assert ("long " * 30).strip() in found
    assert "\x1b" not in found


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_any_text_is_one_clean_line_that_fits_any_terminal(text: str) -> None:
    everybody = listing(statuses(hostile(text), *FAMILY), show_hidden=True)
    for columns in (1, 7, 20, 80, 200):
        lines = page(everybody, columns, NOW, frozenset() if columns == 20 else HERE)
        assert len(lines) == len(everybody) + 1
        assert max(width("".join(piece.text for piece in line)) for line in lines) <= columns
        assert words(lines).replace("\n", "").isprintable()


def test_a_real_terminal_cuts_what_is_too_long_and_obeys_no_color(home: Path, tmp_path: Path) -> None:
    put(home, session("long", name="long", detail="x" * 300, agents=(agent(detail="x" * 150),)))
    with watcher(home), terminal(home, tmp_path) as one:
        one.start(*STATUSBAR, "ps", size="90x24", NO_COLOR="1")
        screen = one.until("left with 0")
        assert "xxx…" in screen
        assert len([line for line in screen.splitlines() if "running" in line]) == 4, "no line is broken"
        assert "\x1b[" not in one.tmux("capture-pane", "-p", "-e").split("left with")[0]


def test_parents_in_a_circle_and_two_agents_of_one_key_are_listed_once() -> None:
    some = [agent("x", parent="y"), agent("y", parent="x"), agent(), agent("z", parent="nobody"), agent("z")]
    keys = [one.key for one in parents_first(some)]
    assert sorted(keys) == ["main", "x", "y", "z"]
    assert keys.index("main") < keys.index("z")


def test_what_is_not_a_status_leaves_those_that_are(home: Path) -> None:
    litter(home)
    found = run(home, "ps")
    assert found.returncode == 0
    assert "late" in found.stdout
    assert "root:" not in found.stdout


def test_a_thousand_agents_are_listed_in_order(tmp_path: Path) -> None:
    for k in range(20):
        subs = tuple(agent(f"{j:04}", parent="main") for j in range(49))
        put(tmp_path, session(f"{k:04}", since=time.time(), agents=(agent(), *subs)))
    ids = listed(tmp_path)
    assert len(ids) == 1000
    assert ids == sorted(ids)


MIXED = (session("aaaa", client="claude", agents=(agent(),)), session("bbbb", client="qwen", agents=(agent(),)))


def test_clients_have_a_column_where_there_are_several_kinds() -> None:
    titles, one, other = words(page(listing(statuses(*MIXED)), 200, NOW)).splitlines()
    at = titles.index("CLIENT")
    assert (one[at:].split()[0], other[at:].split()[0]) == ("claude", "qwen")
    assert "CLIENT" not in words(page(listing(statuses(MIXED[0])), 200, NOW))


def test_only_the_agents_of_one_client_are_listed(tmp_path: Path) -> None:
    with watcher(tmp_path):
        put(tmp_path, *MIXED)
        assert listed(tmp_path, "--client", "qwen") == ["bbbb"]
        assert listed(tmp_path, "--client", "opencode") == []
        refused = yourturn(tmp_path, "ps", "--client", "parrot")
    assert refused.returncode == 2
    assert "claude" in refused.stderr


LOADED = """import sys, yourturn
yourturn.main(["ps"])
sys.exit(bool({"json", "shlex", "statusbar.cli.board_table", "statusbar.model.rows"} & sys.modules.keys()))"""


def test_a_list_waits_for_nothing_that_other_commands_need(tmp_path: Path) -> None:
    with watcher(tmp_path):
        put(tmp_path, *FAMILY)
        argv = [sys.executable, "-c", LOADED]
        done = subprocess.run(argv, env=environ(tmp_path), cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "shop" in done.stdout
