"""What looks like a secret in a command is hidden; the rest stands, because a person must see what they approve."""

from __future__ import annotations

HIDDEN = "***"
ENDINGS = ("token", "secret", "password", "passwd", "passphrase", "apikey", "credentials")
SHORT = ("pass", "pwd", "pw", "auth")  # only as a word of its own in a name: neither --compass nor PWD
KEYS = ("api", "access", "secret", "private", "auth", "client", "signing", "encryption", "master", "service", "account")
HEADERS = ("authorization", "proxy-authorization", "cookie", "set-cookie")
SCHEMES = ("bearer", "basic", "token")
STARTS = ("sk-", "ghp_", "gho_", "github_pat_", "glpat-", "xoxb-", "xoxp-", "AKIA", "eyJ")
USERS = ("-u", "--user")  # name and password with a colon between them
# Options that mean a secret with these programs alone; with others they are ports, folders and the like.
OPTIONS = {
    "mysql": ("-p",), "mysqldump": ("-p",), "mysqladmin": ("-p",), "mariadb": ("-p",), "sshpass": ("-p",),
    "login": ("-p",),
    "redis-cli": ("-a",), "openssl": ("-k", "-K", "-pass", "-passin", "-passout"), "ldapsearch": ("-w",),
    "unzip": ("-P",), "zip": ("-P",), "7z": ("-p",),
}  # fmt: skip
SEPARATORS = ("&&", "||", "|", ";", "&")


def mask(text: str) -> str:
    shown: list[str] = []
    programs: list[str] = []
    hide = user = False
    for word in text.split():
        bare = word.strip("'\"")
        if hide and not word.startswith("-"):
            shown.append(HIDDEN)
            hide = bare.lower() in SCHEMES
            continue
        shown.append(_user(word) if user else _shown(word, programs))
        hide, user = _hides_next(word, programs), bare in USERS
        programs = [] if word in SEPARATORS or word.endswith(";") else [*programs, bare.rsplit("/", 1)[-1]]
    return " ".join(shown)


def _shown(word: str, programs: list[str]) -> str:
    """The word as it may be shown."""
    scheme, there, rest = word.partition("://")
    if there and "@" in rest.partition("/")[0]:
        return f"{scheme}://{HIDDEN}@{rest.partition('@')[2]}"
    for option in _options(programs):
        if word.startswith(option) and len(word) > len(option):
            return option + HIDDEN
    for sep in "=:":
        name, there, value = word.partition(sep)
        if there and value.strip("'\"") and (_is_secret(name) or value.strip("'\"").startswith(STARTS)):
            return f"{name}{sep}{HIDDEN}"
    name, there, value = word.partition("=")
    if there and name in USERS:
        return f"{name}={_user(value)}"
    return HIDDEN if word.strip("'\"").startswith(STARTS) else word


def _hides_next(word: str, programs: list[str]) -> bool:
    """An option that is called like a secret, or a header: what follows is one."""
    name = word.strip("'\"")
    if name.endswith((":", "=")):
        name = name[:-1]
        return name.lower() in HEADERS or (word[0] in "'\"" and _is_secret(name))
    return (name.startswith("-") and "=" not in name and _is_secret(name)) or name in _options(programs)


def _options(programs: list[str]) -> list[str]:
    return [option for program in programs for option in OPTIONS.get(program, ())]


def _user(word: str) -> str:
    """Of name:password the name; two numbers are a user and a group."""
    name, colon, password = word.partition(":")
    return f"{name}:{HIDDEN}" if colon and password and not password.strip("'\"").isdigit() else word


def _is_secret(name: str) -> bool:
    parts = name.strip("'\"-").lower().replace("-", "_").split("_")
    last = parts[-1]
    if last.endswith(ENDINGS) or (last == "key" and len(parts) > 1 and parts[-2] in KEYS):
        return True
    return last in SHORT and (len(parts) > 1 or name.startswith("-") or last == "pass")
