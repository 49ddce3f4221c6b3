"""Answers from outside: what an agent asks, shown to a person, and that person's word brought back to the client.

`waiting_hook` is the client's side (for an agent that we host, it is the process that waits for it: `agency.host`),
`give` is the side of whoever answers; between them lie a file and a pipe for each request that is open. The one rule:
a person approves exactly what they saw, or nothing happens.
"""
