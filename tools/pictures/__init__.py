"""Draws what is in docs/ anew, from the real program: `python -m tools.pictures [NAME...]`."""
