"""A server for the Model Context Protocol: its tools wait at a door (see ``Home.door``), one asks before."""

from __future__ import annotations

import json
import sys
from typing import Any

NAME = "slow"
TOOL, ASKING = "mcp__slow__wait", "mcp__slow__ask"  # as the client calls them
TOOLS = (TOOL, ASKING)

ABOUT = {
    "description": "Waits at a door.",
    "inputSchema": {"type": "object", "properties": {"door": {"type": "string"}}, "required": ["door"]},
}
FORM = {"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}


def config() -> str:
    """For the client's ``--mcp-config``."""
    return json.dumps({"mcpServers": {NAME: {"command": sys.executable, "args": [__file__]}}})


def answer(method: str, given: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        server = {"name": NAME, "version": "1"}
        return {"protocolVersion": given["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": server}
    if method == "tools/list":
        return {"tools": [{"name": name, **ABOUT} for name in ("wait", "ask")]}
    if method == "tools/call":
        if given["name"] == "ask":
            _ask()
        with open(given["arguments"]["door"], encoding="utf-8") as door:
            door.read()
        return {"content": [{"type": "text", "text": "the door is open"}]}
    return {}


def _ask() -> None:
    """The person at the client, until there is an answer, whichever."""
    _send(id="form", method="elicitation/create", params={"message": "Which name?", "requestedSchema": FORM})
    while json.loads(sys.stdin.readline()).get("id") != "form":
        pass


def _send(**said: Any) -> None:
    print(json.dumps({"jsonrpc": "2.0", **said}), flush=True)


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            _send(id=asked["id"], result=answer(asked["method"], asked.get("params") or {}))


if __name__ == "__main__":
    main()
