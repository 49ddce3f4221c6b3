"""What is in a small file."""

from pathlib import Path

from contract.content import content


def test_a_file_that_is_not_there_or_cannot_be_read_has_nothing_in_it(tmp_path: Path) -> None:
    file = tmp_path / "file"
    assert content(str(file)) == b""
    file.write_bytes(b"x")
    assert content(str(file)) == b"x"
    assert content(str(tmp_path)) == b"", "a folder cannot be read"
