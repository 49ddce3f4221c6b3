"""The connections to brokers: how each one is, as the collector has written it down."""

from __future__ import annotations

from contract import paths, status, store
from contract.named_tuple import NamedTuple


class ConnectionState(NamedTuple):
    name: str  # of the source in hosts.toml; '' for what this machine shares
    url: str = ""
    reached: bool = False
    since: float = 0.0  # since when it stands, or does not
    why: str = ""  # why it does not, or what is wrong
    hosts: int = 0  # machines that are shown
    sessions: int = 0  # that are shown, or shared
    left_out: str = ""  # what was heard and is not shown, and why
    chosen: str = ""  # of what is shared: the file beside which the settings are


def encode(state: ConnectionState) -> bytes:
    import json  # noqa: PLC0415 - who reads does without

    return json.dumps({"v": status.VERSION, **state._asdict()}).encode() + b"\n"


def path(home: str, name: str) -> str:
    return paths.broker_connection(home, name) if name else paths.sharing(home)


def read(home: str, name: str) -> ConnectionState | None:
    try:
        data = store.read(path(home, name)) or b""
    except OSError:
        return None
    return status.load(ConnectionState, status.fields_of(data))


def write(home: str, state: ConnectionState) -> None:
    """By the collector alone."""
    at = path(home, state.name)
    store.private_folder(at.rpartition("/")[0])
    store.replace(at, encode(state))


def remove(home: str, name: str) -> None:
    store.remove(path(home, name))
