"""As much of AppKit as rumps and we use; what is not here cannot be called."""

# mypy: disable-error-code="misc, no-any-return"

from __future__ import annotations

from typing import Any, Self

from Foundation import MainThreadOnly, NSObject

NSKeyDown, NSCommandKeyMask = 10, 1 << 20
NSWorkspaceWillSleepNotification, NSWorkspaceDidWakeNotification = "sleep", "wake"


class Terminated(BaseException):
    """In the real one the process ends here."""


class NSApplication(MainThreadOnly):
    policy: int
    delegate: Any
    _only: NSApplication | None = None

    @classmethod
    def sharedApplication(cls) -> NSApplication:  # noqa: N802
        if cls._only is None:
            cls._only = cls.alloc().init()
            cls._only.policy = 0
        return cls._only

    def activateIgnoringOtherApps_(self, _flag: bool) -> None:  # noqa: N802
        pass

    def setActivationPolicy_(self, policy: int) -> bool:  # noqa: N802
        self.policy = policy
        return True

    def setDelegate_(self, delegate: Any) -> None:  # noqa: N802
        self.delegate = delegate

    def terminate_(self, _sender: Any) -> None:
        self.delegate.applicationWillTerminate_(None)
        raise Terminated


class NSMenu(MainThreadOnly):
    def init(self) -> Self:
        self.items: list[NSMenuItem] = []
        self.delegate: Any = None
        return self

    def setDelegate_(self, delegate: Any) -> None:  # noqa: N802
        assert callable(delegate.menuWillOpen_)
        assert callable(delegate.menuDidClose_)
        self.delegate = delegate

    def addItem_(self, item: NSMenuItem) -> None:  # noqa: N802
        self.insertItem_atIndex_(item, len(self.items))

    def insertItem_atIndex_(self, item: NSMenuItem, index: int) -> None:  # noqa: N802
        assert item.menu is None, "an item can be in one menu only"
        assert 0 <= index <= len(self.items)
        item.menu = self
        self.items.insert(index, item)

    def removeItem_(self, item: NSMenuItem) -> None:  # noqa: N802
        self.items.remove(item)
        item.menu = None

    def indexOfItem_(self, item: NSMenuItem) -> int:  # noqa: N802
        return self.items.index(item)


class NSMenuItem(MainThreadOnly):
    menu: NSMenu | None
    submenu: NSMenu | None
    made = 0

    def initWithTitle_action_keyEquivalent_(self, title: str, action: Any, key: str) -> Self:  # noqa: N802
        self.menu = self.submenu = None
        self.target: Any = None
        self.is_separator = False
        self.titles: list[str] = []
        self.ticked = 0
        self.setTitle_(title)
        self.setAction_(action)
        self.setKeyEquivalent_(key)
        NSMenuItem.made += 1
        return self

    @classmethod
    def separatorItem(cls) -> Self:  # noqa: N802
        made = cls.alloc().initWithTitle_action_keyEquivalent_("", None, "")
        made.is_separator = True
        return made

    def title(self) -> str:
        return self.titles[-1]

    def setTitle_(self, title: str) -> None:  # noqa: N802
        title.encode("utf-8")  # an NSString cannot hold half a character
        assert "\0" not in title
        self.titles.append(title)

    def setState_(self, state: int) -> None:  # noqa: N802
        assert type(state) is int
        assert state in (0, 1)
        self.ticked = state

    def setTarget_(self, target: Any) -> None:  # noqa: N802
        self.target = target

    def setAction_(self, action: str | None) -> None:  # noqa: N802
        assert action in (None, "callback:")
        self.action = action

    def setKeyEquivalent_(self, key: str) -> None:  # noqa: N802
        self.key = key

    def setImage_(self, image: Any) -> None:  # noqa: N802
        assert image is None

    def setSubmenu_(self, menu: NSMenu) -> None:  # noqa: N802
        self.submenu = menu

    def click(self) -> None:
        """What a person does; an item without an action is grey, and one with a submenu opens it."""
        assert self.action == "callback:", f"{self.title()} is grey"
        assert self.submenu is None
        self.target.callback_(self)


class NSStatusItem(MainThreadOnly):
    def init(self) -> Self:
        self.titles: list[str | None] = [None]
        self.menu: NSMenu | None = None
        return self

    def setHighlightMode_(self, _flag: bool) -> None:  # noqa: N802
        pass

    def setTitle_(self, title: str | None) -> None:  # noqa: N802
        self.titles.append(title)

    def title(self) -> str | None:
        return self.titles[-1]

    def setImage_(self, image: Any) -> None:  # noqa: N802
        assert image is None

    def image(self) -> None:
        return None

    def setMenu_(self, menu: NSMenu) -> None:  # noqa: N802
        self.menu = menu


class NSStatusBar(MainThreadOnly):
    items: list[NSStatusItem] = []  # noqa: RUF012 - one bar for all

    @classmethod
    def systemStatusBar(cls) -> Self:  # noqa: N802
        return cls.alloc().init()

    def statusItemWithLength_(self, length: float) -> NSStatusItem:  # noqa: N802
        assert length == -1
        made = NSStatusItem.alloc().init()
        self.items.append(made)
        return made


class NSAlert(NSObject):
    pass


class NSTextField(NSObject):
    pass


class NSSecureTextField(NSObject):
    pass


class NSImage(NSObject):
    pass


class NSSlider(NSObject):
    pass


class NSSize(NSObject):
    pass


class NSWorkspace(NSObject):
    pass


class NSAppearance(NSObject):
    pass
