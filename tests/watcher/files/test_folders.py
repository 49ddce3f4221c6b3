"""The folders in which a change of a file matters."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from watcher.files.folders import TranscriptFolders

if TYPE_CHECKING:
    from watcher.clients.base import Transcripts


def at(folder: str, *files: str) -> Transcripts:
    return cast("Transcripts", SimpleNamespace(folders={folder}, files=set(files)))


def test_whether_another_folder_matters_is_known() -> None:
    folders = TranscriptFolders()
    folders.has_changed = False
    folders.follow("a", at("/one"))
    assert (folders.has_changed, folders.all()) == (True, {"/one"})
    folders.has_changed = False
    folders.follow("a", at("/one"))
    assert not folders.has_changed
    folders.forget("a")
    assert (folders.has_changed, folders.all()) == (True, set())


def test_a_file_that_names_no_session_is_known_to_be_of_one() -> None:
    folders = TranscriptFolders()
    folders.follow("a", at("/one", "/one/x.jsonl"))
    folders.follow("b", at("/one"))
    assert folders.sessions_of("/one/x.jsonl") == {"a"}
    folders.forget("a")
    assert folders.sessions_of("/one/x.jsonl") == set()
