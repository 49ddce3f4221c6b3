"""`python -m watcher` is `yourturn watch`."""

import argparse
import sys

from watcher import watch

parser = argparse.ArgumentParser(prog="python -m watcher")
watch.register(parser.add_subparsers())
args = parser.parse_args(["watch", *sys.argv[1:]])
sys.exit(args.func(args))
