"""The client's front door: one event on standard input, one fact file out.

A guest in somebody's session: prints nothing, exits 0, costs a few milliseconds. This file is compiled at every call,
because Python keeps no bytecode of a script. So the work is done elsewhere, and all that it needs is kept in one file:
a module that Python must look for costs more than it does to run it.
"""

import gc
import marshal
import posix
import sys
import time

HERE = __file__.rpartition("/")[0]
BUNDLE = f"{HERE}/recorder/__pycache__/hook.{sys.implementation.cache_tag}.bundle"


def main() -> None:
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    stamp = (round(time.time(), 6), round(time.clock_gettime(clock), 6))
    from recorder.serve import serve  # noqa: PLC0415 - the stamp comes first

    serve(stamp)


def unpack() -> bool:
    """Whether all modules that are needed could be taken from the bundle; not if one of them has changed since."""
    try:
        fd = posix.open(BUNDLE, posix.O_RDONLY | posix.O_CLOEXEC)
        version, sources, modules = marshal.loads(posix.read(fd, 1 << 20))  # noqa: S302 - our own, as all bytecode
        posix.close(fd)
        for path, *seen in sources:
            found = posix.stat(path)
            if [found.st_mtime_ns, found.st_size] != seen or version != sys.version:
                return False
        for name, folder, code in modules:
            load(name, folder, code)
    except Exception:  # whatever it is, Python's own way is left
        for name in [name for name in sys.modules if name.startswith(("contract", "recorder"))]:
            del sys.modules[name]
        return False
    return True


def load(name: str, folder: str, code: bytes) -> None:
    module = sys.modules[name] = type(sys)(name)
    parent, _, child = name.rpartition(".")
    if folder:
        module.__path__ = [folder]
    else:
        setattr(sys.modules[parent], child, module)
    exec(code, module.__dict__)  # noqa: S102 - as above


def run() -> None:
    gc.disable()  # nothing lives long enough to be collected
    future = sys.modules["__future__"] = type(sys)("__future__")
    future.annotations = None  # type: ignore[attr-defined]  # the real one is read from disk, and nobody looks into it
    is_fresh = unpack()
    main()
    if not is_fresh:
        from recorder.bundle import pack  # noqa: PLC0415 - once for each version

        pack(HERE, BUNDLE)


if __name__ == "__main__":
    try:
        run()
    finally:
        posix._exit(0)  # noqa: SLF001 - whatever happened, a guest does not complain; and nothing is left to tidy up
