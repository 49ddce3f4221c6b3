"""The status of a session as it is written and read."""

import json

from contract import status
from contract.status import WAITING, SessionStatus

FULL = SessionStatus("s", "proj", "/proj", 7, WAITING, "", 5.0, "turn-over", "hook", client="claude")


def test_a_status_names_its_client() -> None:
    found = status.decode(status.encode(FULL))
    assert found == FULL
    assert json.loads(status.encode(FULL))["client"] == "claude"


def test_a_status_of_a_version_that_did_not_name_the_client_is_read() -> None:
    old = json.loads(status.encode(FULL))
    del old["client"]
    assert status.decode(json.dumps(old).encode()) == FULL._replace(client="")
