"""The second hook, for those who want to answer from outside: waits for a person's word, and says it to the client.

As `hook.py` a guest: without an answer it prints nothing, and it always exits 0.
"""

import posix
import sys


def main() -> None:
    from answers.waiting_hook import serve  # noqa: PLC0415 - a fault in it is none of the client's business

    serve((sys.argv[1:] or ["claude"])[0])


if __name__ == "__main__":
    try:
        main()
    finally:
        posix._exit(0)  # noqa: SLF001 - whatever happened
