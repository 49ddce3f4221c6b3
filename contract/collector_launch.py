"""Starting the collector, which brings the statuses of other machines: detached, and one for each state folder."""

from __future__ import annotations

import os
import sys

from contract import hosts, launch, paths, store

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Besides what the watcher inherits: what the commands that reach other machines need to know who the user is.
ALSO = (
    "SSH_AUTH_SOCK", "SSH_AGENT_PID", "XAUTHORITY", "KRB5CCNAME", "DOCKER_HOST", "DOCKER_CONTEXT", "DOCKER_CONFIG",
    "CONTAINER_HOST", "KUBECONFIG", "WSL_INTEROP", "WSL_DISTRO_NAME",
)  # fmt: skip


def is_wanted(env: Mapping[str, str]) -> bool:
    """Whether the user looks at another machine, or shares this one."""
    return os.path.exists(hosts.chosen(env)) or is_shared(env)


def is_shared(env: Mapping[str, str]) -> bool:
    return os.path.exists(hosts.shared(hosts.chosen(env)))


def share(home: str, env: Mapping[str, str], now: float) -> int:
    """The same for a machine that nobody looks at. The watcher asks, which does not know where the settings are."""
    from contract import broker_connections  # noqa: PLC0415 - a command that prints once is there sooner without

    connection = broker_connections.read(home, "") if os.path.exists(paths.sharing(home)) else None
    is_shared = connection is not None and connection.chosen != "" and os.path.exists(hosts.shared(connection.chosen))
    return ensure(home, env, now, connection.chosen) if connection and is_shared and launch.is_allowed(env) else 0


def at_once(home: str, env: Mapping[str, str], now: float) -> None:
    """For a command that has changed what it reads, where anything may be started."""
    if launch.is_allowed(env):
        store.private_folder(home)
        ensure(home, env, now)


def ensure(home: str, env: Mapping[str, str], now: float, chosen: str = "") -> int:
    """Start it unless one runs or is being started; the process that was started, 0 if none was."""
    locks = paths.collector_lock(home), paths.collector_starting_lock(home)
    kept = {**launch.kept(env, home), **{name: env[name] for name in ALSO if name in env}}
    chosen = chosen or hosts.chosen(env)
    # The path, because what is inherited names the state folder, and where that is named the settings are in it.
    command = [sys.executable, "-E", launch.FRONT_DOOR, "collect", "--hosts-file", chosen, "--starting-lock"]
    return launch.ensure(locks, lambda fd: launch.is_due(fd, now), lambda fd: [*command, str(fd)], kept)
