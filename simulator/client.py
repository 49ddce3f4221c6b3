"""A client: one process with a session, its agents, the dialogs it shows and what it says of itself."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from simulator import lines
from simulator.batch import BETWEEN_S
from simulator.bounds import BOUNDS
from simulator.dialog import Dialog, Dialogs
from simulator.elicitation import FORM
from simulator.entry import Entry
from simulator.keyboard import TYPED_S, Keyboard
from simulator.mainagent import MainAgent
from simulator.outlet import Outlet, shell
from simulator.stage import Actor, Gate, Signal
from simulator.subagent import SubAgent
from simulator.teammate import Teammate
from simulator.truth import PROMPTLY, Episode

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.agent import Agent
    from simulator.lines import Record
    from simulator.pane import Pane
    from simulator.program import Spawn
    from simulator.running import Running
    from simulator.stage import Play
    from simulator.truth import Key
    from simulator.world import World

UNSAID, UNSAID_S = "stopped before a hook could tell", 0.3
KILLED, STOPPED = "killed", "stopped"
OVERTAKEN = "an answer is known before the registry is written"
KNOWN_S = 2.0  # a request without a dialog for so long has been answered
AWAKE_S = 0.06  # from SIGCONT to what was due


class Client:
    has_entry = True  # in the registry

    def __init__(self, world: World, name: str, session: str = "") -> None:
        self.world, self.name = world, name
        self.pid = world.pid()
        self.began = world.now
        self.session = session or world.session_id()
        self.outlet, self.gate = Outlet(world, self.pid), Gate()
        self.subs: list[SubAgent] = []
        self.panes: list[Pane] = []
        self.team_lead = self.session  # as those in panes know it, also after /clear
        self.main = MainAgent(self)
        self.dialogs = Dialogs(world.stage, self.gate, self._notify)
        self.is_alive, self.has_begun, self.was_killed = True, False, False
        self.entry = Entry(self)
        self.among: list[Episode] = []  # approved while other dialogs were open
        self.just_allowed: list[tuple[float, Running]] = []  # by hooks, with no dialog open
        self._stopped: Episode | None = None
        self.is_clearing = False
        self.keyboard = Keyboard(self)
        self.amends: list[Record] = []  # of a turn that it found unfinished
        self.repeats: list[bytes] = []  # lines of the transcript it was forked from, written when it is spoken to
        self.is_ready = Signal()  # to be spoken to: its SessionStart hooks have ended
        self._shells: dict[str, int] = {}
        self.crons: list[Record] = []
        self.listed: set[str] = set()  # the shells that the last Stop told of
        self.has_told_crons = False  # whether that did
        self._actors: list[Actor] = []

    @property
    def label(self) -> str:
        """Two processes may have one session open, and one process has one session after the other."""
        return f"{self.pid} {self.session}"

    @property
    def project(self) -> str:
        return f"{self.world.config}/projects/-home-me-proj"

    def play(self, play: Play) -> Actor:
        self._actors = [actor for actor in self._actors if not actor.is_over]
        actor = Actor(self.world.stage, play, self.gate)
        self._actors.append(actor)
        return actor

    # --- its life

    def start(self, source: str = "startup") -> None:
        self.outlet.begins(self.pid, 1, ("claude",))
        self.has_begun = True
        self.play(self._started(source))

    def _started(self, source: str) -> Play:
        yield from self.outlet.hook(self.payload("SessionStart", source=source))
        yield max(0.0, self.began + TYPED_S - self.world.now)
        self.is_ready.give("ready")

    def kill(self) -> None:
        """As SIGKILL does it: nothing more is said, and the registry's file stays."""
        self.is_alive, self.outlet.is_dead, self.was_killed = False, True, True
        self.world.truth.episodes.append(Episode(KILLED, (self.label, ""), self.world.now, float("inf")))
        for actor in self._actors:
            actor.end()
        self.outlet.ends(self.pid)

    def exit(self) -> None:
        """The hooks of its end share a second and a half, then it is gone."""
        self.outlet.is_leaving = True
        for actor in self._actors:
            actor.end()
        self.outlet.is_leaving = self.has_begun = False
        self.play(self._goodbye())

    def _goodbye(self) -> Play:
        self.outlet.gone()
        yield from self.outlet.hook(self.payload("SessionEnd", reason="prompt_input_exit"))
        yield self.outlet.flushed(self.main.path)
        self.is_alive = False
        self.outlet.ends(self.pid)

    def clear(self) -> None:
        """Another session in the same process."""
        self.when_ready(self._clear)

    def when_ready(self, do: Callable[[], None]) -> None:
        """Of two things that wait for it, the first may be a /clear, which the second then waits for."""
        self.is_ready.wait(lambda _: self.when_ready(do) if self.is_clearing else do())

    def _clear(self) -> None:
        is_busy = self.main.is_busy or self.main.has_next or self.main.awaited or self.subs_go_on
        is_busy = is_busy or any(pane.is_arriving for pane in self.panes)  # a person waits until it is there
        if is_busy or self.dialogs.shown or self.is_clearing or self.keyboard.has_menu:
            return
        self.play(self._cleared())

    def _cleared(self) -> Play:
        self.is_clearing, self.is_ready = True, Signal()
        yield from self.outlet.hook(self.payload("SessionEnd", reason="clear"))
        if self.world.program.hooks:  # that is what takes it so long
            yield self.world.delay("session", str(self.world.number("clear")))
        before, self.session, self.subs = self.label, self.world.session_id(), []
        self.main = MainAgent(self)
        for pane in self.panes:
            self.world.truth.move(self.world.now, (before, pane.session), (self.label, pane.session))
        yield from self.outlet.hook(self.payload("SessionStart", source="clear"))
        self.is_clearing = False
        for record in (lines.caveat(), lines.command("clear"), lines.local("")):
            self.main.line(record)
        yield BETWEEN_S
        self.is_ready.give("cleared")

    @property
    def has_dialog(self) -> bool:
        """Or is about to: that of a server opens when the hooks have ended, and the registry says nothing between."""
        return self.dialogs.shown is not None or self.main.forms > 0

    def opens_form(self) -> None:
        """Of a server; nobody can know yet that what a hook has just allowed does not wait behind it."""
        self.main.forms += 1
        for at, running in self.just_allowed:
            if self.world.now - at < KNOWN_S:
                running.is_among()
        self.just_allowed = []

    def follow(self) -> None:
        """Its registry entry does; and when the last dialog has been answered, so have all before it."""
        self.entry.follow()
        if not self.has_dialog:
            for episode in self.among:
                episode.end = min(episode.end, self.world.now)
            self.among = []

    def stop(self, *, stopped: bool) -> None:
        """Ctrl-Z, or fg again; what takes a moment is over by then."""
        if stopped and self.is_clearing:
            return
        if stopped:
            self._stopped = self.world.truth.begin(STOPPED, (self.label, ""), self.world.now)
            self._leaves_unsaid()
        elif self._stopped:
            self._stopped.end = self.world.now
        self.outlet.is_stopped(self.pid, stopped=stopped)
        if stopped:
            self.gate.is_open = False
        else:
            self.gate.open()
            self.world.stage.after(AWAKE_S, self.gate.release)

    def _leaves_unsaid(self) -> None:
        """Requests and answers of this moment, of which nothing has told yet."""
        now, truth = self.world.now, self.world.truth
        # Of a request that a hook has allowed only time tells that no dialog comes.
        recent = PROMPTLY if self.world.program.own.permission else UNSAID_S
        for deal in [deal for deal in truth.deals if deal.key[0] == self.label]:
            if any(0 <= now - at < recent for at in deal.asked):
                truth.begin(UNSAID, deal.key, now)

    @property
    def has_mates(self) -> bool:
        return bool(self.panes) or any(isinstance(sub, Teammate) for sub in self.subs)

    @property
    def team(self) -> str:
        return f"session-{self.team_lead[:8]}"

    def open_pane(self, move: Spawn) -> Pane:
        pane = self.world.make_pane(self, self._with_free_name(move))
        self.panes.append(pane)
        self.note_team()
        pane.open()
        return pane

    def _with_free_name(self, move: Spawn) -> Spawn:
        """As the client does it: of two teammates of one name the second is called mia-2."""
        taken = {*(pane.name for pane in self.panes), *(sub.type for sub in self.subs if isinstance(sub, Teammate))}
        names = (move.name, *(f"{move.name}-{number}" for number in range(2, len(taken) + 2)))
        return replace(move, name=next(name for name in names if name not in taken))

    def note_team(self) -> None:
        """The client's own list of its team."""
        lead = {"agentId": f"team-lead@{self.team}", "name": "team-lead", "tmuxPaneId": "leader"}
        members = [lead, *(pane.member for pane in self.panes)]
        about = {"name": self.team, "leadAgentId": lead["agentId"], "leadSessionId": self.team_lead}
        self.outlet.file(f"{self.world.config}/teams/{self.team}/config.json", {**about, "members": members})

    @property
    def has_bridges(self) -> bool:
        return bool(self.subs) or bool(self.panes) or self.main.had_queue

    @property
    def subs_go_on(self) -> bool:
        return any(not sub.is_over for sub in self.subs)  # an idle teammate can be spoken to again

    # --- dialogs

    def show(self, dialog: Dialog) -> None:
        if self.is_alive:
            dialog.answered.wait(lambda _: self._is_answered())
            self.dialogs.show(dialog)

    def _is_answered(self) -> None:
        """Whose dialog it was may be told before the registry is written; a teammate's may be behind it."""
        now, until = self.world.now, BOUNDS["registry changes"].high + BOUNDS["registry is written"].high
        if any(pane.is_at_work for pane in self.panes):
            self.world.truth.episodes.append(Episode(OVERTAKEN, self.main.truth_key, now, now + until))

    def _notify(self, dialog: Dialog) -> None:
        if self.is_alive:
            kind = "elicitation_dialog" if dialog.tool == FORM else "permission_prompt"
            more = {"message": "Claude needs your permission", "notification_type": kind}
            self.outlet.async_hook(self.payload("Notification", **more))

    # --- agents

    @property
    def agents(self) -> dict[str, Agent]:
        return {agent.key: agent for agent in (self.main, *self.subs)}

    def spawn(self, parent: Agent, move: Spawn, call_id: str) -> SubAgent:
        sub = self._made(parent, move, call_id)
        self.subs.append(sub)
        sub.live()
        return sub

    def _made(self, parent: Agent, move: Spawn, call_id: str) -> SubAgent:
        if move.is_mate:
            return Teammate(self, parent, self._with_free_name(move), call_id)
        return SubAgent(self, parent, move, call_id)

    @property
    def shells(self) -> set[str]:
        """Commands that go on in the background."""
        return set(self._shells)

    @property
    def tasks(self) -> list[Record]:
        """What runs in the background, as the client lists it when an agent stops."""
        shells = [{"id": name, "type": "shell", "status": "running", "description": "run it"} for name in self._shells]
        subs = [sub.task for sub in self.subs if sub.is_listed]
        return [*subs, *(pane.task for pane in self.panes), *shells]

    # --- commands

    def command(self, text: str) -> int:
        pid = self.world.pid()
        self.outlet.begins(pid, self.pid, shell(text))
        return pid

    def shell(self, pid: int, takes: float, call_id: str) -> str:
        """A command that goes on in the background; its end is news."""
        name = f"b{self.world.number('shell')}"
        self._shells[name] = pid
        self.world.stage.after(takes, lambda: self._shell_ends(name, call_id))
        return name

    def _shell_ends(self, name: str, call_id: str) -> None:
        self.outlet.ends(self._shells.pop(name))
        if self.speaks:
            self._tell(name, lines.it_is_done(name, call_id))

    def monitor_tells(self, name: str) -> None:
        if name in self._shells and self.speaks:
            self._tell(name, lines.it_tells(name))

    def _tell(self, name: str, news: str) -> None:
        """Its main agent: during a /clear that is not the old one any more."""
        self.gate.pass_(lambda: self.when_ready(lambda: self.main.hear(name, news)))

    # --- what it says of itself

    def payload(self, event: str, **more: object) -> Record:
        base = {"session_id": self.session, "transcript_path": self.main.path, "cwd": "/home/me/proj"}
        return {**base, "hook_event_name": event, **more}

    @property
    def speaks(self) -> bool:
        """It runs, and has not said goodbye."""
        return self.is_alive and self.has_begun

    def status(self) -> tuple[str, str]:
        if self.dialogs.shown:
            is_question = self.dialogs.shown.tool in ("AskUserQuestion", FORM)
            return "waiting", "input needed" if is_question else "permission prompt"
        is_at_it = self.is_clearing or self.keyboard.is_at_command
        if is_at_it or self.panes or any(agent.is_busy for agent in self.agents.values()):
            return "busy", ""  # with teammates in panes always
        if self.keyboard.has_menu:
            return "waiting", "dialog open"
        return ("shell" if self._shells else "idle"), ""

    def states(self) -> dict[Key, str]:
        if not self.speaks:
            return {}
        rows = {key: state for pane in self.panes for key, state in pane.row().items()}
        return {**rows, **{agent.truth_key: agent.state for agent in self.agents.values()}}
