"""The client's front door: its name as the argument, one event on standard input, one fact file out.

A guest in somebody's session: prints nothing (but see `recorder.start`), exits 0, costs a few milliseconds. This file
is compiled at every call, because Python keeps no bytecode of a script, so it is short. The work is done elsewhere, and
all that it needs is kept in one file: a module that Python must look for costs more than it does to run it.
"""

import gc
import marshal
import posix
import sys

HERE = __file__.rpartition("/")[0]
CLIENT = (sys.argv[1:] or ["claude"])[0]
BUNDLE = HERE + "/recorder/__pycache__/packed_" + CLIENT + "." + sys.implementation.cache_tag + ".pyc"


def main(client: str = "") -> None:
    from recorder.serve import serve  # noqa: PLC0415 - it is unpacked first

    serve(client)


def is_unpacked() -> bool:
    """Whether all that is needed could be taken from the bundle; else Python's own way is left."""
    room = {}  # type: ignore[var-annotated]
    try:
        fd = posix.open(BUNDLE, posix.O_RDONLY)
        version, code, content = marshal.loads(posix.read(fd, posix.fstat(fd).st_size))  # noqa: S302 - as all bytecode
        posix.close(fd)
        exec(code, room)  # noqa: S102 - as above
        return version == sys.version and room["unpack"](content) is True
    except Exception:  # whatever it is
        return False


if __name__ == "__main__":
    try:
        gc.disable()  # nothing lives long enough to be collected
        is_fresh = is_unpacked()
        main(CLIENT)
        if not is_fresh:
            from recorder.bundle import pack

            pack(HERE, BUNDLE, CLIENT)  # once for each version
    finally:
        posix._exit(0)  # noqa: SLF001 - whatever happened, a guest does not complain; and nothing is left to tidy up
