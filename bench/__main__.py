"""`python -m bench NAME` runs one benchmark; without a name it lists them."""

from __future__ import annotations

import importlib
import importlib.util
import sys

BENCHES = {
    "hook": "one hook against a bare Python start, a plain recorder, and bash + jq",
    "turn": "a turn of the real client without hooks, with `true`, and with ours",
    "watcher": "the watcher at rest, its ticks, its first sight of a transcript, its delay; `yourturn status`",
    "lineage": "a look at one family of processes against the whole table",
    "tray": "the tray on a real bus: from a status file to a panel, and its cost",
    "screen": "the terminal view in a real terminal: from a status file to the screen, and its cost",
}


def main(argv: list[str]) -> int:
    benches = {name: words for name, words in BENCHES.items() if importlib.util.find_spec(f"bench.{name}")}
    if not argv or argv[0] in ("-h", "--help"):
        print(__doc__)
        print("\n".join(f"  {name:<10} {words}" for name, words in benches.items()))
        return 0
    name, *rest = argv
    if name not in benches:
        print(f"bench: no benchmark is called {name!r}; there are: {', '.join(benches)}", file=sys.stderr)
        return 2
    sys.argv = [f"bench {name}", *rest]
    return importlib.import_module(f"bench.{name}").main() or 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
