"""Texts from outside, made fit to be kept and shown."""

from __future__ import annotations

SECRET_NAMES = ("token", "secret", "password", "passwd", "apikey", "api_key", "api-key", "authorization", "bearer")
SECRET_STARTS = ("sk-", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "eyJ")


def clean(text: object, limit: int) -> str:
    """One line without control, bidi or invisible characters, cut to the limit; '' for anything but a text."""
    if not isinstance(text, str):
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


def mask(text: str) -> str:
    """The same words with what looks like a secret replaced by ***."""
    words: list[str] = []
    hide_next = False
    for word in text.split():
        hidden = hide_next and not word.startswith("-")
        hide_next, shown = _masked(word)
        words.append("***" if hidden else shown)
        hide_next = hide_next or (hidden and word.strip("'\"").lower() in ("bearer", "basic", "token"))
    return " ".join(words)


def _masked(word: str) -> tuple[bool, str]:
    """Whether the next word is a secret, and this word as it may be shown."""
    bare = word.strip("'\"")
    if bare.startswith(SECRET_STARTS):
        return False, "***"
    scheme, there, rest = word.partition("://")
    if there and "@" in rest.partition("/")[0]:
        return False, f"{scheme}://***@{rest.partition('@')[2]}"
    head, sep, tail = bare.partition("=")
    if not _names_a_secret(head.rstrip(":")):
        head, sep, tail = bare.partition(":")
        if not _names_a_secret(head):
            return False, word
    return (False, f"{head}{sep}***") if tail else (True, word)


def _names_a_secret(name: str) -> bool:
    name = name.lower()
    return name.endswith(SECRET_NAMES) or name.endswith(("_key", "-key")) or name in ("-p", "-u")
