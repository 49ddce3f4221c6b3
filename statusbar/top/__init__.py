"""`yourturn top`: the live view in a terminal."""
