"""`yourturn doctor`: every link of the chain, judged."""
