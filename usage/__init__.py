"""Counts tokens from the clients' own transcripts, each message once, and says what they would cost at API prices."""
