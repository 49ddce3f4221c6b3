"""What of a command is known to be harmless stands; the rest is hidden, because any of it may be a secret.

Harmless are programs, subcommands, names of options and of variables, paths and files, short plain words, small
numbers, and addresses without user and query. Behind the name of a secret even a plain word is hidden: what stands
there must be certain to be harmless.
"""

from __future__ import annotations

from contract import harmless
from contract.harmless import FOLDERS, QUOTES, SIGNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

HIDDEN = "***"
BLANKS, ENDS = " \t\r\n", "|&;()`\n"
SCHEMES = ("bearer", "basic", "token", "digest")
# Letters of options that mean the same with these programs; others that we know have none.
OPTIONS = {
    "curl": "dFubHUxeTE", "http": "aA", "https": "aA", "mysql": "p", "mysqldump": "p", "mysqladmin": "p", "su": "c",
    "mariadb": "p", "sshpass": "p", "login": "pu", "redis-cli": "a", "unzip": "P", "zip": "P", "7z": "p", "docker": "e",
    "podman": "e", "java": "D", "mvn": "D", "gradle": "PD", "psql": "vcW", "gh": "bfF", "ansible": "e", "openssl": "kK",
    "ansible-playbook": "e", "mount": "o", "snmpwalk": "cAX", "snmpget": "cAX",
}  # fmt: skip
OTHERS = "aAkKpPsStTuUwWxX"  # of a program that nobody knows
KNOWN = frozenset((
    "awk", "bash", "black", "brew", "bun", "bundle", "cargo", "cat", "cd", "chmod", "chown", "clang", "claude",
    "cmake", "code", "composer", "cp", "curl", "cut", "date", "deno", "df", "diff", "docker", "dotnet", "du", "echo",
    "eslint", "fd", "find", "gcc", "gem", "git", "go", "gradle", "grep", "gunzip", "gzip", "head", "java", "javac",
    "jest", "jq", "kill", "less", "kubectl", "ln", "ls", "make", "mkdir", "mv", "mvn", "mypy", "next", "ninja",
    "node", "npm", "npx", "patch", "pip", "pip3", "pnpm", "podman", "poetry", "prettier", "printf", "ps", "pytest",
    "python", "python3", "rg", "rm", "rmdir", "rsync", "ruby", "ruff", "rustc", "scp", "sed", "sh", "sort", "ssh",
    "ssh-keygen", "sudo", "swift", "systemctl", "tail", "tar", "tee", "test", "time", "timeout", "tmux", "touch",
    "tox", "tr", "tsc", "uniq", "uv", "uvicorn", "vim", "vite", "vitest", "watch", "wc", "wget", "which", "xargs",
    "yarn", "zsh",
))  # fmt: skip
WRAPPERS = frozenset((
    "sudo", "env", "time", "nice", "nohup", "exec", "command", "then", "do", "else", "if", "while", "!",
))  # fmt: skip
# Programs that are told passwords as plain words.
CONFIDANTS = frozenset((
    "bcrypt-cli", "bw", "expect", "net", "op", "radtest", "rclone", "screen", "signtool", "smbclient", "xdotool",
))  # fmt: skip
LINKS = ("services", "hooks", "reset", "confirm", "verify", "invite")  # what follows in an address opens a door
MESSAGES = ("-m", "-am", "--message", "--title", "--description")
COLONS = frozenset((
    "npm", "yarn", "pnpm", "bun", "docker", "podman", "git", "bazel", "rake", "gradle",
))  # fmt: skip
VERBS = frozenset((
    "add", "create", "delete", "get", "list", "ls", "remove", "rm", "set", "show", "status", "unset",
))  # fmt: skip


def mask(text: str, limit: int = 400) -> str:
    """Behind the limit, at the least, nothing is looked at any more."""
    text = text.replace("\\\n", " ")
    shown: list[str] = []
    hides_echo = any(sign in text for sign in "|<>(`")  # what is echoed goes somewhere
    command = _Command(hides_echo=hides_echo)
    for gap, word in _words(text):
        if sum(map(len, shown)) > limit:
            break
        if word.startswith("<<"):
            shown.append(f"{gap}{word} {HIDDEN}")
            break  # what follows is the content of a file
        if word[0] in ENDS:
            command = _Command(hides_echo=hides_echo)
        is_sign = word[0] in ENDS or word[0] in "<>"
        _add(shown, gap, word if is_sign else command.show(word))
    return "".join(shown)


def _add(shown: list[str], gap: str, word: str) -> None:
    """Many hidden words are no more to see than one."""
    if word != HIDDEN or not shown or shown[-1].strip() != HIDDEN:
        shown.append(gap + word)


def _words(text: str) -> Iterator[tuple[str, str]]:
    """Each word of a line of the shell, quotes and all, and the blanks before it."""
    at, end = 0, len(text)
    while at < end:
        start = at
        while at < end and text[at] in BLANKS and text[at] != "\n":
            at += 1
        gap, start = " " if at > start else "", at
        if at < end and text[at] in ENDS + "<>":
            while at < end and text[at] == text[start]:
                at += 1
        else:
            at = _end_of_word(text, at)
        if at > start:
            yield gap, text[start:at]


def _end_of_word(text: str, at: int) -> int:
    quote = ""
    while at < len(text):
        char = text[at]
        if char == "\\" and quote != "'":
            at += 1
        elif quote:
            quote = "" if char == quote else quote
        elif char in QUOTES:
            quote = char
        elif char in BLANKS or char in ENDS or char in "<>":
            break
        at += 1
    return min(at, len(text))


class _Command:
    """One command of a line, read word by word."""

    __slots__ = ("begins", "hides_echo", "hides_next", "hides_rest", "is_prose", "programs", "tells_next")

    def __init__(self, *, hides_echo: bool) -> None:
        self.programs: list[str] = []  # and subcommands
        self.begins = True  # the program is yet to come
        self.hides_echo = hides_echo
        self.hides_next = self.hides_rest = False  # something was called like a secret
        self.tells_next = self.is_prose = False  # what comes next, or all of this, is a message

    def show(self, word: str) -> str:
        bare = "".join([char for char in word if char not in QUOTES])
        if bare.startswith("-") and bare not in SIGNS:
            return self._option(word, bare)
        hides, self.hides_next = self.hides_next or self.hides_rest, False
        tells, self.tells_next = self.tells_next, False
        name, equals, value = word.partition("=")
        if equals and harmless.is_name(name) and (value or name.isupper()):  # else it is the end of something encoded
            return f"{name}={_value(name, value)}"
        if any(char in BLANKS for char in bare):
            return self._text(word, hides=hides, tells=tells)
        if "://" in bare:
            return _address(bare)
        return self._program(word, bare) if self.begins else self._argument(word, bare, hides=hides)

    def _program(self, word: str, bare: str) -> str:
        name = bare.rpartition("/")[2]
        self.begins = name in WRAPPERS
        self.programs.append(name)
        self.hides_rest = name in CONFIDANTS or harmless.is_secret(name) or self._tells_secret(name)
        return word if harmless.is_program(bare) else HIDDEN

    def _argument(self, word: str, bare: str, *, hides: bool) -> str:
        if harmless.is_place(bare) and not hides:
            return word
        head, colon, tail = bare.partition(":")
        if self._is_secret(head, colon):
            self.hides_rest = True
            return _named(head, colon, tail) if harmless.is_known(head) or not hides else HIDDEN
        if hides:
            self.hides_next = bare.lower() in SCHEMES  # the secret itself is yet to come
            return word if harmless.is_certain(word) or bare in VERBS or bare in harmless.VALUES else HIDDEN
        self.programs.append(bare)
        self.hides_rest = (bool(colon) and harmless.is_secret(tail)) or self._tells_secret(bare)
        if word[0] in QUOTES and KNOWN.isdisjoint(self.programs):
            return HIDDEN  # who puts a single word in quotes may well have a reason
        if harmless.is_certain(word) or harmless.is_plain(bare) or (colon and self._may_stand(head, tail)):
            return word
        return _path(bare) if bare.startswith(FOLDERS) else _named(head, colon, tail) if colon else HIDDEN

    def _tells_secret(self, word: str) -> bool:
        """Whether it may well be followed by one, as a program or in a line for another shell."""
        is_setting = word == "set" and "config" in self.programs
        is_echo = word in ("echo", "printf") and self.hides_echo
        return (is_setting or is_echo) and not self.is_prose

    def _is_secret(self, name: str, colon: str) -> bool:
        """In prose many words are that would be the name of a secret elsewhere."""
        return harmless.is_secret(name) and (not self.is_prose or bool(colon) or name.lower() in harmless.SECRETS)

    def _may_stand(self, head: str, tail: str) -> bool:
        """Two words with a colon between them: of some programs they are names, of others a name and a password."""
        is_usual = "@" in head or harmless.is_certain(tail) or not COLONS.isdisjoint(self.programs)
        return is_usual and harmless.is_plain(head) and harmless.is_plain(tail)

    def _option(self, word: str, bare: str) -> str:
        name, equals, value = word.partition("=")
        self.tells_next = bare in MESSAGES
        if equals and harmless.is_name(name.strip("-" + QUOTES)):
            is_ours = bare.startswith("--") or not self._takes(bare[1])
            return f"{name}={_value(name, value, is_option=is_ours)}"
        if bare.startswith("--"):
            self.hides_next = harmless.takes_secret(bare)
            return word if harmless.is_plain(bare.strip("-").lower()) else HIDDEN
        return self._letters(word, bare)

    def _letters(self, word: str, bare: str) -> str:
        """An option of one dash: letters, or a letter with its value."""
        name, takes = bare[1:].lower(), self._takes(bare[1])
        self.hides_next = (
            name in harmless.SECRET_WORDS or name in harmless.SECRETS or (takes and len(bare) == len("-p"))
        )
        if self.hides_next or (harmless.is_plain(name) and not takes):
            return word
        is_short = len(bare) <= len("-name") and name.isalpha() and bare[1] not in self._secret_letters()
        self.hides_next = is_short and self._takes(bare[-1])
        return word if is_short else f"-{bare[1]}{HIDDEN}"

    def _takes(self, letter: str) -> bool:
        """Whether an option of this letter has a value that may be a secret."""
        return letter in self._secret_letters() or (letter in OTHERS and KNOWN.isdisjoint(self.programs))

    def _secret_letters(self) -> str:
        return "".join([OPTIONS.get(program, "") for program in self.programs])

    def _text(self, word: str, *, hides: bool, tells: bool) -> str:
        """Several words in quotes: prose, or something for another program to read."""
        self.begins = False
        if word[0] not in QUOTES:
            return HIDDEN
        inner = _Command(hides_echo=True)
        inner.programs, inner.begins, inner.hides_rest = self.programs[:1], False, hides
        inner.is_prose = tells
        shown: list[str] = []
        for k, part in enumerate(word.strip(word[0]).split()):
            has_quotes = any(char in QUOTES for char in part)
            _add(shown, " " if k else "", HIDDEN if has_quotes else inner.show(part))
        return word[0] + "".join(shown) + word[0]


def _value(name: str, raw: str, *, is_option: bool = False) -> str:
    value = raw.strip(QUOTES)
    if not value or harmless.is_certain(value):
        return raw
    if harmless.is_secret(name) or (is_option and harmless.takes_secret(name)):
        return HIDDEN
    if "://" in value:
        return _address(value)
    is_harmless = value in harmless.VALUES or ((is_option or value.isdigit()) and harmless.is_plain(value))
    return raw if is_harmless else HIDDEN


def _address(text: str) -> str:
    scheme, _, rest = text.partition("://")
    rest, question, _ = rest.partition("?")
    place, *parts = rest.partition("#")[0].split("/")
    _, at, host = place.rpartition("@")
    shown = [f"{HIDDEN}@{host}" if at else host] if harmless.is_plain(host.replace(":", ".")) else [HIDDEN]
    for part in parts:
        if part and (not harmless.is_plain(part) or harmless.is_secret(part) or part in LINKS):
            shown.append(HIDDEN)
            break
        shown.append(part)
    known = scheme.isalpha() and len(scheme) < harmless.LONGEST_WORD
    return f"{scheme if known else HIDDEN}://{'/'.join(shown)}{'?' + HIDDEN if question else ''}"


def _path(text: str) -> str:
    return "/".join([part if not part or harmless.is_plain(part) else HIDDEN for part in text.split("/")])


def _named(head: str, colon: str, tail: str) -> str:
    """As far as the name goes: below it may be the secret itself."""
    if not harmless.is_plain(head):
        return HIDDEN
    parts = head.split("/")
    named = next((k for k, part in enumerate(parts) if harmless.is_secret(part)), len(parts))
    if named < len(parts) - 1:
        return "/".join([*parts[: named + 1], HIDDEN])
    return f"{head}{colon}{HIDDEN if tail else ''}"
