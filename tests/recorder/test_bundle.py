"""The file that holds all modules of the hook: used while it is up to date, and never missed."""

import json
import marshal
import os
import py_compile
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from contract import facts
from installer.hooks import program
from recorder import bundle
from recorder.clients import CLIENTS
from support.builders import call, facts_in, hook_env
from support.project import PROJECT

USUAL = (*bundle.MODULES, CLIENTS["claude"])


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """The hook and its rooms, somewhere else, without any bytecode."""
    made = tmp_path / "house"
    made.mkdir()
    shutil.copy(PROJECT / "hook.py", made)
    shutil.copy(PROJECT / "yourturn.py", made)
    for room in ("contract", "recorder", "installer", "statusbar", "watcher"):
        shutil.copytree(PROJECT / room, made / room, ignore=shutil.ignore_patterns("__pycache__"))
    return made


def tell(house: Path, home: Path, id_: str, *options: str) -> str:
    """One event; what Python itself says of it."""
    argv = [sys.executable, "-S", "-E", *options, str(house / "hook.py")]
    data = json.dumps(call("PreToolUse", id_)).encode()
    done = subprocess.run(argv, input=data, capture_output=True, env=hook_env(home), check=True)
    assert done.stdout == b""
    return done.stderr.decode()


def looked_for(house: Path, home: Path, id_: str) -> set[str]:
    """The modules of ours, and those that they need of Python's own, that Python had to look for."""
    told = tell(house, home, id_, "-X", "importtime")
    names = {line.rpartition("|")[2].strip() for line in told.splitlines()}
    assert "io" in names, "nothing was told"
    return {name for name in names if name.startswith(("contract", "recorder")) or name in bundle.EXTENSIONS}


def bundle_of(house: Path, client: str = "claude") -> Path:
    return house / "recorder" / "__pycache__" / f"packed_{client}.{sys.implementation.cache_tag}.pyc"


def calls_of(home: Path) -> list[str]:
    return list(facts_in(home)["main"].calls)


def test_the_second_hook_looks_for_no_module(house: Path, tmp_path: Path) -> None:
    assert {"contract.facts", *bundle.EXTENSIONS} <= looked_for(house, tmp_path, "t")
    assert bundle_of(house).exists()
    assert looked_for(house, tmp_path, "u") == set()
    assert calls_of(tmp_path) == ["t", "u"]


def test_a_bundle_far_down_in_folders_is_used_as_well(house: Path, tmp_path: Path) -> None:
    """`hook.py` reads the head of a bundle at once, so that must not grow with each path in it."""
    far = tmp_path.joinpath(*["d" * 250] * 4)
    shutil.copytree(house, far)
    tell(far, tmp_path, "t")
    assert looked_for(far, tmp_path, "u") == set()


def test_a_hook_that_is_a_link_uses_the_bundle_beside_its_modules(house: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "hook.py").symlink_to(house / "hook.py")
    tell(elsewhere, tmp_path, "t")
    assert looked_for(elsewhere, tmp_path, "u") == set()


def test_a_change_of_what_unpacks_it_counts_at_once(house: Path, tmp_path: Path) -> None:
    tell(house, tmp_path, "t")
    changed = house / "recorder" / "unpack.py"
    changed.write_text(changed.read_text().replace("return sys", "return 1 / 0, sys", 1))
    assert looked_for(house, tmp_path, "u") != set(), "the bundle is no longer used"
    assert calls_of(tmp_path) == ["t", "u"]


def test_the_bundle_names_the_extensions_that_its_modules_import() -> None:
    """Those that are not part of the interpreter; any other would be looked for by every hook."""
    code = f"import sys; sys.path.insert(0, {str(PROJECT)!r}); before = set(sys.modules)\n"
    code += f"for name in {USUAL!r}: __import__(name)\n"
    code += "new = [sys.modules[name] for name in set(sys.modules) - before]\n"
    code += "print(*(m.__name__ for m in new if '.so' in (getattr(m, '__file__', None) or '')))"
    done = subprocess.run([sys.executable, "-S", "-E", "-c", code], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= set(bundle.EXTENSIONS)


def test_the_bundle_keeps_nothing_that_is_for_type_checkers_alone() -> None:
    _, contract, _ = bundle.parts("claude")
    (code,) = [code for name, _, code in marshal.loads(contract) if name == "contract.facts"]  # noqa: S302
    room: dict[str, Any] = {"__name__": "facts"}
    exec(code, room)  # noqa: S102 - our own
    assert (facts.encode.__annotations__, room["encode"].__annotations__) == ({"fact": "Fact", "return": "bytes"}, {})
    assert "__annotations__" in vars(facts.Fact)
    assert "__annotations__" not in vars(room["Fact"])
    line = facts.encode.__code__.co_firstlineno
    assert room["encode"].__code__.co_firstlineno == line, "errors are noted with their line"


def test_each_client_has_a_bundle_of_its_own(house: Path, tmp_path: Path) -> None:
    table = house / "contract" / "clients" / "__init__.py"
    table.write_text(table.read_text().replace("NAMES = (", 'NAMES = ("other", '))
    shutil.copy(house / "recorder" / "clients" / "claude.py", house / "recorder" / "clients" / "other.py")
    argv = [sys.executable, "-S", "-E", str(house / "hook.py"), "other"]
    told = json.dumps(call("PreToolUse", "t")).encode()
    for _ in range(2):
        subprocess.run(argv, input=told, env=hook_env(tmp_path), check=True)
    assert facts_in(tmp_path)["main"].client_name == "other"
    packed = bundle_of(house, "other").read_bytes()
    assert (b"/clients/other.py" in packed, b"/clients/claude.py" in packed) == (True, False)
    assert not bundle_of(house).exists()


def test_an_uninstall_takes_the_bundle_along(house: Path, tmp_path: Path) -> None:
    tell(house, tmp_path, "t")
    assert bundle_of(house).exists()
    program.drop_bundles(str(house))
    assert not bundle_of(house).exists()
    uninstall = [sys.executable, str(house / "yourturn.py"), "uninstall", "--yes"]
    tell(house, tmp_path, "t")
    subprocess.run(uninstall, capture_output=True, env=hook_env(tmp_path), check=True)
    assert not bundle_of(house).exists()


def test_what_has_changed_since_counts_at_once(house: Path, tmp_path: Path) -> None:
    tell(house, tmp_path, "t")
    changed = house / "recorder" / "calls.py"
    changed.write_text(changed.read_text() + '\nMOST_CALLS = 1  # so that "t" is forgotten\n')
    tell(house, tmp_path, "u")
    assert calls_of(tmp_path) == ["u"]
    assert looked_for(house, tmp_path, "v") == set(), "the bundle is made anew"
    assert calls_of(tmp_path) == ["v"]


def head_and_rest(path: Path) -> tuple[Any, bytes]:
    """What `hook.py` itself reads of it, and the modules."""
    data = path.read_bytes()
    head = marshal.loads(data)  # noqa: S302
    return head, data[-sum(head[1][-1]) :]


def code_that_fails(path: Path) -> None:
    (unpack, (*known, sizes)), rest = head_and_rest(path)
    broken = marshal.dumps([("contract", "", compile("1 / 0", "x", "exec"))])
    path.write_bytes(marshal.dumps((unpack, (*known, [len(broken), sizes[1]]))) + broken + rest[sizes[0] :])


def no_unpacking(path: Path) -> None:
    (_, content), rest = head_and_rest(path)
    path.write_bytes(marshal.dumps((compile("1 / 0", "x", "exec"), content)) + rest)


def extensions_gone(path: Path) -> None:
    (unpack, (*known, _, sizes)), rest = head_and_rest(path)
    gone = [("fcntl", "/nowhere/fcntl.so")]
    path.write_bytes(marshal.dumps((unpack, (*known, gone, sizes))) + rest)


def of_another_python(path: Path) -> None:
    (unpack, (_, *known)), rest = head_and_rest(path)
    path.write_bytes(marshal.dumps((unpack, ("another", *known))) + rest)


def of_an_older_version(path: Path) -> None:
    (unpack, (version, _, sources, extensions, _)), rest = head_and_rest(path)
    path.write_bytes(marshal.dumps((version, unpack, (sources, extensions, marshal.loads(rest)))))  # noqa: S302


def a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


DAMAGES: dict[str, Callable[[Path], object]] = {
    "empty": lambda path: path.write_bytes(b""),
    "cut off": lambda path: path.write_bytes(path.read_bytes()[:2000]),
    "cut off in a module": lambda path: path.write_bytes(path.read_bytes()[:-2000]),
    "garbage": lambda path: path.write_bytes(b"\0garbage" * 100),
    "another value": lambda path: path.write_bytes(marshal.dumps(7)),
    "code that fails": code_that_fails,
    "it cannot be unpacked": no_unpacking,
    "an extension that is gone": extensions_gone,
    "of an older version of yourturn": of_an_older_version,
    "of another Python": of_another_python,
    "a folder": a_folder,
    "what Python itself would keep there": lambda path: py_compile.compile(str(path.parents[1] / "packed_claude.py")),
    "gone": lambda path: path.unlink(),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_bundle_that_is_no_good_loses_no_event(damage: Callable[[Path], object], house: Path, tmp_path: Path) -> None:
    tell(house, tmp_path, "t")
    damage(bundle_of(house))
    assert tell(house, tmp_path, "u") == ""
    assert calls_of(tmp_path) == ["t", "u"]
    assert not (tmp_path / "state" / "hook.log").exists()


def test_where_no_bundle_can_be_written_hooks_work_without(house: Path, tmp_path: Path) -> None:
    (house / "recorder" / "__pycache__").write_text("a file, not a folder")
    for id_ in ("t", "u"):
        assert tell(house, tmp_path, id_) == ""
    assert calls_of(tmp_path) == ["t", "u"]


def test_what_is_not_in_the_bundle_is_found_as_ever(house: Path, tmp_path: Path) -> None:
    tell(house, tmp_path, "t")
    argv = [sys.executable, "-S", "-E", str(house / "hook.py")]
    subprocess.run(argv, input=b"bad", env=hook_env(tmp_path), check=True)
    assert len((tmp_path / "state" / "hook.log").read_text().splitlines()) == 1


def test_many_first_hooks_leave_one_bundle(house: Path, tmp_path: Path) -> None:
    argv = [sys.executable, "-S", "-E", str(house / "hook.py")]
    running = [subprocess.Popen(argv, stdin=subprocess.PIPE, env=hook_env(tmp_path)) for _ in range(8)]
    for k, process in enumerate(running):
        process.communicate(json.dumps(call("PreToolUse", f"t{k}")).encode())
    assert [name for name in os.listdir(bundle_of(house).parent) if name.startswith("packed_")] == [
        bundle_of(house).name
    ]


def test_each_module_of_the_bundle_comes_after_those_that_it_imports() -> None:
    code = f"import sys; sys.path.insert(0, {str(PROJECT)!r})\nfor name in {USUAL!r}:\n"
    code += "    before = set(sys.modules); __import__(name)\n"
    code += "    print(*(set(sys.modules) - before - {name}))"
    done = subprocess.run([sys.executable, "-S", "-E", "-c", code], capture_output=True, text=True, check=True)
    ours = [word for word in done.stdout.split() if word.startswith(("contract", "recorder"))]
    assert ours == []
