"""Results: signals as arrays, events, contacts, files, figures, the page."""

from __future__ import annotations

import base64
import difflib
import fnmatch
import os
import tempfile
from typing import TYPE_CHECKING, Any, Dict, Iterator, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

from . import _segue
from ._errors import UnknownName, UsageError
from ._values import Array, Table, Variable, escaped, shaped, view

if TYPE_CHECKING:
    import pandas

PathLike = Union[str, "os.PathLike[str]"]

_EVENTS = ("time", "state", "restart", "segment", "action", "stop")
_DIFFERENCES = ("same", "value", "presence", "only in the first", "only in the second", "times")
_SCENES = {".glb": 1, ".obj": 2, ".stl": 3}


class Event(NamedTuple):
    """Something that happened in a run."""

    time: float
    kind: str
    text: str
    segment: int
    point: int


class Segment(NamedTuple):
    """A stretch of a run without a change of structure."""

    start: float
    stop: float
    first_point: int
    n_points: int
    action: str
    n_signals: int
    n_states: int


class Contact(NamedTuple):
    """A contact of two bodies; ``end`` is None while it lasts at the end of the run."""

    object1: str
    object2: str
    begin: float
    end: Optional[float]
    speed: float
    depth: float
    depth_time: float
    force: float
    force_time: float
    impulse: float
    law: str


class Difference(NamedTuple):
    """How one scalar signal of two results compares."""

    kind: str
    name: str
    time: float
    first: float
    second: float
    error: float
    tolerance: float


class Figure:
    """A figure as SVG: shows itself in a notebook, and can be saved."""

    def __init__(self, svg: str) -> None:
        self.svg = svg

    def save(self, path: PathLike) -> None:
        """Writes the SVG to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg)

    def _repr_html_(self) -> str:
        # As an image: nbconvert takes the paths out of SVG that stands in the page itself.
        data = base64.b64encode(self.svg.encode()).decode()
        return f'<img src="data:image/svg+xml;base64,{data}" alt="diagrams" style="max-width:100%">'

    def __repr__(self) -> str:
        return f"<segue.Figure, {len(self.svg)} bytes of SVG>"


class Result(Mapping[str, Array]):
    """The table of all signals of a run.

    ``r["arm.phi"]`` is an array over time (points, or points x elements), which shares its memory
    with every other use of the signal; ``r["r[2]"]`` is one element, ``r.time`` the time. Numbers
    are in SI units; where a signal does not exist they are NaN. Without numpy, arrays are memory
    views of doubles.
    """

    def __init__(self, raw: _segue.Result) -> None:
        self._raw = raw
        self._columns: Dict[str, Array] = {}
        self._signals: Optional[Dict[str, Tuple[int, Variable]]] = None
        path, model, damage, finished, outcome, n_points, start, stop = raw.describe()
        #: the file it was read from, or ""
        self.path: str = path
        #: the name of the model, or ""
        self.model: str = model
        #: what is wrong with the end of the file, or ""
        self.damage: str = damage
        #: the run ended in order
        self.finished: bool = bool(finished) and outcome == 0
        self.start: float = start
        self.stop: float = stop
        self._n_points: int = n_points

    # ---- signals

    def _known(self) -> Dict[str, Tuple[int, Variable]]:
        if self._signals is None:
            self._signals = {s[0]: (i, Variable((*s[:5], None))) for i, s in enumerate(self._raw.signals())}
        return self._signals

    def __getitem__(self, name: str) -> Array:
        """All values of a signal, or of an element such as ``"r[2]"`` of one."""
        if not isinstance(name, str):
            raise TypeError(f"a signal has a name, a str, not {type(name).__name__}")
        column = self._columns.get(name)
        if column is None:
            index, variable = self._known().get(name, (-1, None))
            if index < 0 and name != "time" and "[" not in name:
                raise UnknownName(f"the result has no signal {name!r}{self._hint(name)}")
            shape = (self._n_points, *(variable.shape if variable else ()))
            try:
                column = self._columns[name] = view(self._raw.values(name, index), shape)
            except UsageError as error:
                raise UnknownName(str(error), error.messages) from None
        return column

    def _hint(self, name: str) -> str:
        close = difflib.get_close_matches(name, self._known(), 1) or [
            n for n in self._known() if n.endswith("." + name)
        ]
        return f"; did you mean {close[0]!r}?" if close else ""

    def __iter__(self) -> Iterator[str]:
        return iter(self._known())

    def __len__(self) -> int:
        """The number of signals."""
        return len(self._known())

    def __contains__(self, name: object) -> bool:
        return name == "time" or name in self._known()

    @property
    def time(self) -> Array:
        """The time of all points [s]; at an event it is there twice."""
        return self["time"]

    @property
    def n_points(self) -> int:
        """The number of points in time."""
        return self._n_points

    @property
    def signals(self) -> Table:
        """Signals by name, with unit, description, type and shape."""
        return Table("signals", [v for _, v in self._known().values()])

    def unit(self, name: str) -> str:
        """The unit of a signal or parameter, ``""`` if it has none."""
        if name == "time":
            return "s"
        for known in (self._known().get(name), self._known().get(name.split("[")[0])):
            if known is not None:
                return known[1].unit
        for p in self._raw.parameters():
            if p[0] == name:
                return p[1]
        raise UnknownName(f"the result has no signal or parameter {name!r}{self._hint(name)}")

    @property
    def units(self) -> Dict[str, str]:
        """The units of all signals that have one."""
        return {name: v.unit for name, (_, v) in self._known().items() if v.unit}

    def find(self, pattern: str) -> List[str]:
        """The names that match a pattern with ``*`` and ``?``."""
        return [name for name in self._known() if fnmatch.fnmatchcase(name, pattern.replace("[", "[[]"))]

    # ---- what else it has

    @property
    def parameters(self) -> Dict[str, Any]:
        """Values of all parameters of the run: floats, arrays, texts."""
        out: Dict[str, Any] = {}
        for name, _, _, _, shape, value in self._raw.parameters():
            out[name] = value if isinstance(value, str) else shaped(value, shape) if shape else value[0]
        return out

    @property
    def attributes(self) -> Dict[str, Any]:
        """What else the result tells of the run: experiment, statistics, program."""
        return {
            key: text if kind == 3 else bool(number) if kind == 2 else int(number) if kind == 1 else number
            for key, kind, number, text in self._raw.attributes()
        }

    @property
    def statistics(self) -> Dict[str, Any]:
        """Steps, evaluations, events and times of the run."""
        return {k.split(".", 1)[1]: v for k, v in self.attributes.items() if k.startswith("statistics.")}

    @property
    def events(self) -> List[Event]:
        """What happened, in the order of time."""
        return [
            Event(time, _EVENTS[kind], text, segment + 1, point)
            for kind, time, point, segment, text in self._raw.events()
        ]

    @property
    def contacts(self) -> List[Contact]:
        """Contacts of bodies, also those shorter than the interval of points."""
        all_of_them = [Contact(*c) for c in self._raw.contacts()]
        return [c._replace(end=None) if c.end != c.end else c for c in all_of_them]

    @property
    def segments(self) -> List[Segment]:
        """The segments of the run, between which its structure changed."""
        return [Segment(*s) for s in self._raw.segments()]

    # ---- to other programs

    def to_pandas(self, *names: str) -> "pandas.DataFrame":
        """A DataFrame of all signals, or of those named, over time; needs pandas.

        A vector becomes a column for each element.
        """
        import pandas

        columns: Dict[str, Any] = {}
        for name in names or self._known():
            values: Any = self[name]
            if values.ndim == 1:
                columns[name] = values
            elif values.ndim == 2:
                columns.update({f"{name}[{k + 1}]": values[:, k] for k in range(values.shape[1])})
            else:
                rows, cols = values.shape[1:]
                columns.update(
                    {f"{name}[{i + 1},{k + 1}]": values[:, i, k] for i in range(rows) for k in range(cols)}
                )
        frame = pandas.DataFrame(columns, index=pandas.Index(self.time, name="time"), copy=False)
        frame.attrs["units"] = {name: self.unit(name) for name in columns}
        return frame

    def save(
        self,
        path: PathLike,
        *,
        format: Optional[str] = None,
        signals: Union[str, Sequence[str], None] = None,
        csv_units: bool = False,
        single: bool = False,
        title: Optional[str] = None,
        max_size: Optional[float] = None,
    ) -> None:
        """Writes a file; its suffix says what.

        ``.segue``, ``.csv``, ``.json``, ``.mat``, ``.arrow``: all points; ``.html``: the page, at
        most ``max_size`` MB; ``.glb``, ``.obj``, ``.stl``: the scene of 3D parts, and with
        ``format="three"`` that for three.js.

        format: instead of the suffix
        signals: globs of the signals to keep
        csv_units: units in the header of a CSV file instead of in a second file
        single: a MAT file in single precision
        """
        suffix = f".{format}" if format else os.path.splitext(os.fspath(path))[1].lower()
        patterns = [signals] if isinstance(signals, str) else signals
        if suffix in (".html", ".htm"):
            size = None if max_size is None else max_size * 1e6
            self._raw.page(path, dict(title=title, max_size=size, signals=patterns))
        elif suffix in _SCENES or format == "three":
            self._raw.scene(path, _SCENES.get(suffix, 0))
        else:
            self._raw.save(path, dict(format=format, signals=patterns, csv_units=csv_units, single=single))

    def plot(
        self,
        *signals: Union[str, Sequence[str]],
        to: Optional[PathLike] = None,
        against: Sequence["Result"] = (),
        **options: Any,
    ) -> Figure:
        """Draws signals over time, as SVG; no other package is needed.

        Each argument is a diagram, one below the other; a list of names shares one. Names may be
        globs. ``against``: results that are drawn into the same diagrams.

        to: a file as well, ``.svg``, ``.png`` or ``.pdf`` (the latter two need the library cairo)
        heading, x (the signal of the horizontal axis), grid, events, few_x_labels, max_legend,
        width, height, from, to, x_lo, x_hi, y_lo, y_hi, log_x, log_y, degrees, equal, right,
        color_by, band: as ``segue plot`` has them
        """
        known = set(_FIGURE_OPTIONS)
        for key in options:
            if key not in known:
                close = difflib.get_close_matches(key, known, 1)
                raise TypeError(f"plot() has no option {key!r}" + (f"; did you mean {close[0]!r}?" if close else ""))
        options = {_FIGURE_OPTIONS[k]: v for k, v in options.items()}
        results = [self, *against]
        curves: List[Tuple[int, int, _segue.Result, str, str]] = []
        for row, entry in enumerate(signals or (tuple(self._first()),)):
            for pattern in [entry] if isinstance(entry, str) else entry:
                names = [pattern]
                if "*" in pattern or "?" in pattern:
                    names = self.find(pattern)
                    if not names:
                        raise UnknownName(f"no signal matches {pattern!r}")
                for name in names:
                    for i, result in enumerate(results):
                        if name.split("[")[0] not in result and name not in result:
                            raise UnknownName(f"the result has no signal {name!r}{result._hint(name)}")
                        prefix = f"{i + 1}: " if len(results) > 1 else ""
                        curves.append((row, 0, result._raw, name, prefix))
        if to is not None:
            _segue.draw_figure(curves, to, options)
        with tempfile.TemporaryDirectory(prefix="segue-") as folder:
            path = os.path.join(folder, "figure.svg")
            _segue.draw_figure(curves, path, options)
            with open(path, encoding="utf-8") as file:
                return Figure(file.read())

    def _first(self) -> List[str]:
        """What is shown when nobody says what: the states, else the first few signals."""
        states = [s[0] for s in self._raw.signals() if s[6]]
        return (states or list(self._known()))[:6]

    def compare(
        self,
        other: "Result",
        rtol: float = 1e-3,
        atol: float = 0.0,
        signals: Union[str, Sequence[str], None] = None,
    ) -> List[Difference]:
        """What differs in another result, beyond the tolerances; an empty list if nothing does.

        Values are compared at the points of this result, with those of the other one in between.
        """
        patterns = [signals] if isinstance(signals, str) else signals
        raw = _segue.compare_results(self._raw, other._raw, dict(rtol=rtol, atol=atol, signals=patterns))
        return [Difference(_DIFFERENCES[d[0]], *d[1:]) for d in raw if d[0] != 0]

    # ---- looks

    def page(self, *, title: Optional[str] = None, max_size: Optional[float] = None) -> str:
        """The page with the moving picture and diagrams, as HTML."""
        with tempfile.TemporaryDirectory(prefix="segue-") as folder:
            path = os.path.join(folder, "page.html")
            self.save(path, title=title, max_size=max_size)
            with open(path, encoding="utf-8") as file:
                return file.read()

    def _repr_html_(self) -> str:
        """In a notebook: the page, or a diagram where this build has none."""
        if _segue.page_unavailable():
            return self.plot()._repr_html_()
        # A frame of its own, so that notebook and page cannot disturb each other.
        data = base64.b64encode(self.page().encode()).decode()
        return (
            f'<iframe src="data:text/html;charset=utf-8;base64,{data}" title="{escaped(self.model)}" '
            'style="width:100%;height:600px;border:1px solid #ccc" allowfullscreen></iframe>'
        )

    def __repr__(self) -> str:
        name = f" of {self.model!r}" if self.model else ""
        end = "" if self.finished else ", not finished"
        return (
            f"<segue.Result{name}: {len(self)} signals, {self._n_points} points, "
            f"{self.start:g} s to {self.stop:g} s{end}>"
        )

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = object.__hash__

    def __reduce__(self) -> Tuple[Any, ...]:
        with tempfile.TemporaryDirectory(prefix="segue-") as folder:
            path = os.path.join(folder, "result.segue")
            self._raw.save(path, {})
            with open(path, "rb") as file:
                return (_from_bytes, (file.read(),))


_FIGURE_OPTIONS = {name: name for name in (
    "heading", "x", "grid", "events", "few_x_labels", "max_legend", "width", "height", "scale", "x_lo", "x_hi",
    "y_lo", "y_hi", "log_x", "log_y", "degrees", "equal", "right", "color_by", "band")}  # fmt: skip
_FIGURE_OPTIONS.update(begin="from", end="to")  # words of Python, or taken


def _from_bytes(data: bytes) -> Result:
    with tempfile.TemporaryDirectory(prefix="segue-") as folder:
        path = os.path.join(folder, "result.segue")
        with open(path, "wb") as file:
            file.write(data)
        result = Result(_segue.open_result(path))
        result.time  # while the file is there
        for name in result:
            result[name]
        return result
