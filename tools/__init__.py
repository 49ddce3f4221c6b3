"""For those who work on this: setup, tests, the client that is tested against, the pictures of the README."""
