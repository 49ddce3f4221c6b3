"""The topics on a broker: written and read the same way."""

import pytest

from fleet import topics
from fleet.topics import Place, Topic

BOX = Place("me", "box")


def test_what_is_written_is_read() -> None:
    assert topics.read(BOX.about) == Topic(BOX)
    assert topics.read(BOX.session("abc")) == Topic(BOX, "abc")


@pytest.mark.parametrize(
    "topic",
    ["", "yourturn", "yourturn/v1/me/total", "yourturn/v2/me/box/host", "other/v1/me/box/host", "yourturn/v1/me/box",
     "yourturn/v1/me/box/session", "yourturn/v1/me/box/session/", "yourturn/v1/me/box/session/a/b",
     "x/yourturn/v1/me/box/host"],
)  # fmt: skip
def test_other_topics_are_not_ours(topic: str) -> None:
    assert topics.read(topic) is None


@pytest.mark.parametrize("name", ["", "..", "-box", "a" * 41, "bo x", "b\x1b[31mx", "+", "#", "bøx", "box\n"])
def test_a_place_with_an_unfit_name_is_none(name: str) -> None:
    assert not Place("me", name).is_fit
    assert not Place(name, "box").is_fit


def test_one_subscription_is_for_one_owner_or_for_all() -> None:
    assert topics.hosts("me") == "yourturn/v1/me/+/host"
    assert topics.hosts("*") == "yourturn/v1/+/+/host"
