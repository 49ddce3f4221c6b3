"""A package that is missing is added with the tool that has installed us."""

from __future__ import annotations

import pytest

from contract import installation
from contract.installation import Tool, line, tool
from support.project import PROJECT

PREFIX, PROJECT_THERE = "/env", "/env/lib/python3.12/site-packages/yourturn"


@pytest.mark.parametrize(
    ("files", "prefix", "found"),
    [
        ({f"{PREFIX}/uv-receipt.toml"}, PREFIX, Tool.UV),
        ({f"{PREFIX}/pipx_metadata.json"}, PREFIX, Tool.PIPX),
        ({f"{PROJECT_THERE}/tools/setup.sh"}, PREFIX, Tool.CHECKOUT),
        (set(), "/opt/homebrew/Cellar/yourturn/1.0/libexec", Tool.HOMEBREW),
        (set(), PREFIX, Tool.PIP),
    ],
)
def test_each_tool_is_known_by_what_it_leaves(files: set[str], prefix: str, found: Tool) -> None:
    assert tool(PROJECT_THERE, prefix, files.__contains__) is found


def test_each_tool_has_a_line_of_its_own() -> None:
    lines = [line(one, "dbus-fast", "/my env/bin/python", "/my src") for one in Tool]
    assert lines == [
        "make -C '/my src' setup",
        "uv tool install --with dbus-fast yourturn",
        "pipx inject yourturn dbus-fast",
        "brew reinstall yourturn",
        "'/my env/bin/python' -m pip install dbus-fast",
        "'/my env/bin/python' -m pip install --target '/my src' dbus-fast",
    ]


def test_each_tool_removes_what_it_has_installed_and_nobody_a_checkout() -> None:
    removal = [installation.removal(one, "/env/bin/python", "/x/yourturn-carried", "/home/me") for one in Tool]
    assert removal[:3] == ["", "uv tool uninstall yourturn", "pipx uninstall yourturn"]
    assert removal[3:5] == ["brew uninstall yourturn", "/env/bin/python -m pip uninstall yourturn"]
    assert removal[5:] == ["rm -r /x/yourturn-carried /home/me/.local/bin/yourturn"]


def test_a_copy_from_another_machine_is_known_by_its_folder() -> None:
    assert tool("/home/me/.local/share/yourturn-carried", PREFIX, lambda _: False) is Tool.CARRIED


def test_here_it_is_a_checkout() -> None:
    assert installation.adding("dbus-fast") == f"make -C {PROJECT} setup"
