"""A command of ours in a terminal that stays until Enter is pressed. Run by its path, so it imports nothing of ours."""

import subprocess
import sys


def main(argv: list[str]) -> int:
    done = subprocess.run([sys.executable, *argv], check=False)
    print("\nPress Enter to close this window.", flush=True)
    sys.stdin.readline()
    return done.returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
