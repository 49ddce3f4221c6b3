"""Answers from outside: what an agent asks, shown to a person, and that person's word brought back to the client.

`hold` is the waiting hook's side (an agent that we host has its keeper wait: `agency.host`), `give` is the side of
whoever answers; between them lie a file and a pipe for each request that is open. The one rule: a person approves
exactly what they saw, or nothing happens.
"""
