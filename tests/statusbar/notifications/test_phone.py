"""Notices to a phone: what is sent, once, and what happens when that fails. The server is real, and on loopback."""

from __future__ import annotations

import importlib.util
import json
import threading
from typing import TYPE_CHECKING, Any

import pytest

from contract import store
from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.notifications.notify import Notifier
from statusbar.notifications.phone import MOST, Failed, Message, Phone, messages, post
from statusbar.notifications.rules import SETTLE_S, Notice, summary
from statusbar.settings.settings import Settings
from support.command import yourturn
from support.desktop_programs import BUS, NOTHING, calls, program
from support.noticing import ASKS, NOTICE, many
from support.ntfy import Ntfy, ntfy
from support.patience import PATIENCE_S, until
from support.showing import HOSTILE, NOW, statuses

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from contract.status import SessionStatus

SECRET = "tk_0123456789"  # noqa: S105 - of the test's own server
GIVEN = Notice("", WAITING, 0.0, "Allowed from the tray", "shop: Bash: npm install")
ASKED = Message("yourturn", "1 agent needs you", is_request=True)


@pytest.fixture
def server() -> Iterator[Ntfy]:
    with ntfy() as made:
        yield made


class Person:
    """Has a phone. Looks at their agents, and remembers what they were told here."""

    def __init__(self, home: Path, server: str, more: str = "", env: Mapping[str, str] = NOTHING) -> None:
        store.private_folder(str(home))
        (home / "config.toml").write_text(f'[notify]\nntfy_topic = "agents"\nntfy_server = "{server}"\n{more}')
        self.told: list[str] = []
        known = {"YOURTURN_HOME": str(home), **env}
        self.notifier = Notifier(str(home), known, tell=self.told.append, ending_s=PATIENCE_S)
        self.notifier.look(statuses(), NOW)

    def look(self, *sessions: SessionStatus, now: float = NOW) -> None:
        for moment in (now, now + SETTLE_S):
            self.notifier.look(statuses(*sessions), moment)

    def leave(self) -> None:
        """What waits is sent."""
        with self.notifier:
            pass


def chosen(server: Ntfy, **more: Any) -> Settings:
    return Settings(ntfy_topic="agents", ntfy_server=server.url, **more)


def secret(tmp_path: Path, text: str = SECRET, mode: int = 0o600) -> str:
    path = tmp_path / "token"
    path.write_text(text + "\n")
    path.chmod(mode)
    return str(path)


# What is said


def test_only_numbers_are_sent_unless_somebody_wants_more() -> None:
    other = NOTICE._replace(state=WAITING, session_id="b")
    assert messages([NOTICE], details=False) == [ASKED]
    assert messages([NOTICE, other], details=False)[0].text == "1 agent needs you, 1 agent finished"
    assert messages([summary(many(5))], details=False)[0].text == "5 agents need you"
    assert messages([summary(many(2, WAITING))], details=False) == [Message("yourturn", "2 agents finished", False)]
    assert messages([GIVEN], details=False) == []


def test_with_details_each_notice_is_sent_as_the_desktop_shows_it() -> None:
    assert messages([NOTICE, GIVEN], details=True) == [
        Message("a needs approval", "Bash: npm test", is_request=True),
        Message("Allowed from the tray", "shop: Bash: npm install", is_request=False),
    ]


def test_what_needs_the_person_is_urgent() -> None:
    assert ASKED.record("t") == {
        "topic": "t", "title": "yourturn", "message": "1 agent needs you", "priority": 4, "tags": ["warning"],
    }  # fmt: skip
    assert ASKED._replace(is_request=False).record("t")["priority"] == 3


# Sent


def test_a_request_reaches_the_phone_once_and_names_nobody(server: Ntfy, tmp_path: Path) -> None:
    person = Person(tmp_path, server.url)
    for _ in range(3):
        person.look(ASKS)
    person.leave()
    assert server.messages == [ASKED.record("agents")]
    assert server.tokens == [None]
    assert person.told == ["a needs approval: Bash: npm test"], "and here as well"


@pytest.mark.parametrize("text", ["plain", *HOSTILE.values()], ids=["plain", *HOSTILE])
def test_with_details_names_are_clean_text(text: str, server: Ntfy, tmp_path: Path) -> None:
    person = Person(tmp_path, server.url, "ntfy_details = true\n")
    person.look(ASKS._replace(name=text, cwd=f"/home/me/{text}", agents=(ASKS.agents[0]._replace(detail=text),)))
    person.leave()
    (told,) = server.messages
    assert told["title"].endswith(" needs approval")
    assert all(one.isprintable() and len(one) <= 200 for one in (told["title"], told["message"]))


def test_of_several_front_ends_one_sends(server: Ntfy, tmp_path: Path) -> None:
    one, other = Person(tmp_path, server.url), Person(tmp_path, server.url)
    for person in (one, other):
        person.look(ASKS)
    one.leave()
    other.leave()
    assert len(server.messages) == 1


@pytest.mark.parametrize("more", ["enabled = false\n", 'mute = ["/home/me"]\n', 'ntfy_topic = ""\n'])
def test_who_wants_none_gets_none(more: str, server: Ntfy, tmp_path: Path) -> None:
    person = Person(tmp_path, server.url)
    text = (tmp_path / "config.toml").read_text()
    text = text.replace('ntfy_topic = "agents"\n', "") if "topic" in more else text
    (tmp_path / "config.toml").write_text(text + more)
    person.look(ASKS)
    person.leave()
    assert server.messages == []


def test_the_token_comes_from_a_file_that_only_its_owner_can_read(server: Ntfy, tmp_path: Path) -> None:
    server.wants = SECRET
    post(ASKED, chosen(server, ntfy_token_file=secret(tmp_path)))
    assert server.tokens == [f"Bearer {SECRET}"]
    for text, mode, why in ((SECRET, 0o644, "chmod 600"), ("two\r\nwords", 0o600, "holds no token")):
        with pytest.raises(Failed, match=why) as failed:
            post(ASKED, chosen(server, ntfy_token_file=secret(tmp_path, text, mode)))
        assert SECRET not in str(failed.value)
    with pytest.raises(Failed, match="cannot be read"):
        post(ASKED, chosen(server, ntfy_token_file=str(tmp_path / "nowhere")))
    assert len(server.tokens) == 1, "without its token nothing is sent"


# Not sent


def test_a_server_that_is_away_is_told_of_once_and_the_desktop_shows_all(
    server: Ntfy, tools: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _name: None)
    heard = program(tools, "notify-send")
    server.wants = "another-token"
    person = Person(tmp_path, server.url, env=BUS)
    for number in range(3):
        person.look(ASKS._replace(session_id=f"s{number}"), now=NOW + 10 * number)
    until(lambda: len(server.tokens) == 3, "three tries")
    server.wants = ""
    person.look(ASKS._replace(session_id="s4"), now=NOW + 40)
    until(lambda: len(server.messages) == 1, "one that arrives")
    server.wants = "another-token"
    person.look(ASKS._replace(session_id="s5"), now=NOW + 50)
    person.leave()
    assert person.told == [f"ntfy: {server.url} has refused the message (HTTP 401)"] * 2
    assert len(calls(heard)) == 5, "nothing of this disturbs what is shown here"


def test_nobody_there_is_a_failure_in_words(tmp_path: Path) -> None:
    with ntfy() as gone:
        pass
    with pytest.raises(Failed, match=r"cannot be reached \(Connection refused\)"):
        post(ASKED, chosen(gone))
    with pytest.raises(Failed, match="cannot be reached"):
        post(ASKED, Settings(ntfy_topic="a", ntfy_server="https://no-such-host.invalid"))


def test_a_redirect_is_not_followed_and_the_token_goes_nowhere_else(server: Ntfy, tmp_path: Path) -> None:
    with ntfy() as other:
        server.redirects_to = other.url
        with pytest.raises(Failed, match="HTTP 307"):
            post(ASKED, chosen(server, ntfy_token_file=secret(tmp_path)))
        assert other.tokens == []


def test_a_server_that_never_finishes_is_cut_off(server: Ntfy) -> None:
    server.drips.set()
    with pytest.raises(Failed, match=r"cannot be reached \(timed out\)"):
        post(ASKED, chosen(server), limit_s=0.2)
    server.drips.clear()


def test_of_many_messages_that_wait_the_oldest_go(server: Ntfy) -> None:
    held, arrived = threading.Event(), []
    told: list[str] = []

    class Held(Phone):
        def _deliver(self, message: Message, _chosen: Settings) -> None:
            held.wait(PATIENCE_S)
            arrived.append(message.title)

    phone = Held(told.append)
    for number in range(3 * MOST):
        phone.send([NOTICE._replace(title=f"{number}")], chosen(server, ntfy_details=True))
    held.set()
    phone.close(PATIENCE_S)
    assert len(arrived) <= MOST + 1
    assert arrived[-1] == f"{3 * MOST - 1}"


# As it is typed


def test_a_test_says_whether_the_phone_was_reached(server: Ntfy, tmp_path: Path) -> None:
    for words in (("notify.ntfy_topic", "agents"), ("notify.ntfy_server", server.url)):
        assert yourturn(tmp_path, "config", *words).returncode == 0
    found = yourturn(tmp_path, "notify", "--test")
    assert (found.returncode, found.stdout) == (0, f"Sent to your phone through {server.url}.\n")
    assert [one["topic"] for one in server.messages] == ["agents"]
    server.wants = SECRET
    found = yourturn(tmp_path, "notify", "--test")
    assert found.returncode == 1
    assert "HTTP 401" in found.stderr


@pytest.mark.parametrize(
    "value",
    ["ftp://a", "//a", "a", "http://", "https://user:secret@a", "https://a?b", "https://a b", "http://a:x", "file:///a",
     "https://a\n", "http://" + "a" * 300],
)  # fmt: skip
def test_what_is_no_address_of_a_server_is_refused(value: str, tmp_path: Path) -> None:
    found = yourturn(tmp_path, "config", "notify.ntfy_server", value)
    assert (found.returncode, found.stdout) == (2, "")
    assert "http" in found.stderr


def test_settings_without_effect_are_said(tmp_path: Path) -> None:
    assert "until notify.ntfy_topic is set" in yourturn(tmp_path, "config", "notify.ntfy_details", "on").stderr
    assert yourturn(tmp_path, "config", "notify.ntfy_topic", "agents").stderr == ""
    yourturn(tmp_path, "config", "notify.ntfy_server", "http://box")
    found = yourturn(tmp_path, "config", "notify.ntfy_token_file", "~/token")
    assert "can be read on the way" in found.stderr
    assert json.loads(found.stdout).endswith("/token")
    assert json.loads(found.stdout).startswith("/")
    assert yourturn(tmp_path, "config", "notify.ntfy_topic", "a/b").returncode == 2
    assert NEEDS_APPROVAL not in found.stdout
