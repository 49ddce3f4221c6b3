"""What runs on another machine to install yourturn there, or to take it away again.

It is sent over the connection as text, to any Python 3 there: nothing of ours can be imported. The last line, which is
added before it is sent, calls `main`.
"""

import base64
import io
import json
import os
import shutil
import subprocess
import sys
import tarfile

OLDEST = (3, 11)
MARK = "# installed by yourturn from another machine"
HOME = os.path.expanduser("~")
FOLDER = os.path.join(os.environ.get("XDG_DATA_HOME") or os.path.join(HOME, ".local", "share"), "yourturn-carried")
LAUNCHER = os.path.join(HOME, ".local", "bin", "yourturn")
MADE = os.path.join(FOLDER, "made.json")  # the folders that were made for it


def main(deed: str, archive: str = "") -> None:
    """One line of JSON: whether it is done, what happened in words, and how yourturn is called there."""
    try:
        words = {"install": install, "uninstall": uninstall}[deed](archive)
        done = True
    except Refused as refusal:
        words, done = str(refusal), False
    except (OSError, tarfile.TarError, subprocess.SubprocessError) as error:
        words, done = str(error), False
    print(json.dumps({"done": done, "words": words, "program": LAUNCHER}))


class Refused(Exception):  # noqa: N818 - an expected outcome
    pass


def install(archive: str) -> str:
    if sys.version_info < OLDEST:
        raise Refused(f"python3 there is {sys.version_info[0]}.{sys.version_info[1]}; yourturn needs 3.11 or newer")
    if not sys.platform.startswith("linux"):
        raise Refused("over a connection yourturn is installed on Linux only; use uv, pipx or Homebrew there")
    if os.path.lexists(LAUNCHER) and not is_ours():
        raise Refused(f"{LAUNCHER} is there already, and was not brought there by `hosts add --install`")
    made = remove() + make_folders(FOLDER) + make_folders(os.path.dirname(LAUNCHER))
    os.chmod(FOLDER, 0o700)
    with open(MADE, "w", encoding="utf-8") as file:
        json.dump(sorted(set(made)), file)
    with tarfile.open(fileobj=io.BytesIO(base64.b64decode(archive))) as packed:
        if hasattr(tarfile, "data_filter"):  # not before 3.11.4
            packed.extraction_filter = tarfile.data_filter
        packed.extractall(FOLDER)  # noqa: S202 - our own archive, and filtered
    program = os.path.join(FOLDER, "yourturn.py")
    with open(LAUNCHER, "w", encoding="utf-8") as file:
        file.write(f'#!/bin/sh\n{MARK}\nexec {quoted(sys.executable)} -E {quoted(program)} "$@"\n')
    os.chmod(LAUNCHER, 0o700)
    return run("install", "--yes")


def uninstall(_archive: str) -> str:
    if not is_ours():
        raise Refused("yourturn was not brought there by `hosts add --install`; uninstall it there")
    words = run("uninstall", "--yes").partition("To remove the program too")[0]
    for folder in sorted(remove(), reverse=True):
        if os.path.isdir(folder) and not os.listdir(folder):
            os.rmdir(folder)
    return words


def run(*words: str) -> str:
    done = subprocess.run(
        [LAUNCHER, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
        timeout=120,
    )  # fmt: skip
    said = done.stdout.decode(errors="replace")
    if done.returncode:
        raise Refused(f"`yourturn {words[0]}` there: {said.strip()[-400:] or done.returncode}")
    return said


def remove() -> "list[str]":
    """The folders that were made for it, and may be of use to others by now."""
    try:
        with open(MADE, encoding="utf-8") as file:
            made = [str(folder) for folder in json.load(file)]
    except (OSError, ValueError):
        made = []
    shutil.rmtree(FOLDER, ignore_errors=True)
    if is_ours():
        os.unlink(LAUNCHER)
    return made


def make_folders(folder: str) -> "list[str]":
    """It and those above it that are missing; which those were."""
    made = []
    while not os.path.isdir(folder):
        made.append(folder)
        folder = os.path.dirname(folder)
    for missing in reversed(made):
        os.mkdir(missing)
    return made


def is_ours() -> bool:
    try:
        with open(LAUNCHER, encoding="utf-8", errors="replace") as file:
            return MARK in file.read(4096)
    except OSError:
        return False


def quoted(word: str) -> str:
    return "'" + word.replace("'", "'\\''") + "'"
