"""From a seed to a program: some features at a time, and weighted towards things that happen at the same moment."""

from __future__ import annotations

from dataclasses import replace

from simulator.additions import with_additions
from simulator.bounds import BOUNDS
from simulator.maker import LONGEST_S, MOST_PROMPTS, Maker
from simulator.observation import Hook
from simulator.program import (
    FEEDBACK,
    NO,
    YES,
    Ask,
    Call,
    Compact,
    Deed,
    Fail,
    Fault,
    Move,
    Own,
    Program,
    Say,
    Spawn,
    Together,
    Wait,
)

FEATURES = (
    "asks", "questions", "escapes", "no process", "equal calls", "kills", "sub-agents", "foreground", "nested",
    "teammates", "together", "own permission", "own stop", "own prompt", "silence", "failures", "compaction", "shells",
    "queue", "clear", "resume", "second terminal", "several sessions", "stops", "local commands", "no registry",
    "no processes", "crons", "lost", "late", "twice", "restart", "jump", "lag",
)  # fmt: skip

MEETINGS = {
    "queue": Deed(0.0, "a", "prompt"),
    "escapes": Deed(0.0, "a", "escape"),
    "shells": Deed(0.0, "a", "background"),
    "local commands": Deed(0.0, "a", "local"),
    "compaction": Deed(0.0, "a", "compact"),
    "clear": Deed(0.0, "a", "clear"),
    "second terminal": Deed(0.0, "d", "resume", word="a"),
    "stops": Deed(0.0, "a", "stop"),
    "resume": Deed(0.0, "a", "exit"),
    "kills": Deed(0.0, "a", "kill"),
}

COMMANDS = ("npm test", "npm install x", "ls -la", "make -j4 all", "git push origin main", "cat 'a b'", 'echo "$HOME"')
FILES = ("main.py", "a b.txt", "Makefile", "src.rs")
NAMES = ("mia", "tom", "ada", "leo")
SERVERS = ("mcp__files__wait", "mcp__web__fetch", "WebSearch")


def generate(seed: int) -> Program:
    return with_additions(first(seed))


def first(seed: int) -> Program:
    """What the seed meant before there was more: a seed that once failed goes on to say the same."""
    return _Maker(seed).program()


class _Maker(Maker):
    def __init__(self, seed: int) -> None:
        super().__init__(seed, FEATURES)
        self._moves = self._random.randint(3, 12)  # left to make: small programs are quick, and are read more easily
        self._agents = self._random.randint(1, 4)  # left to start
        registry, processes = not self._is_on("no registry", 0.5), not self._is_on("no processes", 0.3)
        self._program = Program(seed, (), self._own(), registry=registry, processes=processes)

    def program(self) -> Program:
        self._add(Deed(0.0, "a", "start"))
        for _ in range(MOST_PROMPTS):
            if self._moves > 0:
                self._add_prompt("a")
        if self._is_on("several sessions", 0.6):
            self._add_session(Deed(0.0, "b", "start"))
        for feature, deed in MEETINGS.items():
            if self._is_on(feature, 0.5):
                self._add_meeting(deed)
        self._add_faults()
        return self._program

    def _add_prompt(self, session: str) -> None:
        """Some time after everything before it is over, or at the very moment."""
        end = self._played().end
        if end < LONGEST_S:
            gap = self._random.choice((0.02, 0.3, 1.0, 3.0))
            self._add(Deed(round(end + gap, 2), session, "prompt", self._script()))

    def _add_session(self, deed: Deed) -> None:
        begun = 0.0 if deed.do == "start" else 3.0  # what is resumed has been talked to
        self._add(replace(deed, at=max(begun, self._moment())))
        self._moves = max(self._moves, 2)
        self._add(Deed(self._moment(), deed.session, "prompt", self._script()))

    def _moment(self) -> float:
        return self._meeting(after=0.5, earliest=0.3, instead=1.0)

    def _add_meeting(self, deed: Deed) -> None:
        at = self._moment()
        match deed.do:
            case "prompt":
                deed = replace(deed, script=self._script())
            case "compact":
                how = self._random.choice(("done", "refused", "failed"))
                deed = replace(deed, word=how, takes=self._random.choice((0.3, 3.0)))
                at = round(self._played().end + 0.3, 2) if self._once_in(0.7) else at
            case "clear" | "local":
                at = round(self._played().end + 0.3, 2) if self._once_in(0.7) else at
            case "resume":
                self._add_session(deed)
                return
            case "stop":
                self._add(Deed(round(at + self._random.choice((1.0, 4.0)), 3), "a", "cont"))
            case "exit":
                at = max(3.0, at)
                self._add(Deed(round(at + self._random.choice((0.5, 3.0)), 2), "c", "resume", word="a"))
        self._add(replace(deed, at=at))

    def _add_faults(self) -> None:
        hooks = sum(isinstance(observation, Hook) for observation in self._played().seen)
        faults = [Fault(kind, self._random.randint(1, hooks)) for kind in ("late", "twice") if self._is_on(kind, 0.5)]
        faults += [Fault("restart", at=self._moment())] if self._is_on("restart", 0.5) else []
        faults += [Fault("lag")] if self._is_on("lag", 0.5) else []
        if self._is_on("jump", 0.3):
            faults.append(Fault("jump", at=self._moment(), seconds=self._random.choice((-3600.0, -30.0, 30.0, 7200.0))))
        if self._program.registry and self._program.processes and self._is_on("lost", 0.3):
            faults.append(Fault("lost", self._random.randint(1, hooks)))
        self._program = replace(self._program, faults=tuple(faults))

    def _own(self) -> Own:
        permission = self._random.choice((YES, YES, NO)) if "own permission" in self._on else ""
        blocks = self._random.choice((0, 1, 1, 2)) if "own stop" in self._on else 0
        after = self._random.choice((0.0, 0.0, 0.3, 1.5))
        refuses = self._is_on("own prompt", 0.5)
        back_to = (self._call(),) if blocks else ()
        return Own(permission, after if permission or blocks else 0.0, refuses, blocks, back_to)

    # --- scripts

    def _script(self, depth: int = 0) -> tuple[Move, ...]:
        many = min(self._random.randint(1, 4 - depth), max(self._moves, 1))
        self._moves -= many
        return tuple(self._move(depth) for _ in range(many))

    def _move(self, depth: int) -> Move:
        deepest = 2 if "nested" in self._on else 1
        if "sub-agents" in self._on and self._agents > 0 and depth < deepest and self._once_in(0.5):
            return self._spawns(depth)
        if "together" in self._on and self._once_in(0.3):
            return Together(_equal_alike([self._call() for _ in range(self._random.randint(2, 3))]))
        for feature, move in (("silence", Wait(3.0)), ("failures", Fail(0.5)), ("compaction", Compact(1.0))):
            if depth < 2 and self._is_on(feature, 0.15):  # noqa: PLR2004
                return move
        return Say(self._short()) if self._once_in(0.3) else self._call()

    def _spawns(self, depth: int) -> Move:
        """Often two at once, which then do something at the same moment."""
        background = "foreground" not in self._on  # a setting of the client: all of them, or none
        many = min(self._random.choice((1, 2, 2, 3)), self._agents)
        self._agents -= many
        named = [f"job {self._random.randint(1, 999)}" for _ in range(many)]
        if depth == 0 and self._is_on("teammates", 0.5):
            mates = [Spawn(name, self._script(2), is_mate=True) for name in self._random.sample(NAMES, many)]
            return mates[0] if many == 1 else Together(tuple(mates))
        spawned = [Spawn(name, self._script(depth + 1), background=background) for name in named]
        if many == 1:
            return spawned[0]
        if self._once_in(0.5):  # they begin with a call each, so these meet
            spawned = [replace(spawn, script=(self._call(), *spawn.script)) for spawn in spawned]
        return Together(tuple(spawned))

    def _call(self) -> Call:
        if "questions" in self._on and self._once_in(0.2):
            tool = self._random.choice(("AskUserQuestion", "ExitPlanMode"))
            return Call(tool, f"which {self._random.randint(1, 9)}", 0.01, self._ask())
        tool, target = self._tool_and_target()
        ask = self._ask() if "asks" in self._on and self._once_in(0.6) else None
        behind = tool == "Bash" and self._is_on("shells", 0.3)
        return Call(tool, target, self._long(), ask, fails=self._once_in(0.1), background=behind)

    def _tool_and_target(self) -> tuple[str, str]:
        kind = self._random.choice(("Bash", "file", "server") if "no process" in self._on else ("Bash",))
        if kind == "Bash":
            extra = "" if "equal calls" in self._on else f" {self._random.randint(1, 999)}"
            return "Bash", self._random.choice(COMMANDS) + extra
        if kind == "file":
            return self._random.choice(("Edit", "Write", "Read")), self._random.choice(FILES)
        if self._is_on("crons", 0.4):
            return "CronCreate", "look"
        return self._random.choice(SERVERS), f"{self._random.randint(1, 99)}"

    def _ask(self) -> Ask:
        soonest, typical, latest, _ = BOUNDS["answer"]
        answer = self._random.choices((YES, NO, FEEDBACK, ""), (6, 2, 1, 1))[0]
        return Ask(answer, self._random.choice((soonest, 0.5, typical, latest)))

    def _short(self) -> float:
        return self._random.choice((0.05, 0.3, 1.0, 2.5))

    def _long(self) -> float:
        return self._random.choice((0.02, 0.2, 1.0, 3.0, 6.0))


def _equal_alike(calls: list[Call]) -> tuple[Call, ...]:
    """Of two equal calls of one message the client asks for both or for none."""
    first: dict[tuple[str, str], Call] = {}
    for call in calls:
        first.setdefault((call.tool, call.target), call)
    return tuple(replace(call, ask=first[call.tool, call.target].ask) for call in calls)
