"""`yourturn demo`: made-up sessions in a temporary state folder."""
