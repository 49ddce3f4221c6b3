"""What the process table says about the terminal of a process."""

import os
import subprocess
import sys

from statusbar.terminals import ancestry, go

TABLE = """    1     0 ??       /sbin/launchd
  500     1 ??       /Applications/iTerm.app/Contents/MacOS/iTerm2
  600   500 ttys004  -zsh
  700   600 ttys004  /opt/my tools/claude
"""


def test_the_table_of_macos_tells_programs_and_ttys() -> None:
    found = ancestry.parse(TABLE)
    assert ancestry.above(found, 700) == ("-zsh", "iTerm2")
    assert ancestry.tty(found, 700) == "/dev/ttys004"
    assert ancestry.tty(found, 500) == ""
    assert ancestry.term_program(ancestry.above(found, 700)) == "iTerm.app"
    assert ancestry.above(found, 999) == ()
    assert ancestry.above({5: ancestry.Process(5, "?", "loop")}, 5) == ("loop",) * 19


def test_the_real_table_knows_us_and_our_parent() -> None:
    found = ancestry.table()
    assert found[os.getpid()].parent == os.getppid()
    assert ancestry.above(found, os.getpid())


def test_only_what_is_asked_for_is_read_of_an_environment() -> None:
    argv = [sys.executable, "-c", "import sys; print('up', flush=True); sys.stdin.read()"]
    env = {"KITTY_WINDOW_ID": "3", "SECRET": "x"}
    with subprocess.Popen(argv, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as one:
        assert one.stdout
        assert one.stdout.readline() == "up\n"
        wanted = {"KITTY_WINDOW_ID": "3"} if sys.platform == "linux" else {}
        assert ancestry.environment(one.pid, go.OUTER) == wanted
        one.communicate("")
    assert ancestry.environment(one.pid, go.OUTER) == {}
