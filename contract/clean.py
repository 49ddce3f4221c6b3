"""Texts from outside, made fit to be kept and shown."""

from __future__ import annotations


def clean(text: object, limit: int) -> str:
    """One line without control, bidi or invisible characters, cut to the limit; '' for anything but a text."""
    if not text or not isinstance(text, str):
        return ""
    text = text[: limit * 4]
    if not text.isprintable():
        text = "".join([c if c.isprintable() else " " for c in text])
    text = " ".join(text.split())
    return text if len(text) <= limit else text[: limit - 1] + "…"


def quoted(text: str) -> str:
    """Marked as somebody else's words: data, and nobody's command. They cannot close their quotes themselves."""
    for mark in "“”":
        text = text.replace(mark, '"')
    return f"“{text}”"


def labelled(detail: str, quote: str) -> str:
    """A detail with its end in quotes, if that is an agent's own text."""
    return detail.removesuffix(quote) + quoted(quote) if quote and detail.endswith(quote) else detail
