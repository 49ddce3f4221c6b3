"""The clients whose requests can be answered: one file each, with the same names inside.

`asked(payload, env)` gives the request that a hook was told of, None for one that is not held (its `pid`, `id` and
times are the hook's business); `is_shown(request)` whether the client itself shows its dialog meanwhile, so that
holding the hook keeps nobody from answering there; `is_open(request)` whether the client still waits for the answer;
`decision(request, word)` what the hook prints; `moment(request)` another value after the client has gone on, None where
it would not tell.
"""

from __future__ import annotations

from contract.client_modules import found_in, module_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Protocol

    from answers.request import Request
    from answers.word import Word

    class Client(Protocol):
        def asked(self, payload: Any, env: Mapping[str, str], /) -> Request | None: ...
        def is_shown(self, request: Request, /) -> bool: ...
        def is_open(self, request: Request, /) -> bool: ...
        def decision(self, request: Request, word: Word, /) -> bytes: ...
        def moment(self, request: Request, /) -> object: ...


CLIENTS = found_in("answers.clients", __file__)


def named(name: str) -> Client | None:
    found: Client | None = module_of(CLIENTS, name)
    return found
