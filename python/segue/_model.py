"""Models: loaded, given values, run."""

from __future__ import annotations

import os
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Sequence, Sized, Tuple, Union

from . import _segue
from ._errors import Error, Interrupted
from ._result import Result
from ._run import Run
from ._values import Table, Value, Variable, escaped, expression, packed, shaped, shown

PathLike = Union[str, "os.PathLike[str]"]

_PARAMETERS, _INPUTS, _OUTPUTS, _STATES, _SIGNALS = range(5)


class Experiment(NamedTuple):
    """What a run goes by where nothing else is said."""

    start: float
    stop: Optional[float]
    tolerance: float
    atol: float
    interval: float
    solver: str


class Parameter(Variable):
    """A parameter of a model, with its present value."""

    __slots__ = ("_model",)

    def __init__(self, raw: Any, model: "Model") -> None:
        super().__init__(raw)
        self._model = model

    @property
    def value(self) -> Any:
        """A float, an array, or a str; in SI units."""
        return self._model[self.name]

    def __repr__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"<segue.Parameter {self.name} = {shown(self.value)}{unit}>"


class Parameters(Table):
    """The parameters of a model; ``m.parameters["R.R"].value`` or, shorter, ``m["R.R"]``."""

    def __getitem__(self, name: str) -> Parameter:
        variable = super().__getitem__(name)
        assert isinstance(variable, Parameter)
        return variable

    def _headings(self) -> Tuple[str, str, str, str]:
        return ("name", "value", "unit", "description")

    def _shown(self, variable: Variable) -> str:
        return shown(variable.value) if isinstance(variable, Parameter) else ""


class Model:
    """A model of a file or a text; made by :func:`segue.load` and :func:`segue.loads`.

    ``m["load.mass"]`` is a parameter, an input or a start value, and can be set: to a number or an
    array in SI units, or to a text with a unit, ``"2.5 kg"``. :meth:`run` simulates,
    :meth:`start` goes through time step by step.

    A model belongs to one thread at a time. Models are independent of each other and run at the
    same time in as many threads as there are models; copy one with :meth:`copy`. They can be
    pickled, for pools of processes.
    """

    def __init__(self, path: Optional[PathLike], text: Optional[str], options: Dict[str, Any]) -> None:
        self._path = os.fspath(path) if path is not None else "model.jl"
        self._text = text
        self._options = {k: v for k, v in options.items() if v is not None}
        self._settings: Dict[str, Any] = {}
        self._result: Optional[Result] = None
        self._run: Optional[Run] = None
        self._variables: Dict[str, Variable] = {}
        self._handle = _segue.Handle()
        data = None if text is None else text.encode()
        self._handle.open(self._path, data, self._options)

    # ---- what it consists of

    @property
    def path(self) -> Optional[str]:
        """The file it was loaded from, or None."""
        return self._path if self._text is None else None

    @property
    def parameters(self) -> Parameters:
        """Parameters by name, with value, unit and description."""
        return Parameters("parameters", [Parameter(v, self) for v in self._handle.variables(_PARAMETERS)])

    @property
    def inputs(self) -> Table:
        """Inputs of the top level by name; they can be set at any time, also while the model runs."""
        return self._table(_INPUTS, "inputs")

    @property
    def outputs(self) -> Table:
        """Outputs of the top level by name."""
        return self._table(_OUTPUTS, "outputs")

    @property
    def states(self) -> Table:
        """States by name; ``m[name]`` sets their start values."""
        return self._table(_STATES, "states")

    @property
    def signals(self) -> Table:
        """All that a result will have, by name."""
        return self._table(_SIGNALS, "signals")

    @property
    def experiment(self) -> Experiment:
        """Times, tolerances and solver where nothing else is said: what the text has."""
        self._handle.set_experiment({})
        start, stop, tolerance, atol, interval, solver = self._handle.experiment()
        return Experiment(start, None if stop != stop else stop, tolerance, atol, interval, solver)

    def _table(self, which: int, title: str) -> Table:
        return Table(title, [Variable(v) for v in self._handle.variables(which)])

    def _find(self, name: str) -> Optional[Variable]:
        """What is known of a name; None if there is no such thing."""
        if not isinstance(name, str):
            raise TypeError(f"a name is a str, not {type(name).__name__}")
        if name not in self._variables:
            for which in (_SIGNALS, _STATES, _INPUTS, _PARAMETERS):
                self._variables.update((v[0], Variable(v)) for v in self._handle.variables(which))
        return self._variables.get(name)

    # ---- values

    def __getitem__(self, name: str) -> Any:
        """The present value of a parameter or an input, in SI units: a float, an array or a str."""
        variable = self._find(name)
        if variable is not None and variable.type == "text":
            self._variables.clear()  # it may have been set since
            variable = self._find(name)
            return variable.text if variable is not None else ""
        return self._get(name, variable)

    def _get(self, name: str, variable: Optional[Variable]) -> Any:
        if variable is None or not variable.shape:
            return self._handle.get(name, 0)
        numbers = self._handle.get(name, variable.size) if variable.size else []
        assert isinstance(numbers, list)
        return shaped(numbers, variable.shape)

    def __setitem__(self, name: str, value: Value) -> None:
        """Sets a parameter, a start value or an input; holds for all runs from the next one on."""
        variable = self._find(name)
        if isinstance(value, str):
            self._handle.set_text(name, expression(value, variable))
            self._variables.clear()  # sizes may follow from it
        else:
            self._handle.set(name, packed(value))
        self._settings.pop(name, None)
        self._settings[name] = value if isinstance(value, (int, float, str)) else _plain(value)

    def __iter__(self) -> Iterator[str]:
        return iter(self.parameters)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._find(name) is not None

    def __len__(self) -> int:
        return len(self._handle.variables(_PARAMETERS))

    def set(self, values: Optional[Dict[str, Value]] = None, **more: Value) -> "Model":
        """Sets several values at once: ``m.set({"R.R": 5, "C.v": 1})``. Returns the model."""
        for name, value in {**(values or {}), **more}.items():
            self[name] = value
        return self

    # ---- running

    def run(
        self,
        stop: Optional[float] = None,
        tolerance: Optional[float] = None,
        *,
        start: Optional[float] = None,
        atol: Optional[float] = None,
        interval: Optional[float] = None,
        solver: Optional[str] = None,
        set: Optional[Dict[str, Value]] = None,
        signals: Union[str, Sequence[str], None] = None,
        input: Optional[PathLike] = None,
        log: Union[str, Sequence[str], None] = None,
        converge: bool = False,
        strict: bool = False,
        check_patterns: bool = False,
        force: bool = False,
        max_time: Optional[float] = None,
        max_cpu_time: Optional[float] = None,
        max_events: Optional[int] = None,
        progress: Optional[Callable[[float], object]] = None,
        output: Optional[PathLike] = None,
    ) -> Result:
        """Simulates, and returns the result.

        What is not given is as the last ``simulate!`` of the text says, or the default of the
        language.

        stop, start, interval: times [s]; the interval is that of stored points
        tolerance, atol: relative and absolute tolerance
        solver: its name, such as ``"CVODE_BDF"``, ``"Tsit5"``, ``"IDA"``
        set: values for parameters and start values, as by ``m[name] = value``; they stay set
        signals: globs of the signals to store; all by default
        input: a table (CSV or any result) with values of inputs over time
        log: some of statistics, states, events, timing, parameters, progress, contacts
        converge: run again at a ten times smaller tolerance, and warn of what differs
        strict: warnings are errors (:class:`segue.CheckError`)
        check_patterns: try the sparsity patterns of all Jacobians; slow
        force: results of more than 10 GB are wanted
        max_time, max_cpu_time: limits of this run [s]; max_events: of its events
        progress: called with the simulated time [s] about five times a second
        output: a file to save the result to, see :meth:`Result.save`

        Ctrl-C stops a run: :class:`KeyboardInterrupt` is raised, and what was computed until then
        is ``m.result``. So it is when a run fails.
        """
        self._end_run()
        for name, value in (set or {}).items():
            self[name] = value
        self._result = None
        self._handle.set_experiment(
            dict(start=start, stop=stop, tolerance=tolerance, atol=atol, interval=interval, solver=solver)
        )
        options = dict(
            signals=_joined(signals), input=input, log=_joined(log), converge=converge, strict=strict,
            check_patterns=check_patterns, force=force, max_time=max_time, max_cpu_time=max_cpu_time,
            max_events=max_events,
        )  # fmt: skip
        found: List[_segue.Result] = []
        try:
            self._handle.run(options, found, progress)
        except (Error, KeyboardInterrupt) as error:
            if found:
                self._result = Result(found[0])
            if isinstance(error, (Error, Interrupted)):
                error.result = self._result
            raise
        finally:
            self._variables.clear()
        self._result = Result(found[0])
        if output is not None:
            self._result.save(output)
        return self._result

    def start(
        self,
        stop: Optional[float] = None,
        tolerance: Optional[float] = None,
        *,
        start: Optional[float] = None,
        atol: Optional[float] = None,
        interval: Optional[float] = None,
        solver: Optional[str] = None,
        set: Optional[Dict[str, Value]] = None,
        record: bool = True,
    ) -> Run:
        """Initializes the model, for a run step by step; use it in a ``with``.

        The arguments are those of :meth:`run`. Without ``record`` no points are kept, and there is
        no result. A stop time that nobody gave is a million seconds.
        """
        self._end_run()
        for name, value in (set or {}).items():
            self[name] = value
        if stop is None and self.experiment.stop is None:
            stop = (start or 0.0) + 1e6
        self._handle.set_experiment(
            dict(start=start, stop=stop, tolerance=tolerance, atol=atol, interval=interval, solver=solver,
                 no_record=not record)
        )  # fmt: skip
        self._handle.initialize()
        self._variables.clear()
        self._run = Run(self, record)
        return self._run

    def _end_run(self) -> None:
        if self._run is not None:
            self._run.close()

    @property
    def result(self) -> Optional[Result]:
        """The result of the last run, also of one that failed or was stopped; or None."""
        return self._result

    def stop(self) -> bool:
        """Stops what the model does in another thread, which gets :class:`segue.Interrupted`.

        True if it was doing something.
        """
        return self._handle.request_stop()

    # ---- life

    def copy(self) -> "Model":
        """Another one with the same values, for another thread."""
        twin = Model(self._path if self.path else None, self._text, self._options)
        twin._path = self._path
        for name, value in self._settings.items():
            twin[name] = value
        return twin

    __copy__ = copy

    def __deepcopy__(self, memo: object) -> "Model":
        return self.copy()

    def __reduce__(self) -> Tuple[Any, ...]:
        return (_load_again, (self._path, self._text, self._options, self._settings))

    def close(self) -> None:
        """Gives its memory back; results live on. Nothing else can be done with it then."""
        if self._run is not None and not self._run.closed:
            self._run._end()
        self._handle.close()

    def __enter__(self) -> "Model":
        return self

    def __exit__(self, *args: object) -> None:
        self.close()

    # ---- looks

    @property
    def name(self) -> str:
        """The name of its file, without folder and suffix."""
        return os.path.splitext(os.path.basename(self._path))[0]

    def __repr__(self) -> str:
        try:
            e = self.experiment
        except (ValueError, RuntimeError):
            return f"<segue.Model {self._path!r}, closed or busy>"
        stop = "no stop time" if e.stop is None else f"to {e.stop:g} s"
        return (
            f"<segue.Model {self._path!r}: {_count(self, 'parameter')}, {_count(self.inputs, 'input')}, "
            f"{_count(self.states, 'state')}; {e.solver}, {stop}, tolerance {e.tolerance:g}>"
        )

    def _repr_html_(self) -> str:
        e = self.experiment
        stop = "no stop time" if e.stop is None else f"{e.start:g} s to {e.stop:g} s"
        parts = [
            f"<p><b>{escaped(self.name)}</b>: {_count(self.states, 'state')}; {escaped(e.solver)}, {stop}, "
            f"tolerance {e.tolerance:g}</p>",
            self.parameters._repr_html_(),
        ]
        if len(self.inputs):
            parts += ["<p>inputs</p>", self.inputs._repr_html_()]
        return "".join(parts)


def _count(things: Sized, word: str) -> str:
    return f"{len(things)} {word}{'' if len(things) == 1 else 's'}"


def _joined(value: Union[str, Sequence[str], None]) -> Optional[str]:
    return value if value is None or isinstance(value, str) else ",".join(value)


def _plain(value: Any) -> Any:
    """A copy in lists, which nobody changes and which can be pickled."""
    if hasattr(value, "tolist"):
        return value.tolist()
    return [_plain(x) for x in value] if hasattr(value, "__iter__") else value


def _load_again(path: str, text: Optional[str], options: Dict[str, Any], settings: Dict[str, Any]) -> Model:
    model = Model(path, text, options)
    for name, value in settings.items():
        model[name] = value
    return model
