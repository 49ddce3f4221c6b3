"""A teammate in a pane of its own: another process with a session of its own, which asks through its lead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from simulator import lines
from simulator.agent import FIRST, STOP
from simulator.client import Client
from simulator.mainagent import MainAgent
from simulator.running import WHOSE, WHOSE_S
from simulator.stage import Signal
from simulator.truth import WAITING, WORKING, Episode
from simulator.untold import untold

if TYPE_CHECKING:
    from collections.abc import Callable

    from simulator.dialog import Dialog
    from simulator.lines import Record
    from simulator.program import Move, Spawn
    from simulator.stage import Play
    from simulator.truth import Key

KIND = "general-purpose"


class Pane(Client):
    """The process; the registry has no entry for it."""

    has_entry = False

    def __init__(self, lead: Client, move: Spawn) -> None:
        super().__init__(lead.world, move.name)
        self.lead, self.move, self.team_lead = lead, move, lead.team_lead
        self.main = self.mate = PaneMate(self)
        self.pane = f"%{lead.world.number('pane')}"  # of one tmux, whoever leads it
        self.is_arriving = True  # it was started with something to do
        self.outlet.env |= {"TMUX_PANE": self.pane}

    @property
    def agent_id(self) -> str:
        return f"{self.name}@{self.team}"

    @property
    def is_at_work(self) -> bool:
        return self.is_arriving or self.mate.is_in_turn

    def open(self) -> None:
        self.world.clients.append(self)
        self.play(self._opens())

    def _opens(self) -> Play:
        yield self.mate.delay("pane begins")
        self.began = self.world.now
        parent = ("--parent-session-id", self.lead.session)  # after /clear the new one; its team keeps its name
        self.outlet.begins(self.pid, 1, ("claude", "--agent-id", self.agent_id, "--agent-name", self.name, *parent))
        self.has_begun = True
        yield from self.outlet.hook(self.payload("SessionStart", source="startup"))
        yield self.mate.delay("mate reads")
        self.is_arriving = False
        self.mate.take_up(self.move.script)

    def payload(self, event: str, **more: object) -> Record:
        return super().payload(
            event, agent_type=KIND, **{key: value for key, value in more.items() if key != "prompt_id"}
        )

    def row(self) -> dict[Key, str]:
        """As its lead shows it."""
        return {(self.lead.label, self.session): self.mate.state} if self.speaks else {}

    @property
    def member(self) -> Record:
        more = {"tmuxPaneId": self.pane, "backendType": "tmux", "isActive": self.is_at_work}
        return {"agentId": self.agent_id, "name": self.name, "agentType": KIND, **more}

    @property
    def task(self) -> Record:
        """It is listed as running even while it is idle."""
        return {"id": f"t{self.name}", "type": "teammate", "status": "running", "description": self.name}


class PaneMate(MainAgent):
    client: Pane
    asks_lead = True

    @property
    def state(self) -> str:
        state = super().state
        return WORKING if state == WAITING and self.client.is_arriving and self.client.gate.is_open else state

    @property
    def rows(self) -> tuple[Key, ...]:
        return (self.truth_key, (self.client.lead.label, self.client.session))

    @property
    def shows_its_requests(self) -> Client:
        return self.client.lead

    def line(self, record: Record) -> None:
        super().line({**record, "teamName": self.client.team, "agentName": self.client.name})

    def take_up(self, script: tuple[Move, ...]) -> None:
        self._open(self._work_for_lead(script))

    def _work_for_lead(self, script: tuple[Move, ...]) -> Play:
        """A message of its lead opens its turn, of which no hook tells."""
        self.phase = FIRST
        self.line(lines.order(self.prompt_id))
        yield from self._work(script)
        yield from self._goes_idle()

    def _goes_idle(self) -> Play:
        lead, name, team = self.client.lead, self.client.name, self.client.team
        self.phase, self.is_in_turn = STOP, False
        mark = f"a{name}-{self.client.session}"
        lead.main.expect_message(mark)
        yield from self.hook("Stop", **self._stop(active=False))
        self.line(lines.stop_summary())
        yield from self.hook("TeammateIdle", teammate_name=name, team_name=team)
        lead.note_team()
        self.line(lines.turn_duration())
        lead.main.take_message(name)

    # --- asking

    def ask_lead(self, dialog: Dialog, asks: Callable[[], None]) -> Play:
        """The lead shows its request, and says so, unless another dialog is open there."""
        lead = self.client.lead
        yield self.delay("request travels")
        heard = Signal()
        lead.gate.pass_(lambda: heard.give("heard"))  # one that is stopped shows nothing
        yield heard
        is_told = lead.dialogs.shown is None
        if not is_told:
            untold(self, dialog)
        lead.show(dialog)
        asks()
        now = self.world.now
        self.world.truth.episodes.append(Episode(WHOSE, lead.main.truth_key, now, now + WHOSE_S))
        if is_told:
            message = f"{self.client.name} needs permission for {dialog.tool}"
            note = {"message": message, "notification_type": "worker_permission_prompt"}
            lead.outlet.async_hook(lead.payload("Notification", prompt_id=lead.main.prompt_id, **note))
