"""`python -m torture.guided DECODER OPTIONS… FOLDER`: libFuzzer on one decoder, as `torture.fuzz` starts it."""

from __future__ import annotations

import sys

import atheris

with atheris.instrument_imports(include=["contract", "recorder", "watcher", "installer", "statusbar"]):
    from torture.decoders import DECODERS


def main() -> None:
    name, *options = sys.argv[1:]
    atheris.Setup([sys.argv[0], *options], DECODERS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main()
