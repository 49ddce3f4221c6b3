"""The connection to a broker: that it was cut is noticed, by whatever finds it out first."""

from fleet.broker_connection import BrokerConnection, Message, Way
from support.brokers import Broker
from support.patience import until


class User:
    def __init__(self) -> None:
        self.why = ""

    def is_up(self) -> None: ...

    def is_down(self, why: str) -> None:
        self.why = why

    def is_refused(self, why: str) -> None: ...

    def hears(self, message: Message) -> None: ...


def is_connected(connection: BrokerConnection) -> bool:
    connection.turn(0.01)
    return connection.is_connected


def finds_it_cut(connection: BrokerConnection) -> bool:
    connection.say("x", b"x")
    return not connection.descriptors


def test_a_connection_that_is_found_cut_by_what_is_said_is_called_again(broker: Broker) -> None:
    """The client closes its socket then, so that there is nothing left to wait for or to read."""
    user = User()
    connection = BrokerConnection(Way(broker.url), user)
    until(lambda: is_connected(connection))
    broker.end()
    until(lambda: finds_it_cut(connection))
    connection.turn(0.0)
    assert (connection.is_connected, user.why.partition(" (")[0]) == (False, "the connection was cut")
    broker.start()
    until(lambda: is_connected(connection))
    connection.close()
