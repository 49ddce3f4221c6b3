"""Where everything lies, and the one way from an outside name to a file name."""

from __future__ import annotations

import posix
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

SAFE = frozenset("abcdefghijklmnopqrstuvwxyz0123456789_-")
LONGEST = 64
MAIN = "main"


def environ() -> dict[str, str]:
    """The environment as `os.environ` has it, without the cost of `os`."""
    return {
        k.decode("utf-8", "surrogateescape"): v.decode("utf-8", "surrogateescape") for k, v in posix.environ.items()
    }


def home(env: Mapping[str, str] | None = None) -> str:
    """The state folder: $YOURTURN_HOME, else the platform's place for state."""
    env = environ() if env is None else env
    chosen = env.get("YOURTURN_HOME", "")
    if chosen:
        # Below the home: hooks run in every project, and would each find another folder.
        return absolute(chosen, user_home(env))
    if sys.platform == "darwin":
        return user_home(env) + "/Library/Application Support/yourturn"
    state = env.get("XDG_STATE_HOME", "")
    # The XDG specification: a relative path is invalid and is to be ignored.
    return (state if state.startswith("/") else user_home(env) + "/.local/state") + "/yourturn"


def user_home(env: Mapping[str, str]) -> str:
    """$HOME, else what the user database says."""
    folder = env.get("HOME", "")
    if folder.startswith("/"):
        return folder.rstrip("/") or "/"
    import pwd  # noqa: PLC0415 - rarely needed, and the hook pays for each import

    return pwd.getpwuid(posix.getuid()).pw_dir


def fact_dir(home: str) -> str:
    return home + "/facts"


def twin(session: str, pid: int | str) -> str:
    """The name of a session that a second living process has open; without a pid, how all such names begin."""
    return f"{session}-p{pid}"


def fact(home: str, session: str, agent: str) -> str:
    return f"{home}/facts/{file_name(session)}.{file_name(agent)}.json"


def status_dir(home: str) -> str:
    return home + "/status"


def status(home: str, session: str) -> str:
    return f"{home}/status/{file_name(session)}.json"


def policies_dir(home: str) -> str:
    """The limits of agents that were started through us, for a client that takes them in a file."""
    return home + "/policies"


def policy(home: str, name: str) -> str:
    """With this ending: Gemini CLI passes over any other file without a word, and would then hold nobody to it."""
    return f"{home}/policies/{file_name(name)}.toml"


def spawned_dir(home: str) -> str:
    """Who was started through us and has not ended, one file for each, by name."""
    return home + "/spawned"


def spawned(home: str, name: str) -> str:
    return f"{home}/spawned/{file_name(name)}.json"


def dispatch_dir(home: str) -> str:
    """How far each batch of tasks has come, one file for each."""
    return home + "/dispatch"


def dispatch(home: str, session: str) -> str:
    return f"{home}/dispatch/{file_name(session)}.jsonl"


def hook_log(home: str) -> str:
    return home + "/hook.log"


def watcher_lock(home: str) -> str:
    """Held by the watcher as long as it lives."""
    return home + "/watcher.lock"


def starting_lock(home: str) -> str:
    """Held by whoever starts a watcher, until that watcher holds its own lock."""
    return home + "/starting.lock"


def lack(home: str) -> str:
    """What a plugin's hooks lack to start a watcher."""
    return home + "/lack.json"


def heartbeat(home: str) -> str:
    return home + "/watcher.json"


def watcher_log(home: str) -> str:
    return home + "/watcher.log"


def watcher_errors(home: str) -> str:
    """What a watcher of launchd says that cannot even start its log."""
    return home + "/watcher.err"


def crash(home: str) -> str:
    """What a watcher that crashed tells of it."""
    return home + "/crash.txt"


def observations(home: str) -> str:
    return home + "/observations.jsonl"


def audit(home: str) -> str:
    """Who started or ended an agent, or was refused."""
    return home + "/audit.jsonl"


def open_dir(home: str) -> str:
    """The requests that wait for an answer: a file and a pipe for each, as long as it is open."""
    return home + "/open"


def answers(home: str) -> str:
    """Who answered which request, and what came of it."""
    return home + "/answers.jsonl"


def hosts_dir(home: str) -> str:
    """What is known of other machines: a folder for each, with `host.json` and its own `status`."""
    return home + "/hosts"


def host_dir(home: str, host: str) -> str:
    return f"{home}/hosts/{file_name(host)}"


def other_observations(home: str) -> str:
    """What changed on other machines."""
    return home + "/hosts/observations.jsonl"


def collector_lock(home: str) -> str:
    """Held by whoever brings the statuses of other machines, as long as it lives."""
    return home + "/collector.lock"


def collector_starting_lock(home: str) -> str:
    return home + "/collector.starting.lock"


def collector(home: str) -> str:
    """The heartbeat of whoever brings the statuses of other machines."""
    return home + "/collector.json"


def collector_log(home: str) -> str:
    return home + "/collector.log"


def brokers_dir(home: str) -> str:
    """How the connection to each broker is that tells of other machines."""
    return home + "/brokers"


def broker_connection(home: str, name: str) -> str:
    return f"{home}/brokers/{file_name(name)}.json"


def sharing(home: str) -> str:
    """How the connection to the broker is that is told of this machine."""
    return home + "/sharing.json"


def usage(home: str) -> str:
    """How many tokens the clients' transcripts tell of: a count that can be made again."""
    return home + "/usage.db"


def file_name(outside: str) -> str:
    """A name that cannot leave its folder: the same for the same text, another one for another text.

    Lower-case letters, digits, `_` and `-` stand for themselves. Anything else, capital letters included (two
    names may not meet on a disk that ignores case), leaves a readable rest and a digest of the whole.
    """
    if outside and len(outside) <= LONGEST and SAFE.issuperset(outside):
        return outside
    from hashlib import blake2b  # noqa: PLC0415 - the client's own ids never come here

    rest = "".join([c if c in SAFE else "_" for c in outside[:32].lower()])
    return f"{rest}~{blake2b(outside.encode('utf-8', 'surrogatepass'), digest_size=10).hexdigest()}"


def absolute(path: str, below: str) -> str:
    path = path if path.startswith("/") else f"{below}/{path}"
    return path.rstrip("/") or "/"
