"""What pyobjc brings along."""  # noqa: N999 - the name is theirs
