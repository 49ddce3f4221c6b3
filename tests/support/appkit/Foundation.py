"""As much of Foundation as rumps and we use; what is not here cannot be called."""

from __future__ import annotations

import os
import threading
from typing import Any, Self

NSDefaultRunLoopMode = "NSDefaultRunLoopMode"
NSRunLoopCommonModes = "NSRunLoopCommonModes"
NSEventTrackingRunLoopMode = "NSEventTrackingRunLoopMode"


class UnknownSelectorError(Exception):
    """No AttributeError: rumps passes over those."""


class OffMainThreadError(Exception):
    """AppKit may be called on the main thread only."""


class NSObject:
    @classmethod
    def alloc(cls) -> Self:
        return cls.__new__(cls)

    def init(self) -> Self:
        return self

    def __getattr__(self, name: str) -> Any:
        raise UnknownSelectorError(f"{type(self).__name__} {name}")


class MainThreadOnly(NSObject):
    def __getattribute__(self, name: str) -> Any:
        if threading.current_thread() is not threading.main_thread():
            raise OffMainThreadError(name)
        return super().__getattribute__(name)


class NSString(NSObject):
    pass


class NSMutableDictionary(NSObject):
    pass


class NSUserDefaults(NSObject):
    pass


class NSDate(NSObject):
    @classmethod
    def date(cls) -> Self:
        return cls.alloc().init()


class NSTimer(NSObject):
    def initWithFireDate_interval_target_selector_userInfo_repeats_(  # noqa: N802, PLR0913, PLR0917
        self, date: NSDate, interval: float, target: Any, selector: str, info: Any, repeats: bool
    ) -> Self:
        assert isinstance(date, NSDate)
        assert selector == "callback:"
        self.seconds, self.target = interval, target
        return self

    def fire(self) -> None:
        self.target.callback_(self)

    def invalidate(self) -> None:
        NSRunLoop.currentRunLoop().forget(self)


class NSRunLoop(MainThreadOnly):
    """Only one: the main thread's."""

    modes: dict[str, list[NSTimer]]
    _only: NSRunLoop | None = None

    @classmethod
    def currentRunLoop(cls) -> NSRunLoop:  # noqa: N802
        if cls._only is None:
            cls._only = cls.alloc().init()
            cls._only.modes = {}
        return cls._only

    def addTimer_forMode_(self, timer: NSTimer, mode: str) -> None:  # noqa: N802
        assert isinstance(timer, NSTimer)
        assert mode in (NSDefaultRunLoopMode, NSRunLoopCommonModes)
        self.modes.setdefault(mode, []).append(timer)

    def forget(self, timer: NSTimer) -> None:
        for timers in self.modes.values():
            timers[:] = [one for one in timers if one is not timer]

    def fire(self, mode: str) -> int:
        """Every timer that would fire in this mode, once; how many there were."""
        due = [*self.modes.get(mode, []), *self.modes.get(NSRunLoopCommonModes, [])]
        for timer in dict.fromkeys(due):
            timer.fire()
        return len(due)


class _Array(list[str]):
    def objectAtIndex_(self, index: int) -> str:  # noqa: N802
        return self[index]


def NSSearchPathForDirectoriesInDomains(directory: int, domain: int, expand: int) -> _Array:  # noqa: N802
    assert (directory, domain, expand) == (14, 1, 1)
    return _Array([os.environ["HOME"]])


def NSMakeRect(*_: float) -> None:  # noqa: N802
    raise UnknownSelectorError("NSMakeRect")


def NSLog(*_: object) -> None:  # noqa: N802
    raise UnknownSelectorError("NSLog")
