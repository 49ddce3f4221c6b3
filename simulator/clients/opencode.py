"""OpenCode: our plugin in the client hands on each event, one short process after the other; the client never waits."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from simulator.clients.terminal import FOLDER, Terminal

if TYPE_CHECKING:
    from simulator.clients.agent import Agent
    from simulator.clients.calls import Cut, Running
    from simulator.lines import Record
    from simulator.stage import Play

TOOLS = {"Bash": "bash", "Edit": "edit", "Write": "write", "AskUserQuestion": "question", "Agent": "task"}


class OpenCode(Terminal):
    name = "opencode"
    program = ("/usr/local/bin/opencode",)
    together = True
    subs_may_be_refused = False
    has_queue = True
    is_one_turn_with_its_queue = True
    tells_start = tells_clear = False

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        self._free = 0.0  # when the last process that was handed something has ended
        self._present = ""  # the session that the plugin has told of last
        self._told: list[str] = []

    def is_told_once(self, payload: Record) -> bool:
        """The beginning or the end of a sub-agent."""
        return "agent" in payload and payload["event"] in ("session.busy", "session.idle")

    def hand(self, event: str, agent: Agent | None = None, **more: Any) -> None:
        sub = {"agent": agent.key, "type": "general"} if agent and not agent.is_main else {}
        payload = {"event": event, "session": self.session, **sub, "cwd": FOLDER, **more}
        self._hand(payload)

    def _hand(self, payload: Record) -> None:
        """Each waits for the one before it; those that have not begun when the client is killed never do."""
        world, voice = self.world, self.voice
        name, number, soonest = voice.begin(payload)
        stamp = max(world.now, self._free) + soonest - world.now
        written = stamp + world.delay("hook writes", name)
        self._free = written + world.delay("hook ends", name)
        world.stage.at(stamp, lambda: None if voice.is_dead else voice.show_hook(payload, stamp, written, number))

    def begins(self, source: str) -> Play:
        self._source = "resume" if source == "resume" else "startup"
        yield from ()

    _source = "startup"

    def leaves(self) -> Play:
        for session in self._told:
            self.hand("session.ended", session=session)
        yield max(0.0, self._free - self.world.now)

    def prompted(self, agent: Agent) -> Play:
        more: Record = {"source": self._source} if self.session != self._present else {}
        if more:
            self._present = self.session
            self._told.append(self.session)
        self.hand("session.busy", turn=agent.turn, **more)
        yield from ()

    def calls(self, running: Running) -> Play:
        if not running.is_question:
            self._tool("tool.began", running)
        yield from ()

    def asks(self, running: Running) -> Play:
        self._tool("question.asked" if running.is_question else "permission.asked", running)
        yield from ()

    def allowed(self, running: Running) -> Play:
        if running.move.ask:
            self._tool("question.answered" if running.is_question else "permission.approved", running)
        yield from ()

    def ran(self, running: Running) -> Play:
        if not running.is_question:
            self._tool("tool.ended", running)
        yield from ()

    def turn_ends(self, _agent: Agent) -> Play:
        self.hand("session.idle")
        yield from ()

    def fails(self, _agent: Agent, error: str) -> Play:
        self.hand("session.error", error=error)
        self.hand("session.idle")
        yield from ()

    def winds_up(self, calls: list[Running]) -> Play:
        """Rejecting one request rejects those beside it; a question that is rejected counts as answered."""
        for event in ("permission.rejected", "tool.ended"):
            for running in calls:
                self._refused(event, running)
        yield self.world.delay("rejection", str(self.world.number("rejection")))

    def cut_off(self, _agent: Agent, cut: Cut) -> Play:
        for sub in [sub for sub in self.subs if sub.was_cut]:
            self.hand("session.idle", sub)
            sub.was_cut = False
        for running in [running for running in cut.calls if running.move.tool == "Agent" and not cut.at_dialog]:
            self._tool("tool.ended", running)
        self.hand("session.idle")
        yield from ()

    def _refused(self, event: str, running: Running) -> None:
        if running.is_question and event == "permission.rejected":
            self._tool("question.answered", running)
        elif not running.is_question:
            self._tool(event, running)

    def sub_begins(self, sub: Agent, _running: Running) -> Play:
        self.hand("session.busy", sub, turn=sub.turn)
        yield from ()

    def sub_ends(self, sub: Agent) -> Play:
        self.hand("session.idle", sub)
        yield from ()

    def _tool(self, event: str, running: Running) -> None:
        move = running.move
        given = {"Bash": {"command": move.target, "description": "run it"}, "Agent": {"description": move.target}}
        about = {} if running.is_question else {"about": given.get(move.tool, {"filePath": f"{FOLDER}/{move.target}"})}
        self.hand(event, running.agent, call=running.id, tool=TOOLS[move.tool], **about)


MODEL = OpenCode
