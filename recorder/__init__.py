"""The back room of the hook: what it does with an event, kept apart so that Python can keep the bytecode."""
