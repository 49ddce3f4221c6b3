"""`yourturn day` and `yourturn stats`: from the observations to spans of states, from these to pictures and numbers."""
