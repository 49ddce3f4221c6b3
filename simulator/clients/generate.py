"""From a seed to a program of another client: what it can do, some features at a time, weighted towards meetings."""

from __future__ import annotations

from dataclasses import replace

from simulator.bounds import BOUNDS
from simulator.clients import model
from simulator.maker import LONGEST_S, MOST_PROMPTS, Maker
from simulator.observation import Hook
from simulator.program import NO, YES, Ask, Call, Deed, Fail, Fault, Move, Program, Retry, Say, Spawn, Together, Wait

FEATURES = (
    "asks", "questions", "escapes", "files", "equal calls", "kills", "sub-agents", "together", "silence", "failures",
    "compaction", "queue", "clear", "resume", "several sessions", "lost", "late", "twice", "restart", "jump", "lag",
)  # fmt: skip
SOON_S = 1.5  # after the start of a process nothing of interest happens earlier

MEETINGS = {
    "queue": Deed(0.0, "a", "prompt"),
    "escapes": Deed(0.0, "a", "escape"),
    "compaction": Deed(0.0, "a", "compact"),
    "clear": Deed(0.0, "a", "clear"),
    "resume": Deed(0.0, "a", "exit"),
    "kills": Deed(0.0, "a", "kill"),
}
COMMANDS = ("npm test", "ls -la", "make -j4 all", "git push origin main", "cat 'a b'", 'echo "$HOME"')
FILES = ("main.py", "a b.txt", "Makefile")


def generate(client: str, seed: int) -> Program:
    return _Maker(client, seed).program()


class _Maker(Maker):
    def __init__(self, client: str, seed: int) -> None:
        super().__init__(f"{client} {seed}", FEATURES)
        self._model = model(client)
        self._moves, self._agents = self._random.randint(3, 10), self._random.randint(1, 3)  # left to make
        self._program = Program(seed, (), client=client)

    def program(self) -> Program:
        self._add(Deed(0.0, "a", "start"))
        for _ in range(MOST_PROMPTS):
            if self._moves > 0:
                self._add_prompt("a")
        if self._is_on("several sessions", 0.6):
            self._add_session(Deed(self._moment(), "b", "start"))
        for feature, deed in MEETINGS.items():
            if self._is_on(feature, 0.6) and self._can(feature):
                self._add_meeting(deed)
        self._add_faults()
        return self._program

    def _can(self, feature: str) -> bool:
        return {"queue": self._model.has_queue, "compaction": self._model.compacts}.get(feature, True)

    def _end(self, gap: float) -> float:
        return round(self._played().end + gap, 2)

    def _moment(self) -> float:
        return self._meeting(after=SOON_S, earliest=SOON_S, instead=SOON_S)

    def _add_prompt(self, session: str) -> None:
        end = max(SOON_S, self._end(self._random.choice((0.02, 0.3, 1.0, 3.0))))
        if end < LONGEST_S:
            self._add(Deed(end, session, "prompt", self._script()))

    def _add_session(self, deed: Deed) -> None:
        self._moves = max(self._moves, 2)
        self._add(
            deed, Deed(round(deed.at + self._random.choice((1.5, 3.0)), 2), deed.session, "prompt", self._script())
        )

    def _add_meeting(self, deed: Deed) -> None:
        at = self._moment()
        match deed.do:
            case "prompt":
                self._add(replace(deed, at=at, script=self._script()))
            case "compact":
                self._add(replace(deed, at=self._end(0.5), takes=self._random.choice((0.3, 3.0))))
            case "clear":
                at = self._end(0.5)
                self._add(replace(deed, at=at), Deed(round(at + self._gap(), 2), "a", "prompt", self._script()))
            case "exit" | "kill":
                self._ends(replace(deed, at=at if deed.do == "kill" else self._end(0.5)))
            case _:
                self._add(replace(deed, at=at))

    def _ends(self, deed: Deed) -> None:
        """Often it is taken up again."""
        self._add(deed)
        if self._once_in(0.6):
            name = f"{deed.do} and resumed"
            self._add_session(Deed(round(deed.at + self._gap(), 2), name, "resume", word="a"))

    def _gap(self) -> float:
        return self._random.choice((1.5, 2.5, 4.0))

    def _add_faults(self) -> None:
        hooks = sum(isinstance(observation, Hook) for observation in self._played().seen) or 1
        numbered = [kind for kind in ("lost", "late", "twice") if self._is_on(kind, 0.4)]
        faults = [Fault(kind, self._random.randint(1, hooks)) for kind in numbered]
        faults += [Fault("restart", at=self._moment())] if self._is_on("restart", 0.5) else []
        faults += [Fault("lag")] if self._is_on("lag", 0.4) else []
        may_be_set = not (self._model.is_dated_by_files and any(fault.kind == "restart" for fault in faults))
        if may_be_set and self._is_on("jump", 0.4):
            faults.append(Fault("jump", at=self._moment(), seconds=self._random.choice((-3600.0, -30.0, 30.0, 7200.0))))
        self._program = replace(self._program, faults=tuple(faults))

    # --- scripts

    def _script(self, *, of_sub: bool = False) -> tuple[Move, ...]:
        many = min(self._random.randint(1, 3), max(self._moves, 1))
        self._moves -= many
        return tuple(self._move(of_sub=of_sub) for _ in range(many))

    def _move(self, *, of_sub: bool) -> Move:
        if "sub-agents" in self._on and not of_sub and self._agents > 0 and self._once_in(0.4):
            self._agents -= 1
            background = self._model.in_background or (self._model.may_go_on and self._once_in(0.5))
            return Spawn(f"job {self._random.randint(1, 99)}", self._script(of_sub=True), background=background)
        if self._model.together and not of_sub and self._is_on("together", 0.3):
            first, second = self._call(of_sub=of_sub), self._call(of_sub=of_sub)
            is_equal = first.target == second.target
            return Together((first, replace(second, target=f"{second.target} too") if is_equal else second))
        thinks: tuple[tuple[str, Move], ...] = (("silence", Wait(3.0)), ("failures", Retry(2.0)))
        fails: tuple[tuple[str, Move], ...] = () if of_sub else (("failures", Fail(0.5)),)
        for feature, move in (*thinks, *fails):
            if self._is_on(feature, 0.15):
                return move
        return Say(self._random.choice((0.05, 0.3, 1.0, 2.5))) if self._once_in(0.3) else self._call(of_sub=of_sub)

    def _call(self, *, of_sub: bool) -> Call:
        may_be_refused = not of_sub or self._model.subs_may_be_refused
        if self._is_on("questions", 0.2) and not of_sub:
            return Call("AskUserQuestion", f"which {self._random.randint(1, 9)}", 0.01, self._ask(refused=False))
        ask = self._ask(refused=may_be_refused) if "asks" in self._on and self._once_in(0.6) else None
        takes = self._random.choice((0.02, 0.2, 1.0, 3.0, 6.0))
        if self._model.files and self._is_on("files", 0.3):
            return Call(self._random.choice(("Edit", "Write")), self._random.choice(FILES), takes, ask)
        extra = "" if "equal calls" in self._on else f" {self._random.randint(1, 999)}"
        return Call("Bash", self._random.choice(COMMANDS) + extra, takes, ask, fails=self._once_in(0.1))

    def _ask(self, *, refused: bool) -> Ask:
        soonest, typical, latest, _ = BOUNDS["answer"]
        answer = self._random.choices((YES, NO, ""), (7, 2, 1))[0]
        return Ask(answer if refused or answer != NO else YES, self._random.choice((soonest, 0.5, typical, latest)))
