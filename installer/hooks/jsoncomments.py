"""Comments in JSON, which some clients allow in their settings: found, and blanked so that the rest is plain JSON."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|(//[^\r\n]*|/\*.*?\*/)', re.DOTALL)
LINE = "//"
VISIBLE = re.compile(r"[^\r\n]")


class Comment(NamedTuple):
    start: int
    end: int


def comments(text: str) -> list[Comment]:
    """Those outside of strings, in order."""
    if LINE not in text and "/*" not in text:
        return []
    return [Comment(*found.span()) for found in TOKEN.finditer(text) if found[1]]


@lru_cache(maxsize=4)  # each small edit asks for the same text a few times
def blanked(text: str) -> str:
    """The same text with spaces in the place of comments: every other character stays where it is."""
    parts, end = [], 0
    for comment in comments(text):
        parts += [text[end : comment.start], VISIBLE.sub(" ", text[slice(*comment)])]
        end = comment.end
    return "".join([*parts, text[end:]])


def after_comments(text: str, pos: int) -> int:
    """The end of the comments that follow on the same line; the position itself if there are none."""
    end = pos
    for comment in comments(text):
        if comment.start >= end:
            if text[end : comment.start].strip(" \t"):
                break
            end = comment.end
    return end


def joined(left: str, right: str) -> str:
    """Both, without the space at the end of the left one; a comment there must not swallow the right one."""
    left = left.rstrip()
    last = next(reversed(comments(left)), None)
    is_open = last is not None and last.end == len(left) and left.startswith(LINE, last.start)
    needs_break = is_open and not right.lstrip(" \t\r").startswith("\n")
    return left + ("\n" if needs_break else "") + right
