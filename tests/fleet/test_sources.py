"""hosts.toml: read strictly, changed without touching what a person wrote."""

import os
import stat
from pathlib import Path

import pytest

from fleet import sources
from fleet.sources import Source, Wrong

BY_HAND = """# my machines

[box]   # the one under the desk
command = 'ssh -p 2222 box'

# the other one
[dev]
command = "docker exec -i dev"
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "hosts.toml"


def test_no_file_is_no_machine(path: Path) -> None:
    assert sources.load(str(path)) == {}


def test_a_file_by_hand_is_read(path: Path) -> None:
    path.write_text(BY_HAND)
    found = sources.load(str(path))
    assert found == {"box": Source("box", "ssh -p 2222 box"), "dev": Source("dev", "docker exec -i dev")}
    assert found["box"].words == ["ssh", "-p", "2222", "box"]


@pytest.mark.parametrize(
    "text",
    {
        "broken": "[box\n", "no table": "box = 1\n", "no command": "[box]\n", "both": '[a]\ncommand="x"\nbroker="mqtts://h"\n',
        "unknown": '[a]\ncommand="x"\nport=1\n', "no text": "[a]\ncommand=1\n", "empty": '[a]\ncommand=" "\n',
        "open quote": '[a]\ncommand="ssh \'box"\n', "a name": '["../a"]\ncommand="x"\n', "bytes": "\udcff",
    }.items(),
    ids=lambda pair: pair[0],
)  # fmt: skip
def test_whatever_is_wrong_names_the_file(text: tuple[str, str], path: Path) -> None:
    path.write_bytes(text[1].encode(errors="surrogateescape"))
    with pytest.raises(Wrong, match=r"hosts\.toml"):
        sources.load(str(path))


def test_a_broken_file_is_not_written_to(path: Path) -> None:
    path.write_text("[box\n")
    with pytest.raises(Wrong):
        sources.add(str(path), Source("new", "ssh new"))
    assert path.read_text() == "[box\n"


def test_what_a_person_wrote_stays(path: Path) -> None:
    path.write_text(BY_HAND)
    sources.add(str(path), Source("new", "ssh new", ".local/bin/yourturn"))
    assert path.read_text().startswith(BY_HAND)
    sources.remove(str(path), "new")
    assert path.read_text().strip() == BY_HAND.strip()
    sources.remove(str(path), "box")
    assert "# the other one" in path.read_text()
    assert set(sources.load(str(path))) == {"dev"}


def test_lines_that_end_as_on_windows_stay_so(path: Path) -> None:
    path.write_bytes(BY_HAND.replace("\n", "\r\n").encode())
    sources.add(str(path), Source("new", "ssh new"))
    assert path.read_bytes().startswith(BY_HAND.replace("\n", "\r\n").encode())
    assert set(sources.load(str(path))) == {"box", "dev", "new"}


def test_a_link_to_a_file_kept_elsewhere_stays_a_link(path: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles" / "hosts.toml"
    real.parent.mkdir()
    real.write_text(BY_HAND)
    path.symlink_to(real)
    sources.add(str(path), Source("new", "ssh new"))
    assert path.is_symlink()
    assert "new" in sources.load(str(real))


def test_with_the_last_machine_the_file_goes_unless_a_person_wrote_more(path: Path) -> None:
    sources.add(str(path), Source("box", "ssh box"))
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    sources.remove(str(path), "box")
    assert not os.path.lexists(path)
    path.write_text('# mine\n[box]\ncommand = "ssh box"\n')
    sources.remove(str(path), "box")
    assert path.read_text() == "# mine\n"


def test_quotes_and_backslashes_of_a_command_come_back_as_they_were(path: Path) -> None:
    command = r"""ssh -o 'ProxyCommand=nc "%h" 22\\' box"""
    sources.add(str(path), Source("box", command))
    assert sources.load(str(path))["box"].command == command


@pytest.mark.parametrize("name", ["", "-box", ".box", "a b", "a/b", "../x", "a\n", "x" * 41, "bøx", "box@home"])
def test_a_name_that_could_be_something_else_is_refused(name: str) -> None:
    assert "is no name" in sources.check(Source(name, "ssh box"))
