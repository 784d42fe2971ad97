"""Exceptions and warnings, and how messages of the library become them."""

from __future__ import annotations

import sys
import warnings
from typing import Dict, List, NoReturn, Optional, Sequence, Tuple, Type

from . import _segue

# (severity, code, time, line, column, text, file, rendered), as the extension hands them over
RawMessage = Tuple[int, int, float, int, int, str, str, str]

ERROR, WARNING, NOTE = 0, 1, 2


class Message:
    """What Segue has to say: text, code, and the place in the model file it belongs to."""

    __slots__ = ("severity", "code", "time", "file", "line", "column", "text", "rendered", "notes")

    def __init__(self, raw: RawMessage) -> None:
        severity, code, time, line, column, text, file, rendered = raw
        self.severity: str = ("error", "warning", "note")[severity]
        self.code: str = f"E{code:04d}" if code else ""
        #: simulated time [s] at which it happened, or None
        self.time: Optional[float] = None if time != time else time
        self.file: Optional[str] = file or None
        self.line: Optional[int] = line or None
        self.column: Optional[int] = column or None
        self.text: str = text
        #: the message for people, with the line of the model file it is about
        self.rendered: str = rendered.rstrip("\n")
        self.notes: List["Message"] = []

    def _place(self) -> "Message":
        """The message itself, or the first of its notes that is about the text of the user."""
        for one in (self, *self.notes):
            if one.file and not one.file.startswith("<"):
                return one
        return self

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}: " if self.file else ""
        code = f"[{self.code}]" if self.code else ""
        first = self.rendered if self.file else f"{self.text}{' ' if code else ''}{code}"
        return "\n".join([first or place + self.text, *(note.rendered or f"note: {note.text}" for note in self.notes)])

    def __repr__(self) -> str:
        return f"<segue.Message {self.severity} {self.code}: {self.text}>"


class SegueWarning(UserWarning):
    """A warning of Segue; ``message`` has its place in the model file."""

    def __init__(self, message: Message) -> None:
        super().__init__(str(message))
        self.message = message


class Error(Exception):
    """Something went wrong in Segue.

    ``message`` is the first message, ``messages`` are all of them; ``file``, ``line``, ``column``
    and ``code`` belong to the first. ``result`` is what a run had recorded until then, or None.
    """

    def __init__(self, text: str, messages: Sequence[Message] = ()) -> None:
        super().__init__(text)
        self.messages: List[Message] = list(messages)
        first = self.messages[0] if self.messages else None
        self.message: str = first.text if first else text
        self.code: str = first.code if first else ""
        place = first._place() if first else None
        self.file: Optional[str] = place.file if place else None
        self.line: Optional[int] = place.line if place else None
        self.column: Optional[int] = place.column if place else None
        self.time: Optional[float] = first.time if first else None
        self.result: Optional[object] = None


class ModelError(Error):
    """The text of a model is wrong: syntax, names, units, structure."""


class InitializationError(Error):
    """There are no consistent initial values."""


class SolverError(Error):
    """The integrator could not go on."""


class CheckError(Error):
    """The run finished, but a check failed, or ``strict`` made an error of a warning."""


class LimitError(Error):
    """A limit was reached: time, events, memory, size."""


class ActionError(Error):
    """An action that changes the structure was refused."""


class UsageError(Error, ValueError):
    """Segue was asked for something that makes no sense."""


class UnknownName(UsageError, KeyError):
    """There is no such parameter, input or signal."""

    def __str__(self) -> str:  # KeyError would show the text in quotes
        return str(self.args[0]) if self.args else ""


class FileError(Error, OSError):
    """A file could not be read or written."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class Interrupted(KeyboardInterrupt):
    """A run was stopped, by Ctrl-C or by ``Model.stop``.

    ``result`` is what it had recorded until then, or None.
    """

    def __init__(self, text: str = "the run was stopped") -> None:
        super().__init__(text)
        self.result: Optional[object] = None


_OK, _USAGE, _IO, _MEMORY, _MODEL, _INIT, _SOLVER, _CHECK, _LIMIT, _ACTION, _INTERRUPT, _INPUT, _INTERNAL = range(13)

_CLASSES: Dict[int, Type[Error]] = {
    _USAGE: UsageError,
    _IO: FileError,
    _MODEL: ModelError,
    _INIT: InitializationError,
    _SOLVER: SolverError,
    _CHECK: CheckError,
    _LIMIT: LimitError,
    _ACTION: ActionError,
    _INPUT: UsageError,
    _INTERNAL: Error,
}


def _group(raw: Sequence[RawMessage]) -> List[Message]:
    """Messages, each with the notes behind it."""
    out: List[Message] = []
    for entry in raw:
        message = Message(entry)
        if entry[0] == NOTE and out:
            out[-1].notes.append(message)
        elif entry[0] != NOTE:
            out.append(message)
    return out


def _stack_level() -> int:
    """That of the first caller outside this package, whose line a warning should show."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").split(".")[0] == "segue":
        frame = frame.f_back
        level += 1
    return level


def raise_error(status: int, errors: Sequence[Message]) -> NoReturn:
    """Raises what belongs to a status of the library."""
    text = "\n".join(str(m) for m in errors) or _WORDS.get(status, "Segue failed")
    if status == _MEMORY:
        raise MemoryError(text)
    if status == _INTERRUPT:
        raise Interrupted("the run was stopped")
    kind = _CLASSES.get(status, Error)
    first = errors[0].text if errors else ""
    if status == _USAGE and (" has no " in first or "nothing to be set called" in first or "is no signal" in first):
        kind = UnknownName
    raise kind(text, errors)


_WORDS = {
    _USAGE: "that makes no sense to Segue",
    _MEMORY: "memory ran out",
    _INTERNAL: "a mistake of Segue itself; please report it",
}


def deliver(status: int, raw: Sequence[RawMessage]) -> None:
    """Called by the extension after each call that has something to tell."""
    messages = _group(raw)
    for message in messages:
        if message.severity == "warning":
            warnings.warn(SegueWarning(message), stacklevel=_stack_level())
    if status != _OK:
        raise_error(status, [m for m in messages if m.severity == "error"])


def write(text: str) -> None:
    """Called by the extension with what a model prints."""
    if sys.stdout is not None:
        sys.stdout.write(text)


_segue.set_hooks(deliver, write)
