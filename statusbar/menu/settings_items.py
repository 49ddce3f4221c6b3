"""The settings in the menu: notifications, muting a project, and whether the icon opens at login."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from contract import typed
from statusbar.menu.model import Choice, Item, MenuAction, Tick
from statusbar.settings.settings import Settings
from statusbar.text.symbols import TROUBLE
from statusbar.text.width import cut, tidy

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from statusbar.menu.model import Key

MINUTE = 60
OFFERED = (1.0 * MINUTE, 5.0 * MINUTE, 15.0 * MINUTE, math.inf)
HOW_TO_BE_QUIET = ("config notify.quiet_from 22:00", "config notify.quiet_to 8:00")


@dataclass(frozen=True)
class Switches:
    """What is on and off now."""

    settings: Settings = field(default_factory=Settings)
    muted: Mapping[str, bool] = field(default_factory=dict)  # by session id; sessions without a folder are left out
    login: bool | None = None  # None if the menu does not offer it
    is_demo: bool = False  # the agents are made up


def notifications(chosen: Settings, widest: int) -> Item:
    below = [
        _setting("notify.enabled", "Show notifications", is_on=chosen.enabled),
        _setting("notify.sound", _sound(chosen.sound), is_on=bool(chosen.sound)),
        Item(("notify", "line", "after")),
        Item(("notify", "after"), "Notify me when an agent finishes:"),
        *_lengths(chosen.after_s),
        Item(("notify", "line", "quiet")),
        *_quiet(chosen),
        *_trouble(chosen, widest),
    ]
    return Item(("notify",), "Notifications", children=tuple(below))


def mute(session: Key, session_id: str, *, is_on: bool) -> Item:
    choice = Choice(MenuAction.MUTE, session_id, value=not is_on)
    return Item((*session, "mute"), MenuAction.MUTE.value.capitalize(), choice, tick=Tick(is_on))


def login(*, is_on: bool) -> Item:
    choice = Choice(MenuAction.LOGIN, value=not is_on)
    return Item(("action", MenuAction.LOGIN.name), MenuAction.LOGIN.value.capitalize(), choice, tick=Tick(is_on))


def _setting(name: str, title: str, *, is_on: bool) -> Item:
    return Item(("setting", name), title, Choice(MenuAction.SET, setting=name, value=not is_on), tick=Tick(is_on))


def _sound(chosen: bool | str) -> str:
    return f"Play a sound: {chosen}" if isinstance(chosen, str) else "Play a sound"


def _lengths(after_s: float) -> Iterator[Item]:
    """A length that was set elsewhere is listed with the others."""
    for seconds in sorted({*OFFERED, float(after_s)}):
        value = int(seconds) if seconds.is_integer() else seconds
        choice = Choice(MenuAction.SET, setting="notify.after_s", value=value)
        tick = Tick(seconds == after_s, is_one_of_several=True)
        yield Item(("setting", "notify.after_s", str(seconds)), _length(seconds), choice, tick=tick)


def _length(after_s: float) -> str:
    if after_s in (0, math.inf):
        return "after every turn" if after_s == 0 else "never"
    minutes = after_s / MINUTE
    if not minutes.is_integer():
        return f"after at least {after_s:g} s"
    return f"after at least {minutes:g} minute{'s' * (minutes != 1)}"


def _quiet(chosen: Settings) -> Iterator[Item]:
    hours = f"{chosen.quiet_from} to {chosen.quiet_to}" if chosen.quiet_from and chosen.quiet_to else "none"
    yield Item(("notify", "quiet"), f"Quiet hours: {hours}. To change them:")
    for number, words in enumerate(HOW_TO_BE_QUIET):
        yield Item(("notify", "quiet", str(number)), f"   {typed.command(words, anywhere=True)}")


def _trouble(chosen: Settings, widest: int) -> Iterator[Item]:
    if chosen.trouble:
        yield Item(("notify", "line", "trouble"))
    for number, words in enumerate(chosen.trouble):
        yield Item(("notify", "trouble", str(number)), cut(f"{TROUBLE.symbol} {tidy(words, 2 * widest)}", widest))
