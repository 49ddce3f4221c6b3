"""The tray's icon."""

import pytest

from statusbar.text.symbols import CALM, COLOURS, LOOKS, TROUBLE
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
    assert drawn.argb[middle : middle + 4] == bytes((255, *COLOURS["green"]))
    assert drawn.argb[:4] == bytes(4)


PANELS = {
    "Xfce, dark": 0x353535, "Breeze, dark": 0x31363B, "GNOME": 0x000000,
    "Adwaita": 0xF6F5F4, "Breeze": 0xEFF0F1, "white": 0xFFFFFF,
}  # fmt: skip


@pytest.mark.parametrize("panel", PANELS)
@pytest.mark.parametrize("colour", COLOURS)
def test_every_sign_stands_out_from_light_and_from_dark_panels(colour: str, panel: str) -> None:
    """3:1, as WCAG 2.1 (1.4.11) wants it of graphics."""
    assert contrast(COLOURS[colour], tuple(PANELS[panel].to_bytes(3))) >= 3


@pytest.mark.parametrize("colour", [look.colour for look in LOOKS.values()])
def test_the_number_stands_out_from_its_sign(colour: str) -> None:
    assert contrast(COLOURS[colour], icon.WHITE) >= 3


def contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: tuple[int, ...]) -> float:
    linear = [part / 255 / 12.92 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))
