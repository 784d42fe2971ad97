"""Step by step: a model that runs, and where it stands."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, List, NamedTuple, Optional, Sequence, Union

from ._values import Array, Value, packed, view

if TYPE_CHECKING:
    from . import _segue
    from ._model import Model
    from ._result import Result


class State:
    """Where a run stands, made by :meth:`Run.save`. It can be pickled, and kept in a file."""

    __slots__ = ("data", "time")

    def __init__(self, data: bytes, time: float) -> None:
        self.data = data
        #: when it was saved [s]
        self.time = time

    def __repr__(self) -> str:
        return f"<segue.State at {self.time:g} s, {len(self.data)} bytes>"

    def write(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes it to a file."""
        with open(path, "wb") as file:
            file.write(self.data)

    @classmethod
    def read(cls, path: Union[str, "os.PathLike[str]"]) -> "State":
        """Reads what :meth:`write` wrote."""
        with open(path, "rb") as file:
            return cls(file.read(), float("nan"))


class Now(NamedTuple):
    """Where a run stands, in numbers."""

    initialized: bool
    done: bool
    terminated: bool
    time: float
    stop: float
    step: float
    n_steps: int
    n_time_events: int
    n_state_events: int
    n_evaluated: int
    segment: int
    n_states: int
    n_contacts: int


class Run:
    """A model that is stepped through time; made by :meth:`Model.start`.

    ::

        with m.start() as s:
            u = s.inputs("u")                # arrays: written before a step ...
            y = s.outputs("phi", "w")        # ... and filled after it
            while not s.done:
                u[0] = -3.0*y[0] - y[1]
                s.step(1e-3)
        s.result["phi"]
    """

    def __init__(self, model: "Model", record: bool) -> None:
        self._model = model
        self._record = record
        self._closed = False
        self._result: Optional["Result"] = None
        handle = model._handle
        self._open_handle: Optional["_segue.Handle"] = handle
        # The hot path goes straight to the extension.
        self._step = handle.step

    @property
    def _handle(self) -> "_segue.Handle":
        if self._open_handle is None or self._model._run is not self:
            raise ValueError("this run is over: the model was reset or started again")
        return self._open_handle

    # ---- steps

    def step(self, duration: Optional[float] = None) -> float:
        """Goes on by a duration [s], with all events on the way; returns the time [s] then.

        Without a duration, one step of the solver, as long as it likes. No step goes beyond the
        stop time; :attr:`done` tells when the run is over.
        """
        if self._open_handle is None:
            raise ValueError("this run is over: the model was reset or started again")
        return self._handle.step_once() if duration is None else self._step(duration)

    def step_to(self, time: float) -> float:
        """Goes on to a time [s]."""
        return self._handle.step_to(time)

    @property
    def time(self) -> float:
        """Where it stands [s]."""
        return float(self._handle.now()[3])

    @property
    def done(self) -> bool:
        """At the stop time, ended by the model, or failed."""
        return self._open_handle is None or bool(self._handle.now()[1])

    @property
    def now(self) -> Now:
        """Where it stands: time, steps, events, segment, contacts."""
        raw = self._handle.now()
        return Now(bool(raw[0]), bool(raw[1]), bool(raw[2]), *raw[3:])

    # ---- values

    def set(self, name: str, value: Value) -> None:
        """Sets an input, from now on. A change is an event of the solver."""
        if isinstance(value, str):
            raise TypeError(f"an input takes numbers while the model runs, not the text {value!r}")
        self._handle.set(name, packed(value))

    def get(self, name: str) -> Any:
        """The value of any signal, parameter or input, now: a float or an array."""
        handle = self._handle
        variable = self._model._find(name)
        if variable is None or not variable.shape:
            return handle.get(name, 0)
        return self._model._get(name, variable)

    __getitem__ = get
    __setitem__ = set

    def inputs(self, *names: str) -> Array:
        """An array that holds values of these inputs, one element after the other.

        Whatever is written to it goes to the model with each step. Without names: all inputs. It
        takes the place of the one that was asked for before.
        """
        return self._bind(0, names or tuple(self._model.inputs))

    def outputs(self, *names: str) -> Array:
        """An array that holds values of these signals, filled anew after each step.

        It takes the place of the one that was asked for before. Signals that a later segment does
        not have become NaN.
        """
        return self._bind(1, names or tuple(self._model.outputs))

    def _bind(self, which: int, names: Sequence[str]) -> Array:
        for name in names:
            if not isinstance(name, str):
                raise TypeError(f"a name is a str, not {type(name).__name__}")
        data = self._handle.bind(which, [name.encode() for name in names])
        return view(data, (len(data) // 8,), writable=True)

    def refresh(self) -> None:
        """Fills the array of :meth:`outputs` without a step, with inputs as they are now."""
        self._handle.refresh()

    # ---- states

    def save(self) -> State:
        """Where the run stands, with all its future depends on."""
        return State(self._handle.save(), self.time)

    def restore(self, state: State) -> None:
        """Goes back, or forward, to a saved state of the same model; arrays are filled anew.

        The recorded result begins there.
        """
        if not isinstance(state, State):
            raise TypeError(f"a state comes from save(), and is no {type(state).__name__}")
        self._handle.restore(state.data)

    # ---- the end

    @property
    def result(self) -> Optional["Result"]:
        """All points that were recorded. Asking for it ends the run; None if nothing was."""
        if not self._closed:
            self.close()
        return self._result

    @property
    def closed(self) -> bool:
        """Whether it was ended."""
        return self._closed

    def close(self) -> None:
        """Ends the run where it is; :attr:`result` has what was recorded."""
        from ._result import Result

        if self._closed:
            return
        handle, current = self._open_handle, self._model._run is self
        self._end()
        if not current or handle is None:
            return
        found: List["_segue.Result"] = []
        if self._record:
            handle.result(found)
        if found:
            self._result = self._model._result = Result(found[0])
        handle.reset()

    def _end(self) -> None:
        self._closed = True
        self._open_handle = None
        if self._model._run is self:
            self._model._run = None

    def __enter__(self) -> "Run":
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    def __repr__(self) -> str:
        if self._open_handle is None:
            return f"<segue.Run of {self._model.name!r}, over>"
        now = self.now
        return f"<segue.Run of {self._model.name!r} at {now.time:g} s of {now.stop:g} s, {now.n_steps} steps>"
