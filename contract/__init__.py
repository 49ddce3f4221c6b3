"""What all rooms share: where files are, what is in them, how they are locked, read and replaced."""
