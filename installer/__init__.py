"""The room that moves in and out: hooks, services, doctor."""
