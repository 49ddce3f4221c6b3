"""Texts: how wide they are, and how ages, states and details are written."""
