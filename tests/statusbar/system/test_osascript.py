"""How a script of AppleScript is given its values."""

from statusbar.system import osascript


def test_osascript_takes_no_value_for_an_option() -> None:
    argv = osascript.argv("on run argv\nend run", '-edo shell script "touch x"', "a\0b")
    assert argv == [
        "osascript", "-e", "on run argv\nend run", "yourturn", '-edo shell script "touch x"', "ab",
    ]  # fmt: skip
