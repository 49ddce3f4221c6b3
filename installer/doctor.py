"""Every link of the chain from the client to the watcher, judged. Pure, but for the command itself."""

from __future__ import annotations

import json
import os
import re
import shlex
from typing import TYPE_CHECKING, NamedTuple

from contract import paths
from contract.clean import clean
from contract.events import EVENTS
from installer import hooks, plugin
from installer.console import GREEN, RED, YELLOW

if TYPE_CHECKING:
    from installer.console import Console
    from installer.probes import Seen
    from installer.program import Program
    from installer.services import Service

OK, WARN, FAIL = "ok", "warn", "FAIL"
COLOURS = {OK: GREEN, WARN: YELLOW, FAIL: RED}
OLDEST_CLIENT = (2, 1, 88)
START_GRACE_S = 5.0
STALE_BEAT_S = 60.0
INSTALL = "Run `yourturn install`."
SERVE = "Run `yourturn install --service`."
OPEN = "Run `yourturn login on`"


class Check(NamedTuple):
    """One link: what was seen, and the remedy if it does not hold."""

    name: str
    verdict: str
    seen: str
    remedy: str | None = None


def diagnose(seen: Seen, program: Program, now: float) -> list[Check]:
    found = [
        client(seen),
        hooks_present(seen),
        switch(seen),
        interpreter(seen, program),
        last_event(seen, now),
        watcher(seen, now),
        service(seen),
        login(seen, program),
        state_folder(seen),
        hook_log(seen),
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
        return Check("hooks", FAIL, seen.settings_trouble, "Mend the file, then run `yourturn install`.")
    found = hooks.found_in(seen.settings or {})
    if plugin.is_enabled(seen.settings or {}):
        if found:
            return Check("hooks", WARN, "in the settings and in the plugin: each event comes twice", _ONE_OF_TWO)
        return Check("hooks", OK, "by the plugin")
    if not found:
        return Check("hooks", FAIL, f"none of ours in {seen.place.settings}", INSTALL)
    missing = [event for event in EVENTS if event not in {one.event for one in found}]
    if missing:
        return Check("hooks", FAIL, f"{seen.place.settings} has none for {', '.join(missing)}", INSTALL)
    narrowed = [one.event for one in found if one.matcher not in (None, "", "*")]
    if narrowed:
        return Check("hooks", WARN, f"a matcher hides some of {', '.join(narrowed)}", "Remove the matcher.")
    if any(one.hook != hooks.entries(one.hook["command"]).get(one.event) for one in found):
        return Check("hooks", WARN, "of an older version", INSTALL)
    return Check("hooks", OK, f"all {len(EVENTS)} events in {seen.place.settings}")


def switch(seen: Seen) -> Check:
    own, managed = seen.settings or {}, seen.managed or {}
    if own.get("disableAllHooks"):
        return Check("switch", FAIL, "disableAllHooks is set", f"Remove it from {seen.place.settings}.")
    for name in ("disableAllHooks", "allowManagedHooksOnly"):
        if managed.get(name):
            return Check("switch", FAIL, f"{name} is set for this machine", "Ask who administers it.")
    return Check("switch", OK, "hooks are not switched off")


def interpreter(seen: Seen, program: Program) -> Check:
    lines = [one.hook["command"] for one in hooks.found_in(seen.settings or {})]
    if any(hooks.program_of(line) is None for line in lines):
        return Check("interpreter", FAIL, "an entry of ours was rewritten", INSTALL)
    programs = seen.programs or {}
    if not programs:
        return Check("interpreter", FAIL, "no hook names one", INSTALL)
    broken = [trouble for trouble in programs.values() if trouble]
    if broken:
        return Check("interpreter", FAIL, broken[0], INSTALL)
    others = [one.script for one in programs if one.script != program.script]
    if others:
        remedy = f"That is fine if you meant it; else: {INSTALL}"
        return Check("interpreter", WARN, f"the hooks belong to another copy, {others[0]}", remedy)
    return Check("interpreter", OK, ", ".join(one.interpreter for one in programs))


def last_event(seen: Seen, now: float) -> Check:
    if seen.last_event is None:
        return Check("last event", WARN, "none yet", "Send a prompt in Claude Code, then look again.")
    return Check("last event", OK, f"{_age(now - seen.last_event)} ago")


def watcher(seen: Seen, now: float) -> Check:
    """Nobody running is fine while nothing happens: it ends when idle, and the next event starts it."""
    log = paths.watcher_log(seen.place.home)
    beat, event = seen.beat, seen.last_event
    if seen.watcher_alive:
        if beat and now - beat.beat > STALE_BEAT_S:
            remedy = f"Look at {log}; `kill {beat.pid}` ends it, the next event starts another."
            return Check("watcher", WARN, f"runs, but was last heard {_age(now - beat.beat)} ago", remedy)
        return Check("watcher", OK, f"runs as process {beat.pid}" if beat else "runs")
    if event and event > (seen.watcher_seen or 0.0) + START_GRACE_S and now - event > START_GRACE_S:
        words = f"did not start when an event came {_age(now - event)} ago"
        return Check("watcher", FAIL, words, f"Run `yourturn watch` to see why; its log is {log}.")
    return Check("watcher", WARN, "does not run", "Nothing to do: the next event starts it.")


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


def state_folder(seen: Seen) -> Check:
    home = seen.place.home
    if not seen.home_exists:
        return Check("state folder", FAIL, f"{home} is not there", INSTALL)
    if seen.open_to_others:
        words = f"{len(seen.open_to_others)} open to others or not yours, such as {seen.open_to_others[0]}"
        quoted = shlex.quote(home)
        remedy = f"Run `chmod -R go= {quoted}`, and `chown -R $(id -u) {quoted}` if it has another owner."
        return Check("state folder", FAIL, words, remedy)
    return Check("state folder", OK, f"{home} is private")


def hook_log(seen: Seen) -> Check:
    if not seen.hook_trouble:
        return Check("hook log", OK, "no trouble")
    path = paths.hook_log(seen.place.home)
    return Check("hook log", WARN, clean(seen.hook_trouble, 200), f"Read {path}, and remove it when it is dealt with.")


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
        console.say(f"{console.paint(f'{check.verdict:<5}', COLOURS[check.verdict])} {check.name:<13} {check.seen}")
        if check.remedy:
            console.say(f"{'':<20}-> {check.remedy}")


_ONE_OF_TWO = "Run `yourturn uninstall --keep-state`, or disable the plugin."


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(word[:9]) for word in re.findall(r"\d+", version)[:3])


def _age(seconds: float) -> str:
    for size, word in ((86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 2 * size:
            return f"{seconds / size:.0f} {word}"
    return f"{max(seconds, 0):.0f} s"
