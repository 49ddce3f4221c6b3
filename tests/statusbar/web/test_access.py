"""The token opens, its cookie stays, and a ticket opens once and soon."""

from statusbar.web.access import TICKET_S, Access, new_token


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_token_opens_and_nothing_near_it() -> None:
    access = Access("right-token", 1, Clock())
    assert access.accepts("right-token")
    for wrong in ("", "right-toke", "right-token ", "RIGHT-TOKEN", "rïght-token", "\ud800", "x" * 100_000):
        assert not access.accepts(wrong), wrong


def test_the_cookie_is_known_again_and_is_not_the_token() -> None:
    access = Access("right-token", 7414, Clock())
    name, _, value = access.cookie.partition(";")[0].partition("=")
    assert name == access.name == "yourturn-7414"
    assert access.knows(value)
    assert "right-token" not in access.cookie
    assert not access.accepts(value), "who finds a cookie cannot make more of it"
    assert not access.knows("right-token")
    assert not access.knows("")


def test_no_script_and_no_other_page_gets_the_cookie() -> None:
    flags = {flag.strip() for flag in Access("x", 1, Clock()).cookie.split(";")[1:]}
    assert flags == {"HttpOnly", "SameSite=Strict", "Path=/"}, "without an end: it goes with the browser"


def test_the_same_token_has_the_same_cookie_and_another_one_another() -> None:
    one, same, other = (Access(token, 1, Clock()) for token in ("a", "a", "b"))
    assert one.cookie == same.cookie != other.cookie


def test_a_ticket_opens_once() -> None:
    access = Access("token", 1, Clock())
    first, second = access.ticket(), access.ticket()
    assert first != second
    assert (access.accepts(first), access.accepts(first), access.accepts(second)) == (True, False, True)


def test_a_ticket_opens_soon_or_never() -> None:
    clock = Clock()
    access = Access("token", 1, clock)
    ticket = access.ticket()
    clock.now += TICKET_S + 1
    assert not access.accepts(ticket)
    assert access.accepts("token")


def test_no_two_tokens_are_the_same_and_none_can_be_guessed() -> None:
    made = {new_token() for _ in range(100)}
    assert len(made) == 100
    assert all(len(token) >= 32 and token.replace("-", "").replace("_", "").isalnum() for token in made)
