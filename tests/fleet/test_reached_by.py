"""The command that reaches a host."""

import subprocess
from pathlib import Path

import pytest

from fleet import reached_by
from support.needs import need


def test_another_command_than_ssh_is_as_the_user_wrote_it() -> None:
    assert reached_by.argv(["docker", "exec", "-i", "dev"], "yourturn", 5.0) == [
        "docker", "exec", "-i", "dev", "yourturn", "status", "--json", "--full", "--watch", "--all", "--beat", "5",
    ]  # fmt: skip


def test_an_older_version_is_asked_without_the_beat() -> None:
    assert "--beat" not in reached_by.argv(["ssh", "box"], "yourturn", None)


@pytest.mark.parametrize("command", [["ssh", "-p", "22", "box"], ["/usr/bin/ssh", "box"]])
def test_ssh_never_asks_and_its_own_words_stay_in_order(command: list[str]) -> None:
    argv = reached_by.reaching(command)
    assert argv[0] == command[0]
    assert argv[-len(command) + 1 :] == command[1:]
    assert "BatchMode=yes" in argv


def test_the_users_configuration_counts_and_ours_takes_nothing_from_it(tmp_path: Path) -> None:
    """What ssh itself makes of it: `ssh -G` prints the options that would be used."""
    need("ssh")
    config = tmp_path / "config"
    config.write_text(
        "Host box\n HostName 192.0.2.7\n Port 2222\n User me\n ProxyJump gate\n IdentityFile /k\n ForwardAgent yes\n"
        " ControlMaster auto\n ControlPath /c/%C\n LocalForward 8080 localhost:80\n ServerAliveInterval 300\n"
    )
    argv = reached_by.reaching(["ssh", "-G", "-F", str(config), "box"])
    done = subprocess.run(argv, capture_output=True, text=True, check=True).stdout
    found = dict(line.split(" ", 1) for line in done.splitlines())
    wanted = {
        "hostname": "192.0.2.7", "port": "2222", "user": "me", "proxyjump": "gate", "identityfile": "/k",
        "batchmode": "yes", "forwardagent": "no", "forwardx11": "no", "controlmaster": "false",
        "clearallforwardings": "yes", "serveraliveinterval": "5", "serveralivecountmax": "2", "requesttty": "false",
    }  # fmt: skip
    assert {name: found.get(name) for name in wanted} == wanted


@pytest.mark.parametrize("program", ["yourturn", "/home/me/.local/bin/yourturn", "uv run yourturn", "~/bin/yt-1.2"])
def test_plain_words_mean_the_same_to_a_shell(program: str) -> None:
    assert reached_by.is_plain(program)


@pytest.mark.parametrize("program", ["", " ", "a;b", "$(x)", "`x`", "a b'c'", 'a"b', "a|b", "a\\b", "a&b", "(a)", "é"])
def test_what_a_shell_would_read_is_not_plain(program: str) -> None:
    assert not reached_by.is_plain(program)


def test_a_refused_option_is_recognised() -> None:
    assert reached_by.does_not_know("--beat", "yourturn: error: unrecognized arguments: --beat 5")
    assert not reached_by.does_not_know("--beat", "Connection refused")
