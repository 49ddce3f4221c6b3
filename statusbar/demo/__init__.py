"""`yourturn demo`: a made-up day with agents, played in a state folder of its own."""
