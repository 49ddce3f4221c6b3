"""What the hook does with an event; apart from `hook.py`, because Python keeps no bytecode of a script."""
