"""Statuses to print, and the lines as a person reads them."""

from contract.status import NEEDS_APPROVAL, WAITING
from statusbar.cli.pieces import Line
from support.showing import NOW, agent, session, statuses

EXAMPLE = statuses(
    session(
        "9df7420c",
        NEEDS_APPROVAL,
        name="api-9a",
        cwd="/p/api",
        detail="Bash: npm test",
        since=NOW - 240,
        agents=(agent(detail="1 sub-agent"), agent("x", NEEDS_APPROVAL, type="Explore", detail="Bash: npm test")),
    ),
    session("aaaa", name="web-1f", cwd="/p/web", detail="Edit: index.ts", since=NOW),
    session("bbbb", WAITING, name="漢字", cwd="/p/漢字", detail="1 shell running", since=NOW - 7200),
    session("cccc", hidden=True),
)


def words(lines: list[Line]) -> str:
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in lines)
