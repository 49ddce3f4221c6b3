"""org.kde.StatusNotifierItem: the icon as a panel reads it over D-Bus."""

# No postponed annotations: dbus-fast reads the signatures from them when the class is made.

from collections.abc import Callable
from typing import Annotated, Any

from dbus_fast import PropertyAccess
from dbus_fast.annotations import DBusBool, DBusInt32, DBusObjectPath, DBusSignature, DBusStr
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property, dbus_signal

from contract.status import NEEDS_APPROVAL
from statusbar.menu.model import Menu
from statusbar.tray import dbusmenu, icon
from statusbar.tray.gesture import Gesture

Pixmaps = Annotated[list[Any], DBusSignature("a(iiay)")]
Tip = Annotated[list[Any], DBusSignature("(sa(iiay)ss)")]

INTERFACE = "org.kde.StatusNotifierItem"
PATH = "/StatusNotifierItem"
NAME = "yourturn"


class StatusNotifierItem(ServiceInterface):
    def __init__(self, activated: Callable[[], None], clock: Callable[[], float]) -> None:
        super().__init__(INTERFACE)
        self.menu = Menu()
        self._activated = activated
        self._clock = clock
        self._gesture = Gesture()

    def show(self, wanted: Menu) -> None:
        """Tell the panels what changed, and nothing else."""
        before, self.menu = self.menu, wanted
        if status(before) != status(wanted):
            self.new_status(status(wanted))
        if (before.title, before.words) != (wanted.title, wanted.words):
            self.new_title()
            self.new_tool_tip()
            self.ayatana_new_label(wanted.title)
        if (before.face, before.count) != (wanted.face, wanted.count):
            self.new_icon()
            self.new_attention_icon()

    def _pixmaps(self) -> list[list[Any]]:
        look = self.menu.look
        return [list(pixmap) for pixmap in icon.pixmaps(look.symbol, look.colour, self.menu.count)]

    # What panels call

    @dbus_method("Activate")
    def activate(self, x: DBusInt32, y: DBusInt32) -> None:  # noqa: ARG002
        """Called only by panels that do not open the menu on a click."""
        self._activated()

    @dbus_method("SecondaryActivate")
    def secondary_activate(self, x: DBusInt32, y: DBusInt32) -> None:  # noqa: ARG002
        """A click with the middle button."""
        self._activated()

    @dbus_method("ContextMenu")
    def context_menu(self, x: DBusInt32, y: DBusInt32) -> None:
        """The panel draws the menu itself."""

    @dbus_method("Scroll")
    def scroll(self, delta: DBusInt32, orientation: DBusStr) -> None:  # noqa: ARG002
        """In any direction: panels do not agree on the sign of `delta`."""
        if self._gesture.begins(self._clock()):
            self._activated()

    @dbus_property(PropertyAccess.READ, "Category")
    def category(self) -> DBusStr:
        return "ApplicationStatus"

    @dbus_property(PropertyAccess.READ, "Id")
    def id_(self) -> DBusStr:
        return NAME

    @dbus_property(PropertyAccess.READ, "Title")
    def title(self) -> DBusStr:
        return f"{NAME}: {self.menu.words}"

    @dbus_property(PropertyAccess.READ, "Status")
    def status_word(self) -> DBusStr:
        return status(self.menu)

    @dbus_property(PropertyAccess.READ, "WindowId")
    def window_id(self) -> DBusInt32:
        return 0

    @dbus_property(PropertyAccess.READ, "IconName")
    def icon_name(self) -> DBusStr:
        """Empty: a panel would prefer the icon of that name in its theme to the pixmap."""
        return ""

    @dbus_property(PropertyAccess.READ, "IconPixmap")
    def icon_pixmap(self) -> Pixmaps:
        return self._pixmaps()

    @dbus_property(PropertyAccess.READ, "AttentionIconName")
    def attention_icon_name(self) -> DBusStr:
        return ""

    @dbus_property(PropertyAccess.READ, "AttentionIconPixmap")
    def attention_icon_pixmap(self) -> Pixmaps:
        return self._pixmaps()

    @dbus_property(PropertyAccess.READ, "OverlayIconName")
    def overlay_icon_name(self) -> DBusStr:
        return ""

    @dbus_property(PropertyAccess.READ, "OverlayIconPixmap")
    def overlay_icon_pixmap(self) -> Pixmaps:
        return []

    @dbus_property(PropertyAccess.READ, "ToolTip")
    def tool_tip(self) -> Tip:
        """Only texts from this project: some panels read markup here."""
        return ["", [], self.menu.title, self.menu.words]

    @dbus_property(PropertyAccess.READ, "ItemIsMenu")
    def item_is_menu(self) -> DBusBool:
        return True

    @dbus_property(PropertyAccess.READ, "Menu")
    def menu_path(self) -> DBusObjectPath:
        return dbusmenu.PATH

    @dbus_property(PropertyAccess.READ, "XAyatanaLabel")
    def ayatana_label(self) -> DBusStr:
        """The AppIndicator extension shows it beside the icon."""
        return self.menu.title

    @dbus_property(PropertyAccess.READ, "XAyatanaLabelGuide")
    def ayatana_label_guide(self) -> DBusStr:
        return "▲0 ●0 ○0"

    @dbus_signal("NewTitle")
    def new_title(self) -> None:
        pass

    @dbus_signal("NewIcon")
    def new_icon(self) -> None:
        pass

    @dbus_signal("NewAttentionIcon")
    def new_attention_icon(self) -> None:
        pass

    @dbus_signal("NewToolTip")
    def new_tool_tip(self) -> None:
        pass

    @dbus_signal("NewStatus")
    def new_status(self, word: str) -> DBusStr:
        return word

    @dbus_signal("XAyatanaNewLabel")
    def ayatana_new_label(self, label: str) -> Annotated[list[str], DBusSignature("ss")]:
        return [label, "▲0 ●0 ○0"]


def status(menu: Menu) -> str:
    """Panels make an icon that needs attention visible. Never "Passive": panels may hide such icons."""
    return "NeedsAttention" if menu.face == NEEDS_APPROVAL else "Active"
