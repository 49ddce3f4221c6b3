"""`yourturn web` as it is typed: what it prints, and what it refuses."""

from __future__ import annotations

import socket
import stat
import subprocess
import sys
from typing import TYPE_CHECKING

import yourturn as front_door
from contract import installation
from statusbar.web import command
from support.command import YOURTURN, yourturn
from support.patience import until
from support.project import PROJECT
from support.serving import serving
from support.showing import environ

if TYPE_CHECKING:
    from pathlib import Path

    import pytest

EVERYWHERE = "0.0.0.0"  # noqa: S104 - for a moment, and with a token


def test_a_port_that_is_taken_is_said_with_another(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        found = yourturn(tmp_path, "web", "--listen", f"127.0.0.1:{port}")
    assert (found.returncode, found.stdout) == (1, "")
    assert f"127.0.0.1:{port} is in use already" in found.stderr
    assert f"--listen 127.0.0.1:{port + 1}" in found.stderr


def test_an_address_of_nobody_is_said(tmp_path: Path) -> None:
    for host in ("192.0.2.1", "no-such-host.invalid"):
        found = yourturn(tmp_path, "web", "--listen", f"{host}:7414")
        assert (found.returncode, found.stdout) == (1, "")
        assert f"{host}:7414 cannot be listened on" in found.stderr


def test_a_token_file_that_others_can_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "token"
    path.write_text("a" * 32)
    path.chmod(0o644)
    found = yourturn(tmp_path, "web", "--listen", "127.0.0.1:0", "--token-file", str(path))
    assert (found.returncode, found.stdout) == (1, "")
    assert f"chmod 600 {path}" in found.stderr


def test_it_is_for_this_machine_alone_unless_told_otherwise(tmp_path: Path) -> None:
    with serving(tmp_path) as web:
        assert web.told["url"] == f"http://127.0.0.1:{web.port}/?token={web.token}"
        assert web.stop() == (0, "")
    with serving(tmp_path, "--listen", f"{EVERYWHERE}:0") as web:
        code, said = web.stop()
    assert code == 0
    assert f"WARNING: {EVERYWHERE}:{web.port} is not this machine alone" in said
    assert EVERYWHERE not in web.told["url"], "a link that works elsewhere"


def test_nothing_is_kept_on_disk(tmp_path: Path) -> None:
    with serving(tmp_path) as web:
        web.enter()
        web.get("/")
        web.stop()
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and web.token.encode() in path.read_bytes()]
    assert kept == []


def test_without_its_package_it_says_how_to_add_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("YOURTURN_HOME", str(tmp_path))
    monkeypatch.setattr(command, "LIBRARY", "no_such_package")
    assert front_door.main(["web", "--listen", "0"]) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert installation.adding("no_such_package") in said.err


def test_a_browser_is_given_a_link_that_works_once(tmp_path: Path) -> None:
    """Its arguments can be read by others: the token itself is not in them."""
    opened = tmp_path / "opened"
    browser = tmp_path / "browser"
    browser.write_text(f"#!{sys.executable}\nimport sys\nopen({str(opened)!r}, 'w').write(sys.argv[1])\n")
    browser.chmod(stat.S_IRWXU)
    with serving(tmp_path, "--listen", "0", "--open", BROWSER=f"{browser} %s") as web:
        link = until(lambda: opened.exists() and opened.read_text(), "a browser")
        path = link.removeprefix(web.origin)
        assert web.token not in link
        assert (web.get(path).status, web.get(path).status) == (303, 401)
        web.enter()


def test_for_a_person_the_link_stands_alone_on_its_line(tmp_path: Path) -> None:
    argv, pipe = [*YOURTURN, "web", "--listen", "0"], subprocess.PIPE
    with subprocess.Popen(argv, env=environ(tmp_path), cwd=PROJECT, stdout=pipe, stderr=pipe, text=True) as web:
        assert web.stdout
        assert web.stderr
        line, said = web.stdout.readline(), web.stderr.readline()
        web.terminate()
        assert web.communicate() == ("", "")
    assert line.startswith("http://127.0.0.1:")
    assert "/?token=" in line
    assert "only look" in said
    assert web.returncode == 0
