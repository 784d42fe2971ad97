"""Segue: equations, 3D parts, contact and changing structure in one simulation.

>>> import segue
>>> m = segue.load("pendulum.jl")        # a model; m.parameters shows what can be set
>>> m["load.mass"] = "2.5 kg"            # or a number in SI units, or an array
>>> r = m.run(stop=5, tolerance=1e-8)    # a result
>>> r["rev.phi"], r.time                 # arrays
>>> r.plot("rev.phi").save("phi.svg")
>>> r.save("run.segue"); segue.open("run.segue")
>>> with m.start() as s:                 # step by step
...     s.set("u", 2.0); s.step(1e-3); s.get("rev.phi")

Numbers are in SI units. docs/python.md is the tutorial.
"""

from __future__ import annotations

from typing import Any, Optional, Sequence

from . import _segue
from ._errors import (
    ActionError,
    CheckError,
    Error,
    FileError,
    InitializationError,
    Interrupted,
    LimitError,
    Message,
    ModelError,
    SegueWarning,
    SolverError,
    UnknownName,
    UsageError,
)
from ._model import Experiment, Model, Parameter, Parameters, PathLike
from ._result import Contact, Difference, Event, Figure, Result, Segment
from ._run import Now, Run, State
from ._values import Array, Table, Value, Variable

__version__: str = _segue.version

__all__ = [
    "ActionError", "Array", "CheckError", "Contact", "Difference", "Error", "Event", "Experiment", "Figure",
    "FileError", "InitializationError", "Interrupted", "LimitError", "Message", "Model", "ModelError", "Now",
    "Parameter", "Parameters", "Result", "Run", "Segment", "SegueWarning", "SolverError", "State", "Table",
    "UnknownName", "UsageError", "Value", "Variable", "load", "loads", "open",
]  # fmt: skip

for _name in __all__:  # tracebacks and help name them as people do
    _thing = globals().get(_name)
    if isinstance(_thing, type) and _thing.__module__.startswith("segue."):
        _thing.__module__ = "segue"
del _name, _thing


def load(
    path: PathLike,
    name: Optional[str] = None,
    *,
    compat: Optional[str] = None,
    components: Sequence[PathLike] = (),
    balance: bool = False,
    allow_read: Sequence[PathLike] = (),
    modia3d_path: Optional[PathLike] = None,
    max_memory: Optional[float] = None,
    max_cpu_time: Optional[float] = None,
) -> Model:
    """Loads a model file. Nothing of it is simulated yet.

    The model is the one that the file instantiates last, or the ``Model`` that it defines last;
    ``name`` is the name of another one. What its ``simulate!`` says of times, tolerance and solver
    holds where :meth:`Model.run` is not told otherwise.

    compat: ``"modia-0.12"`` or single compatibility switches
    components: shared libraries with components in C
    balance: energy and momentum of 3D parts become signals
    allow_read: folders that the file may read besides its own
    modia3d_path: where Modia3D's ``objects`` folder lies
    max_memory: [MB]; max_cpu_time: of the process from here on [s]
    """
    return Model(path, None, _options(name, compat, components, balance, allow_read, modia3d_path, max_memory, max_cpu_time))


def loads(
    text: str,
    name: Optional[str] = None,
    *,
    file: PathLike = "model.jl",
    compat: Optional[str] = None,
    components: Sequence[PathLike] = (),
    balance: bool = False,
    allow_read: Sequence[PathLike] = (),
    modia3d_path: Optional[PathLike] = None,
    max_memory: Optional[float] = None,
    max_cpu_time: Optional[float] = None,
) -> Model:
    """Loads a model from a text; ``file`` is the name that messages give it.

    All else is as in :func:`load`.
    """
    if not isinstance(text, str):
        raise TypeError(f"loads() takes the text of a model as a str, not {type(text).__name__}; load() takes a file")
    return Model(file, text, _options(name, compat, components, balance, allow_read, modia3d_path, max_memory, max_cpu_time))


def _options(
    name: Optional[str],
    compat: Optional[str],
    components: Sequence[PathLike],
    balance: bool,
    allow_read: Sequence[PathLike],
    modia3d_path: Optional[PathLike],
    max_memory: Optional[float],
    max_cpu_time: Optional[float],
) -> Any:
    for key, value in (("components", components), ("allow_read", allow_read)):
        if isinstance(value, (str, bytes)):
            raise TypeError(f"{key} is a list of paths, not one text")
    return dict(
        name=name, compat=compat, components=list(components), balance=balance, allow_read=list(allow_read),
        modia3d_path=modia3d_path, max_memory=None if max_memory is None else max_memory * 2**20,
        max_cpu_time=max_cpu_time,
    )  # fmt: skip


def open(path: PathLike) -> Result:
    """Opens a result: ``.segue``, SignalTables JSON, CSV, MAT or Arrow, also of a run that goes on.

    A folder stands for the run file in it that was written last.
    """
    return Result(_segue.open_result(path))
