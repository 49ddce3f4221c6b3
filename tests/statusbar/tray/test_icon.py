"""The tray's icon."""

from statusbar.text.symbols import CALM, LOOKS, TROUBLE
from statusbar.tray import icon


def test_each_state_has_a_shape_and_a_colour_and_each_count_a_picture_of_its_own() -> None:
    looks = [*LOOKS.values(), CALM, TROUBLE]
    plain = {look.symbol: icon.pixmap(look.symbol, look.colour, 0, 22).argb for look in looks}
    outlines = {symbol: drawn[::4] for symbol, drawn in plain.items()}
    assert len(set(outlines.values())) == len(looks), "two states have one shape"
    for look in LOOKS.values():
        counted = {icon.pixmap(look.symbol, look.colour, count, 22).argb for count in range(100)}
        assert len(counted) == 100
        most, more = (icon.pixmap(look.symbol, look.colour, count, 22) for count in (99, 12345))
        assert most == more


def test_a_picture_has_its_colour_in_the_middle_and_nothing_in_the_corners() -> None:
    drawn = icon.pixmap("●", "green", 0, 22)
    assert len(drawn.argb) == 22 * 22 * 4
    middle = (11 * 22 + 11) * 4
    assert drawn.argb[middle : middle + 4] == bytes((255, 0x30, 0xA4, 0x6C))
    assert drawn.argb[:4] == bytes(4)
