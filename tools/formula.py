"""The Homebrew formula, made from requirements.lock: `python -m tools.formula` writes it anew.

A release adds where its archive is: `python -m tools.formula --url URL --archive FILE`.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import re
import sys
from pathlib import Path
from typing import NamedTuple

from contract.version import VERSION

PROJECT = Path(__file__).parent.parent
LOCK, FORMULA = PROJECT / "requirements.lock", PROJECT / "packaging" / "homebrew" / "yourturn.rb"
OURS = "yourturn (pyproject.toml)"
NOT_RELEASED = f"https://example.org/yourturn-{VERSION}.tar.gz"
PACKAGE = re.compile(r"^(?P<name>[a-z0-9-]+)==(?P<version>[^ ]+)(?: ; (?P<marker>[^\\]+))? \\$")
TEMPLATE = """\
# Written by tools/formula.py; pip checks the hash of each package, as it is in requirements.lock.
class Yourturn < Formula
  include Language::Python::Virtualenv

  desc "See which of your coding agents need you"
  homepage "https://example.org/yourturn"
  url "{url}"
  sha256 "{digest}"
  license "MIT"

  depends_on "python@3.13"

  REQUIREMENTS = <<~'LOCK'.freeze
{requirements}
  LOCK

  def install
    (buildpath/"requirements-run.lock").write REQUIREMENTS
    venv = virtualenv_create(libexec, "python3.13")
    system "python3.13", "-m", "pip", "--python", libexec/"bin/python", "install",
           "--require-hashes", "--requirement", buildpath/"requirements-run.lock"
    venv.pip_install_and_link buildpath
    man1.install_symlink libexec/"share/man/man1/yourturn.1"
    generate_completions_from_executable(bin/"yourturn", "completion")
  end

  service do
    run [opt_bin/"yourturn", "watch", "--replace"]
    keep_alive crashed: true
    process_type :background
    environment_variables PATH: std_service_path_env
  end

  def caveats
    <<~TEXT
      To add the hooks to Claude Code: yourturn install
      The hooks start the watcher; to have it run always: brew services start yourturn
      Before you remove yourturn: yourturn uninstall
    TEXT
  end

  test do
    assert_match "yourturn #{{version}}", shell_output("#{{bin}}/yourturn --version")
    ENV["YOURTURN_HOME"] = testpath/"state"
    assert_match '"known": false', shell_output("#{{bin}}/yourturn status --json")
  end
end
"""


class Package(NamedTuple):
    name: str
    version: str
    marker: str
    hashes: tuple[str, ...]
    needed_by: tuple[str, ...]


def packages(lock: str) -> dict[str, Package]:
    """All that a lock names, as uv writes it."""
    found: dict[str, Package] = {}
    for block in re.split(r"^(?=[a-z])", lock, flags=re.MULTILINE)[1:]:
        first, *rest = block.splitlines()
        matched = PACKAGE.match(first)
        if matched is None:
            raise ValueError(f"this line of the lock is not understood: {first}")
        needed_by = [line.strip().removeprefix("#").strip().removeprefix("via").strip() for line in rest if "#" in line]
        hashes = re.findall(r"--hash=(sha256:[0-9a-f]{64})", block)
        name, version, marker = matched.group("name", "version", "marker")
        found[name] = Package(name, version, marker or "", tuple(hashes), tuple(filter(None, needed_by)))
    return found


def needed(locked: dict[str, Package]) -> list[Package]:
    """Those that run with us, and what they need; not those that only develop us."""
    names = {OURS}
    while more := {one.name for one in locked.values() if names & set(one.needed_by)} - names:
        names |= more
    return [one for name, one in sorted(locked.items()) if name in names]


def formula(lock: str, url: str = NOT_RELEASED, digest: str = "0" * 64) -> str:
    lines: list[str] = []
    for one in needed(packages(lock)):
        marker = f" ; {one.marker}" if one.marker else ""
        lines += [f"    {one.name}=={one.version}{marker} \\", *(f"      --hash={value} \\" for value in one.hashes)]
        lines[-1] = lines[-1].removesuffix(" \\")
    return TEMPLATE.format(url=url, digest=digest, requirements="\n".join(lines))


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.formula", description=__doc__)
    parser.add_argument("--url", default=NOT_RELEASED, help="where the archive of the release is")
    parser.add_argument("--archive", type=Path, help="the same archive, for its hash")
    args = parser.parse_args()
    digest = hashlib.sha256(args.archive.read_bytes()).hexdigest() if args.archive else "0" * 64
    os.makedirs(FORMULA.parent, exist_ok=True)
    FORMULA.write_text(formula(LOCK.read_text(), args.url, digest))
    return 0


if __name__ == "__main__":
    sys.exit(main())
