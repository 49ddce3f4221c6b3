"""org.kde.StatusNotifierItem: the icon as a panel reads it over D-Bus."""

# No postponed annotations: dbus-fast reads the signatures from them when the class is made.

from collections.abc import Callable
from typing import Annotated, Any

from dbus_fast import PropertyAccess
from dbus_fast.annotations import DBusBool, DBusInt32, DBusObjectPath, DBusSignature, DBusStr
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property, dbus_signal

from contract.status import NEEDS_APPROVAL
from statusbar import dbusmenu, icon
from statusbar.menu import Menu

Pixmaps = Annotated[list[Any], DBusSignature("a(iiay)")]
Tip = Annotated[list[Any], DBusSignature("(sa(iiay)ss)")]

INTERFACE = "org.kde.StatusNotifierItem"
PATH = "/StatusNotifierItem"
WATCHER, WATCHER_PATH = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"
NAME = "yourturn"


class StatusNotifierItem(ServiceInterface):
    def __init__(self, activated: Callable[[], None]) -> None:
        super().__init__(INTERFACE)
        self.menu = Menu()
        self._activated = activated

    def show(self, wanted: Menu) -> None:
        """Tell the panels what changed, and nothing else."""
        before, self.menu = self.menu, wanted
        if status(before) != status(wanted):
            self.NewStatus(status(wanted))
        if (before.title, before.words) != (wanted.title, wanted.words):
            self.NewTitle()
            self.NewToolTip()
            self.XAyatanaNewLabel(wanted.title)
        if (before.face, before.count) != (wanted.face, wanted.count):
            self.NewIcon()
            self.NewAttentionIcon()

    def _pixmaps(self) -> list[list[Any]]:
        look = self.menu.look
        return [list(one) for one in icon.pixmaps(look.symbol, look.colour, self.menu.count)]

    # What panels call

    @dbus_method()
    def Activate(self, x: DBusInt32, y: DBusInt32) -> None:  # noqa: N802, ARG002 - the names are the interface's
        """Only panels that do not open the menu on a click."""
        self._activated()

    @dbus_method()
    def SecondaryActivate(self, x: DBusInt32, y: DBusInt32) -> None:  # noqa: N802, ARG002
        self._activated()

    @dbus_method()
    def ContextMenu(self, x: DBusInt32, y: DBusInt32) -> None:  # noqa: N802
        """The panel draws it."""

    @dbus_method()
    def Scroll(self, delta: DBusInt32, orientation: DBusStr) -> None:  # noqa: N802
        """There is nothing to scroll."""

    @dbus_property(access=PropertyAccess.READ)
    def Category(self) -> DBusStr:  # noqa: N802
        return "ApplicationStatus"

    @dbus_property(access=PropertyAccess.READ)
    def Id(self) -> DBusStr:  # noqa: N802
        return NAME

    @dbus_property(access=PropertyAccess.READ)
    def Title(self) -> DBusStr:  # noqa: N802
        return f"{NAME}: {self.menu.words}"

    @dbus_property(access=PropertyAccess.READ)
    def Status(self) -> DBusStr:  # noqa: N802
        return status(self.menu)

    @dbus_property(access=PropertyAccess.READ)
    def WindowId(self) -> DBusInt32:  # noqa: N802
        return 0

    @dbus_property(access=PropertyAccess.READ)
    def IconName(self) -> DBusStr:  # noqa: N802
        """None: a name would be looked up in the theme, and win over the picture."""
        return ""

    @dbus_property(access=PropertyAccess.READ)
    def IconPixmap(self) -> Pixmaps:  # noqa: N802
        return self._pixmaps()

    @dbus_property(access=PropertyAccess.READ)
    def AttentionIconName(self) -> DBusStr:  # noqa: N802
        return ""

    @dbus_property(access=PropertyAccess.READ)
    def AttentionIconPixmap(self) -> Pixmaps:  # noqa: N802
        return self._pixmaps()

    @dbus_property(access=PropertyAccess.READ)
    def OverlayIconName(self) -> DBusStr:  # noqa: N802
        return ""

    @dbus_property(access=PropertyAccess.READ)
    def OverlayIconPixmap(self) -> Pixmaps:  # noqa: N802
        return []

    @dbus_property(access=PropertyAccess.READ)
    def ToolTip(self) -> Tip:  # noqa: N802
        """Only our own words: some panels read markup here."""
        return ["", [], self.menu.title, self.menu.words]

    @dbus_property(access=PropertyAccess.READ)
    def ItemIsMenu(self) -> DBusBool:  # noqa: N802
        return True

    @dbus_property(access=PropertyAccess.READ)
    def Menu(self) -> DBusObjectPath:  # noqa: N802
        return dbusmenu.PATH

    @dbus_property(access=PropertyAccess.READ)
    def XAyatanaLabel(self) -> DBusStr:  # noqa: N802
        """Shown beside the icon by the AppIndicator extension."""
        return self.menu.title

    @dbus_property(access=PropertyAccess.READ)
    def XAyatanaLabelGuide(self) -> DBusStr:  # noqa: N802
        return "▲0 ●0 ○0"

    @dbus_signal()
    def NewTitle(self) -> None:  # noqa: N802
        pass

    @dbus_signal()
    def NewIcon(self) -> None:  # noqa: N802
        pass

    @dbus_signal()
    def NewAttentionIcon(self) -> None:  # noqa: N802
        pass

    @dbus_signal()
    def NewToolTip(self) -> None:  # noqa: N802
        pass

    @dbus_signal()
    def NewStatus(self, word: str) -> DBusStr:  # noqa: N802
        return word

    @dbus_signal()
    def XAyatanaNewLabel(self, label: str) -> Annotated[list[str], DBusSignature("ss")]:  # noqa: N802
        return [label, "▲0 ●0 ○0"]


def status(menu: Menu) -> str:
    """Panels move one that needs attention into sight. Never passive: a hidden icon tells nothing."""
    return "NeedsAttention" if menu.face == NEEDS_APPROVAL else "Active"
