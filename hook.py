"""The client's front door: its name as the argument, one event on standard input, one fact file out.

A guest in somebody's session: prints nothing (but see `recorder.start`), exits 0, costs a few milliseconds. This file
is compiled at every call, because Python keeps no bytecode of a script, so it is short: each line costs as much as a
hundred lines that are compiled already. The work is done elsewhere, and all that it needs is kept in one file, the
bundle: a module that Python must look for costs more than it does to run it.
"""

import gc
import marshal
import posix
import sys

CLIENT = (sys.argv[1:] or ["claude"])[0]
FILE = "/recorder/__pycache__/packed_" + CLIENT + "." + sys.implementation.cache_tag + ".pyc"

if __name__ == "__main__":
    try:
        gc.disable()  # nothing lives long enough to be collected
        try:
            fd = posix.open(sys.path[0] + FILE, posix.O_RDONLY)
            code, content = marshal.loads(posix.read(fd, 1 << 14))  # noqa: S302 - as all bytecode
            exec(code)  # noqa: S102 - as above; now there is an `unpack`
            serve = unpack(fd, content)  # type: ignore[name-defined]  # noqa: F821 - see above
        except Exception:  # whatever it is, Python's own way is left
            from recorder.serve import serve_and_pack as serve
        serve(CLIENT)
    finally:
        posix._exit(0)  # noqa: SLF001 - whatever happened, a guest does not complain; and nothing is left to tidy up
