"""Starts and ends agents, asks the gate first and writes everything down; the only room that does so."""
