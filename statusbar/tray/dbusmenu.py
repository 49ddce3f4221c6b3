"""com.canonical.dbusmenu: a menu as a panel reads it over D-Bus."""

# No postponed annotations: dbus-fast reads the signatures from them when the class is made.

from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any

from dbus_fast import DBusError, PropertyAccess, Variant
from dbus_fast.annotations import (
    DBusBool,
    DBusInt32,
    DBusSignature,
    DBusStr,
    DBusUInt32,
    DBusVariant,
)
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property, dbus_signal

from statusbar.menu.diff import Change, Remove, diff
from statusbar.menu.model import ROOT, Choice, Item, Menu, every

Key = tuple[str, ...]
Properties = dict[str, Variant]
Numbers = Annotated[list[int], DBusSignature("ai")]
Names = Annotated[list[str], DBusSignature("as")]
Layout = Annotated[list[Any], DBusSignature("(ia{sv}av)")]
Described = Annotated[list[list[Any]], DBusSignature("a(ia{sv})")]
Happened = Annotated[list[list[Any]], DBusSignature("a(isvu)")]

INTERFACE = "com.canonical.dbusmenu"
PATH = "/MenuBar"
UNKNOWN = "com.canonical.dbusmenu.Error.UnknownId"


class DBusMenu(ServiceInterface):
    """Each item keeps its number as long as it exists; no number is used twice."""

    def __init__(self, chosen: Callable[[Choice], None]) -> None:
        super().__init__(INTERFACE)
        self.menu = Menu()
        self.revision = 1
        self._chosen = chosen
        self._numbers: dict[Key, int] = {ROOT: 0}
        self._items: dict[int, Item] = {}
        self._next = 1

    def show(self, wanted: Menu) -> None:
        """Tell the panels what changed, and nothing else."""
        patches = list(diff(self.menu.items, wanted.items))
        self.menu = wanted
        self._number(wanted.items)
        changed = [patch.item for patch in patches if isinstance(patch, Change)]
        if changed:
            self.items_properties_updated([[self._numbers[item.key], properties(item)] for item in changed], [])
        parents = dict.fromkeys(patch.parent for patch in patches if not isinstance(patch, Change))
        for patch in patches:
            if isinstance(patch, Remove):
                self._forget([patch.item], wanted.items)
        self.revision += len(parents)
        for parent in parents:
            self.layout_updated(self.revision, self._numbers.get(parent, 0))

    def _number(self, items: Iterable[Item]) -> None:
        for item in every(tuple(items)):
            if item.key not in self._numbers:
                self._numbers[item.key] = self._next
                self._next += 1
            self._items[self._numbers[item.key]] = item

    def _forget(self, gone: Iterable[Item], still: Iterable[Item]) -> None:
        """An item that was removed and inserted again under the same key keeps its number."""
        used = {item.key for item in every(tuple(still))}
        for item in every(tuple(gone)):
            if item.key not in used:
                self._items.pop(self._numbers.pop(item.key), None)

    def _layout(self, number: int, depth: int, names: list[str]) -> list[Any]:
        item = self._find(number)
        children = item.children if depth else ()
        below = [self._layout(self._numbers[child.key], depth - 1, names) for child in children]
        return [number, _only(properties(item), names), [Variant("(ia{sv}av)", layout) for layout in below]]

    def _find(self, number: int) -> Item:
        if number == 0:
            return Item(ROOT, "root", children=self.menu.items)
        if number not in self._items:
            raise DBusError(UNKNOWN, f"no item {number} in revision {self.revision}")
        return self._items[number]

    def _happened(self, events: Iterable[list[Any]]) -> Iterator[int]:
        """Run what was clicked; yields the numbers that are unknown."""
        for number, event, *_ in events:
            try:
                item = self._find(number)
            except DBusError:
                yield number
                continue
            if event == "clicked" and item.choice:
                self._chosen(item.choice)
                # Some panels change the tick by themselves, before it is known whether the setting was changed.
                if item.tick:
                    self.items_properties_updated([[number, properties(item)]], [])

    # What panels call

    @dbus_method("GetLayout")
    def get_layout(
        self,
        parent: DBusInt32,
        depth: DBusInt32,
        names: Names,
    ) -> Annotated[list[Any], DBusSignature("u(ia{sv}av)")]:
        return [self.revision, self._layout(parent, depth, names)]

    @dbus_method("GetGroupProperties")
    def get_group_properties(self, ids: Numbers, names: Names) -> Described:
        wanted = ids or [0, *self._items]
        known = [number for number in wanted if number == 0 or number in self._items]
        return [[number, _only(properties(self._find(number)), names)] for number in known]

    @dbus_method("GetProperty")
    def get_property(self, number: DBusInt32, name: DBusStr) -> DBusVariant:
        known = properties(self._find(number))
        if name not in known:
            raise DBusError("org.freedesktop.DBus.Error.UnknownProperty", "no such property")
        return known[name]

    @dbus_method("Event")
    def event(self, number: DBusInt32, event: DBusStr, data: DBusVariant, timestamp: DBusUInt32) -> None:
        if [*self._happened([[number, event, data, timestamp]])]:
            raise DBusError(UNKNOWN, f"no item {number}")

    @dbus_method("EventGroup")
    def event_group(self, events: Happened) -> Numbers:
        unknown = [*self._happened(events)]
        if events and len(unknown) == len(events):
            raise DBusError(UNKNOWN, "none of these items exists")
        return unknown

    @dbus_method("AboutToShow")
    def about_to_show(self, number: DBusInt32) -> DBusBool:
        """False: nothing needs an update, because each change was sent to the panels at once."""
        self._find(number)
        return False

    @dbus_method("AboutToShowGroup")
    def about_to_show_group(self, ids: Numbers) -> Annotated[list[Any], DBusSignature("aiai")]:
        return [[], [number for number in ids if number and number not in self._items]]

    @dbus_signal("ItemsPropertiesUpdated")
    def items_properties_updated(
        self, updated: list[Any], removed: list[Any]
    ) -> Annotated[list[Any], DBusSignature("a(ia{sv})a(ias)")]:
        return [updated, removed]

    @dbus_signal("LayoutUpdated")
    def layout_updated(self, revision: int, parent: int) -> Annotated[list[Any], DBusSignature("ui")]:
        return [revision, parent]

    @dbus_property(PropertyAccess.READ, "Version")
    def version(self) -> DBusUInt32:
        return 3

    @dbus_property(PropertyAccess.READ, "TextDirection")
    def text_direction(self) -> DBusStr:
        return "ltr"

    @dbus_property(PropertyAccess.READ, "Status")
    def status_word(self) -> DBusStr:
        return "normal"

    @dbus_property(PropertyAccess.READ, "IconThemePath")
    def icon_theme_path(self) -> Names:
        return []


def properties(item: Item) -> Properties:
    """What differs from the defaults of the interface, and the label."""
    if item.is_separator:
        return {"type": Variant("s", "separator")}
    if item.key == ROOT:
        return {"children-display": Variant("s", "submenu")}
    values = {"label": Variant("s", label(item.title)), "enabled": Variant("b", item.is_enabled)}
    if item.tick:
        kind = "radio" if item.tick.is_one_of_several else "checkmark"
        values |= {"toggle-type": Variant("s", kind), "toggle-state": Variant("i", int(item.tick.is_on))}
    return {**values, "children-display": Variant("s", "submenu")} if item.children else values


def label(title: str) -> str:
    """A single underscore would disappear and make the next letter a shortcut."""
    return title.replace("_", "__")


def _only(values: Properties, names: list[str]) -> Properties:
    return {name: value for name, value in values.items() if not names or name in names}
