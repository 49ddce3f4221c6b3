"""Every link of the chain from the client to the watcher, judged. Pure, but for the command itself."""

from __future__ import annotations

import json
import os
import re
from typing import TYPE_CHECKING

from contract import paths
from contract.clean import clean
from contract.clients.claude import EVENTS
from contract.status import ENDED, RESTING
from contract.version import VERSION
from installer.doctor import belongings, inotify, volume
from installer.doctor.check import COLOURS, FAIL, OK, SKIP, WARN, Check, age, to_install
from installer.hooks import entries, plugin
from installer.hooks import switch as switches

if TYPE_CHECKING:
    from installer.console import Console
    from installer.doctor.probes import Seen
    from installer.hooks.program import Program
    from installer.services.manager import Service

OLDEST_CLIENT = (2, 1, 88)
START_GRACE_S = 5.0
STALE_BEAT_S = 60.0
SERVE = "Run `yourturn install --service`."
OPEN = "Run `yourturn login on`"
NO_EVENT = "See to the hooks first: without them no event comes, and nothing starts the watcher."
NO_ROOM = "See to the state folder first: no event can be written down."
UNREAD = "not known: the settings cannot be read"


def diagnose(seen: Seen, program: Program, now: float) -> list[Check]:
    found = [
        client(seen),
        hooks_present(seen),
        switch(seen),
        interpreter(seen, program),
        last_event(seen, now),
        watcher(seen, now),
        inotify.judge(seen),
        service(seen),
        login(seen, program),
        belongings.state_folder(seen),
        volume.judge(seen.volume, seen.place.home),
        belongings.facts(seen),
        belongings.status_files(seen),
        belongings.choices(seen),
        belongings.hook_log(seen),
        belongings.crash(seen, now),
        menubar(seen),
    ]
    return [check for check in found if check]


def client(seen: Seen) -> Check:
    if seen.client is None:
        remedy = "Install Claude Code, or put the folder of `claude` on PATH."
        return Check("client", FAIL, "`claude` is not on PATH", remedy)
    if seen.client_version is None:
        return Check("client", WARN, f"{seen.client} does not tell its version", "Run `claude --version`.")
    words = f"Claude Code {clean(seen.client_version, 40)} ({seen.client})"
    if _numbers(seen.client_version) < OLDEST_CLIENT:
        wanted = ".".join(map(str, OLDEST_CLIENT))
        return Check("client", WARN, f"{words} does not send every event", f"Update it to {wanted} or newer.")
    return Check("client", OK, words)


def hooks_present(seen: Seen) -> Check:
    if seen.settings_trouble:
        return Check("hooks", FAIL, seen.settings_trouble, to_install(seen))
    found = entries.found_in(seen.settings or {})
    if plugin.is_enabled(seen.settings or {}):
        if found:
            return Check("hooks", WARN, "in the settings and in the plugin: each event comes twice", plugin.ONE_OF_TWO)
        return Check("hooks", OK, "by the plugin")
    if not found:
        return Check("hooks", FAIL, f"none of ours in {seen.place.settings}", to_install(seen))
    missing = [event for event in EVENTS if event not in {one.event for one in found}]
    if missing:
        return Check("hooks", FAIL, f"{seen.place.settings} has none for {', '.join(missing)}", to_install(seen))
    narrowed = [one.event for one in found if one.matcher not in (None, "", "*")]
    if narrowed:
        return Check("hooks", WARN, f"a matcher hides some of {', '.join(narrowed)}", "Remove the matcher.")
    if any(one.hook != entries.entries(entries.renewed(one.hook["command"])).get(one.event) for one in found):
        return Check("hooks", WARN, "of an older version", to_install(seen))
    return Check("hooks", OK, f"all {len(EVENTS)} events in {seen.place.settings}")


def switch(seen: Seen) -> Check:
    off = switches.off(seen.settings or {}, seen.managed or {}, seen.place.settings)
    if off:
        return Check("switch", FAIL, off.what, off.remedy)
    if seen.settings is None and seen.settings_trouble:
        return Check("switch", SKIP, UNREAD)
    return Check("switch", OK, "hooks are not switched off")


def interpreter(seen: Seen, program: Program) -> Check:
    if seen.settings is None and seen.settings_trouble:
        return Check("interpreter", SKIP, UNREAD)
    lines = [one.hook["command"] for one in entries.found_in(seen.settings or {})]
    if any(entries.program_of(line) is None for line in lines):
        return Check("interpreter", FAIL, "an entry of ours was rewritten", to_install(seen))
    programs = seen.programs or {}
    if not programs:
        return Check("interpreter", FAIL, "no hook names one", to_install(seen))
    broken = [trouble for trouble in programs.values() if trouble]
    if broken:
        return Check("interpreter", FAIL, broken[0], to_install(seen))
    others = [one.script for one in programs if one.script != program.script]
    if others:
        remedy = f"That is fine if you meant it; else: {to_install(seen)}"
        return Check("interpreter", WARN, f"the hooks belong to another copy, {others[0]}", remedy)
    return Check("interpreter", OK, ", ".join(one.interpreter for one in programs))


def last_event(seen: Seen, now: float) -> Check:
    if seen.is_hidden:
        return belongings.hidden("last event")
    if seen.last_event is None:
        remedy = _if_events_come(seen, "Send a prompt in Claude Code, then look again.")
        return Check("last event", WARN, "none yet", remedy)
    return Check("last event", OK, f"{age(now - seen.last_event)} ago")


def watcher(seen: Seen, now: float) -> Check:
    """Nobody running is fine while nothing happens: it ends when idle, and the next event starts it."""
    if seen.is_hidden:
        return belongings.hidden("watcher")
    log = paths.watcher_log(seen.place.home)
    beat, event = seen.beat, seen.last_event
    stray = _stray(seen, now)
    if stray:
        words = f"process {stray} writes here too, without the lock that only one watcher can have"
        then = "the one with the lock goes on" if seen.watcher_alive else "the next event starts another"
        return Check("watcher", WARN, words, f"Run `kill {stray}`; {then}.")
    if seen.watcher_alive:
        if beat and now - beat.beat > STALE_BEAT_S:
            remedy = f"Look at {log}; `kill {beat.pid}` ends it, the next event starts another."
            return Check("watcher", WARN, f"runs, but was last heard {age(now - beat.beat)} ago", remedy)
        if beat and beat.version != VERSION:
            remedy = (
                f"Run `yourturn watch --replace`, or `kill {beat.pid}`: the next event starts the one of the hooks."
            )
            words = f"runs as version {clean(beat.version, 20)} of another copy; this is {VERSION}"
            return Check("watcher", WARN, words, remedy)
        return Check("watcher", OK, f"runs as process {beat.pid}" if beat else "runs")
    if event and event > (seen.watcher_seen or 0.0) + START_GRACE_S and now - event > START_GRACE_S:
        words = f"did not start when an event came {age(now - event)} ago"
        return Check("watcher", FAIL, words, f"Run `yourturn watch` to see why; its log is {log}.")
    if seen.sessions:
        was_killed = beat and beat.mode not in (RESTING, ENDED)
        words = f"{'was killed' if was_killed else 'does not run'}, so what is told of {_sessions(seen)} is old"
        return Check("watcher", WARN, words, "Run `yourturn up`.")
    return Check("watcher", WARN, "does not run", _if_events_come(seen, "Nothing to do: the next event starts it."))


def _stray(seen: Seen, now: float) -> int | None:
    """The process of a watcher that speaks without its lock, as after the state folder was removed under it."""
    beat = seen.beat
    if not beat or not seen.beat_lives or beat.mode in (RESTING, ENDED) or now - beat.beat > STALE_BEAT_S:
        return None
    is_known = seen.holder is not None or not seen.watcher_alive
    return beat.pid if is_known and seen.holder != beat.pid else None


def _sessions(seen: Seen) -> str:
    return f"{len(seen.sessions)} sessions" if len(seen.sessions) > 1 else "a session"


def _if_events_come(seen: Seen, remedy: str) -> str:
    """The remedy is good only where a hook of ours tells of an event, and may write it down."""
    own = seen.settings or {}
    if switches.off(own, seen.managed or {}, seen.place.settings):
        return NO_EVENT
    if not plugin.is_enabled(own) and not entries.found_in(own):
        return NO_EVENT
    return NO_ROOM if seen.home_trouble else remedy


def service(seen: Seen) -> Check:
    found = seen.service
    if found is None or found.content.data is None:
        return Check("service", OK, "none: the watcher is started by hooks")
    if found.job is None:
        return Check("service", WARN, f"{found.path} is not ours", "Move it away if you want our service there.")
    if found.job.home != seen.place.home:
        return Check("service", OK, f"watches {found.job.home}; here the watcher is started by hooks")
    if seen.service_trouble:
        return Check("service", FAIL, f"{found.path}: {seen.service_trouble}", SERVE)
    if found.content.data != seen.service_wanted:
        words = f"{found.path} starts {found.job.script}, and not as this copy would"
        return Check("service", WARN, words, f"That is fine if you meant it; else: {SERVE}")
    if found.missing:
        remedy = "Nothing to do: the watcher is started by hooks until the manager is back."
        return Check("service", WARN, f"{found.path} is there, but {found.missing}", remedy)
    return _standing(found)


def _standing(found: Service) -> Check:
    manager, (known, pid, trouble) = found.manager, found.standing
    if trouble:
        return Check("service", FAIL, f"{manager.NAME} says: {clean(trouble, 80)}", f"See {manager.LOG}, then: {SERVE}")
    if not known:
        return Check("service", WARN, f"{manager.NAME} will not start {found.path} at login", SERVE)
    if pid is None:
        return Check("service", WARN, f"{manager.NAME} knows it, but it does not run", SERVE)
    return Check("service", OK, f"{manager.NAME} runs it as process {pid}")


def login(seen: Seen, program: Program) -> Check:
    found = seen.login
    if found is None or found.content.data is None:
        return Check("login", OK, "nothing opens at login")
    if found.job is None:
        return Check("login", WARN, f"{found.path} is not ours", "Move it away if you want ours there.")
    if seen.login_trouble:
        return Check("login", FAIL, f"{found.path}: {seen.login_trouble}", f"{OPEN}, or `yourturn login off`.")
    if os.path.dirname(found.job.script) != os.path.dirname(program.script):
        remedy = f"That is fine if you meant it; else: {OPEN}."
        return Check("login", WARN, f"{found.path} opens another copy, {found.job.script}", remedy)
    if not found.is_on:
        return Check("login", OK, f"{found.path} is switched off in the settings of the desktop")
    return Check("login", OK, f"the icon is opened by {found.path}")


def menubar(seen: Seen) -> Check | None:
    if not seen.framework:
        return None
    words = f"this Python is a framework build ({seen.framework}), and macOS 26 may draw no item for those"
    return Check("menubar", WARN, words, "If no item appears, make .venv with a Python from uv.")


def as_json(checks: list[Check]) -> str:
    listed = [check._asdict() | {"verdict": check.verdict.lower()} for check in checks]
    return json.dumps({"v": 1, "ok": is_well(checks), "checks": listed}, indent=2)


def is_well(checks: list[Check]) -> bool:
    return all(check.verdict != FAIL for check in checks)


def show(checks: list[Check], console: Console) -> None:
    for check in checks:
        verdict = console.paint(f"{check.verdict:<5}", COLOURS[check.verdict])
        console.say_hanging(f"{verdict} {check.name:<13} ", check.seen, 20)
        if check.remedy:
            console.say_hanging(f"{'':<20}-> ", check.remedy, 23)


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(word[:9]) for word in re.findall(r"\d+", version)[:3])
