"""Attacks on what must not break: each is asserted to have hit, and what it lost is counted."""
