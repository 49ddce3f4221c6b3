"""`yourturn doctor`: the checks."""
