"""The token opens, its cookie stays, and a ticket opens once and soon."""

from statusbar.web.door import TICKET_S, Door, new_token


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_the_token_opens_and_nothing_near_it() -> None:
    door = Door("right-token", 1, Clock())
    assert door.opens_for("right-token")
    for wrong in ("", "right-toke", "right-token ", "RIGHT-TOKEN", "rïght-token", "\ud800", "x" * 100_000):
        assert not door.opens_for(wrong), wrong


def test_the_cookie_is_known_again_and_is_not_the_token() -> None:
    door = Door("right-token", 7414, Clock())
    name, _, value = door.cookie.partition(";")[0].partition("=")
    assert name == door.name == "yourturn-7414"
    assert door.knows(value)
    assert "right-token" not in door.cookie
    assert not door.opens_for(value), "who finds a cookie cannot make more of it"
    assert not door.knows("right-token")
    assert not door.knows("")


def test_no_script_and_no_other_page_gets_the_cookie() -> None:
    flags = {flag.strip() for flag in Door("x", 1, Clock()).cookie.split(";")[1:]}
    assert flags == {"HttpOnly", "SameSite=Strict", "Path=/"}, "without an end: it goes with the browser"


def test_the_same_token_has_the_same_cookie_and_another_one_another() -> None:
    one, same, other = (Door(token, 1, Clock()) for token in ("a", "a", "b"))
    assert one.cookie == same.cookie != other.cookie


def test_a_ticket_opens_once() -> None:
    door = Door("token", 1, Clock())
    first, second = door.ticket(), door.ticket()
    assert first != second
    assert (door.opens_for(first), door.opens_for(first), door.opens_for(second)) == (True, False, True)


def test_a_ticket_opens_soon_or_never() -> None:
    clock = Clock()
    door = Door("token", 1, clock)
    ticket = door.ticket()
    clock.now += TICKET_S + 1
    assert not door.opens_for(ticket)
    assert door.opens_for("token")


def test_no_two_tokens_are_the_same_and_none_can_be_guessed() -> None:
    made = {new_token() for _ in range(100)}
    assert len(made) == 100
    assert all(len(token) >= 32 and token.replace("-", "").replace("_", "").isalnum() for token in made)
