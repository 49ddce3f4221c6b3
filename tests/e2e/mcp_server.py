"""A server for the Model Context Protocol with one tool, which waits at a door (see ``e2e.home.Home.door``)."""

from __future__ import annotations

import json
import sys
from typing import Any

NAME = "slow"
TOOL = "mcp__slow__wait"  # as the client calls it

ABOUT = {
    "name": "wait",
    "description": "Waits at a door.",
    "inputSchema": {"type": "object", "properties": {"door": {"type": "string"}}, "required": ["door"]},
}


def config() -> str:
    """For the client's ``--mcp-config``."""
    return json.dumps({"mcpServers": {NAME: {"command": sys.executable, "args": [__file__]}}})


def answer(method: str, given: dict[str, Any]) -> dict[str, Any]:
    if method == "initialize":
        server = {"name": NAME, "version": "1"}
        return {"protocolVersion": given["protocolVersion"], "capabilities": {"tools": {}}, "serverInfo": server}
    if method == "tools/list":
        return {"tools": [ABOUT]}
    if method == "tools/call":
        with open(given["arguments"]["door"], encoding="utf-8") as door:
            door.read()
        return {"content": [{"type": "text", "text": "the door is open"}]}
    return {}


def main() -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if "id" in asked:
            said = {"jsonrpc": "2.0", "id": asked["id"], "result": answer(asked["method"], asked.get("params") or {})}
            print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
