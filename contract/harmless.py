"""Which words of a command are known to be harmless, and which are what secrets are called."""

from __future__ import annotations

LONGEST_WORD, LONGEST_NUMBER, LONGEST, SHORT = 16, 5, 64, 6
QUOTES, DIGITS = "'\"", "0123456789"

# A name with one of these in it is that of a secret; with the short ones, if they are a word of their own.
SECRETS = (
    "password", "passwd", "passphrase", "secret", "token", "credential", "apikey", "bearer", "cookie", "authorization",
    "authentication", "privatekey", "accesskey", "identified", "webhook", "signature",
)  # fmt: skip
SECRET_WORDS = frozenset((
    "auth", "authtoken", "oauth", "oauth2", "basic", "digest", "key", "keys", "pass", "pwd", "pw", "psk", "pin",
    "otp", "totp", "pat", "jwt", "sas", "dsn", "mfa", "cvv", "login", "wpa", "sig", "community", "connection", "conn",
    "passin", "passout", "storepass", "keypass", "userpass", "vault", "identity", "license", "session", "unlock",
))  # fmt: skip
NOT_SECRET = frozenset(("max", "min", "num", "public", "compass", "bypass", "monkey", "hotkey"))
STARTS = (
    "sk-", "sk_", "pk_", "rk_", "ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "xox", "AKIA", "ASIA",
    "eyJ", "AIza", "ya29", "npm_", "pypi-", "hf_", "SG.", "dop_", "shpat_", "whsec_",
)  # fmt: skip
# In the name of an option: its value is somebody's text, a setting, or the like.
PAYLOADS = frozenset((
    "data", "body", "value", "payload", "content", "literal", "form", "raw", "binary", "urlencode", "text", "json",
    "env", "var", "vars", "string", "input", "query", "eval", "header", "headers", "extra", "field", "proxy",
))  # fmt: skip
VALUES = frozenset((
    "true", "false", "yes", "no", "on", "off", "none", "auto", "always", "never", "all", "dev", "development", "test",
    "testing", "prod", "production", "staging", "debug", "release", "info", "warn", "warning", "error", "verbose",
    "utf-8", "yaml", "xml", "linux", "darwin", "amd64", "arm64", "origin", "main", "master",
))  # fmt: skip
SUFFIXES = frozenset((
    "py", "pyi", "js", "jsx", "ts", "tsx", "mjs", "cjs", "json", "jsonl", "toml", "yaml", "yml", "md", "txt", "rst",
    "html", "css", "scss", "sh", "bash", "zsh", "fish", "rs", "go", "c", "h", "cc", "cpp", "hpp", "java", "kt",
    "swift", "rb", "php", "lua", "sql", "csv", "tsv", "xml", "ini", "cfg", "conf", "lock", "log", "out", "pdf", "png",
    "jpg", "jpeg", "gif", "svg", "zip", "gz", "tar", "tgz", "bz2", "xz", "whl", "so", "pem", "crt", "pub", "diff",
    "patch", "ipynb", "vue", "svelte", "tf", "proto", "plist", "service",
))  # fmt: skip
FOLDERS = ("/", "./", "../", "~/")
SIGNS = ("[", "[[", "]", "]]", "!", "{", "}", ":", ".", "..", "-", "--", "~", "/", "*", "{}", "\\;", "=", "==", "#")


def takes_secret(option: str) -> bool:
    return is_secret(option) or not PAYLOADS.isdisjoint(_parts(option))


def is_secret(name: str) -> bool:
    """Whether this is what a secret is called."""
    parts = _parts(name)
    if not NOT_SECRET.isdisjoint(parts):
        return False
    whole = "".join(parts)
    return any(secret in whole for secret in SECRETS) or any(
        p in SECRET_WORDS or p.endswith(("pass", "key")) for p in parts
    )


def _parts(name: str) -> list[str]:
    name = name.strip("-" + QUOTES).lower()
    for mark in "-./":
        name = name.replace(mark, "_")
    return name.split("_")


def is_name(text: str) -> bool:
    """Of a variable or a setting."""
    return bool(text) and all(char.isalnum() or char in "_-./" for char in text) and is_plain(text.strip("_"))


def is_known(name: str) -> bool:
    """The name of a secret, and not the secret, which may well have such a word in it."""
    return all(
        part in SECRETS or part in SECRET_WORDS or (part.isalpha() and len(part) <= SHORT) for part in _parts(name)
    )


def is_program(text: str) -> bool:
    if text.startswith(STARTS) or len(text) > LONGEST:
        return False
    return text in SIGNS or text.startswith("$") or all(_is_part(part.rstrip(DIGITS)) for part in _split(text))


def is_certain(text: str) -> bool:
    """Harmless even where a secret is to be expected."""
    text = text.strip(QUOTES)
    if text.startswith("$"):
        return all(char.isalnum() or char in "_{}@*#?/." for char in text[1:])
    if text.isdigit() or text in SIGNS:
        return len(text) <= len("99")
    is_host = text.count(".") > 1 and text.islower() and "/" not in text
    return is_place(text) or (is_host and is_plain(text))


def is_place(text: str) -> bool:
    """A path or a file; the name of a file may be anything."""
    is_file = "." in text[1:] and text.rpartition(".")[2] in SUFFIXES
    if is_file and all(char.isalnum() or char in "._-/+~@*" for char in text):
        return not _has_secret(text)
    return text.startswith(FOLDERS) and is_plain(text)


def is_plain(text: str) -> bool:
    """Harmless where no secret is to be expected."""
    if text.isalpha() and text.islower():
        return len(text) <= LONGEST_WORD and not text.startswith(STARTS)
    text = text.rstrip(".,:;!?") or text[:1]
    if len(text) > LONGEST or _has_secret(text):
        return False
    if all(char in DIGITS or char in ".:-/" for char in text):
        text = text.replace(":", "-")
    return text in SIGNS or all(_is_part(part) for part in _split(text))


def _has_secret(text: str) -> bool:
    """What begins as a secret does; or user/password@place, but not @scope/package@version."""
    if any(part.startswith(STARTS) for part in text.split("/")):
        return True
    before, at, after = text.rpartition("@")
    return bool(at) and "/" in before and not (text.startswith("@") or after[:1] in DIGITS)


def _split(text: str) -> list[str]:
    for mark in "._/+~@^*":
        text = text.replace(mark, "-")
    return text.split("-")


def _is_part(part: str) -> bool:
    """A word, a number, or a very short word with a number: `v2`, `py311`, `10s`."""
    if len(part) > LONGEST_WORD or not part.isalnum():
        return not part
    if part.isdigit():
        return len(part) <= LONGEST_NUMBER
    if part.isalpha():
        return part[1:] == part[1:].lower() or part.isupper() or _is_camel(part)
    letters = part.rstrip(DIGITS)
    if letters.isalpha():
        return len(letters) <= len("py") or (len(letters) <= len("code") and len(part) - len(letters) <= len("311"))
    return len(part) <= len("1000s") and part.lstrip(DIGITS).isalpha()


def _is_camel(part: str) -> bool:
    """SeveralWordsAsOne: none of them as short as those of a random text."""
    words = "".join([" " + char if char.isupper() else char for char in part]).split()
    return all(len(word) >= len("One") for word in words)
