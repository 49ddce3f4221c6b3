"""Texts: how wide they are, how ages and states are written."""
