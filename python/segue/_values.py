"""Numbers on their way between Python and the library."""

from __future__ import annotations

import math
import re
from array import array
from typing import TYPE_CHECKING, Any, Iterator, List, Mapping, Optional, Sequence, Tuple, Union, cast

try:
    import numpy
except ImportError:  # arrays are memory views of doubles then
    numpy = None  # type: ignore[assignment]

if TYPE_CHECKING:
    import numpy.typing

    #: A numpy array, or a memoryview of doubles where there is no numpy.
    Array = numpy.typing.NDArray[numpy.float64]
else:
    Array = Any

#: What a parameter can be set to.
Value = Union[float, int, bool, str, Sequence[float], Sequence[Sequence[float]], "Array"]

# (name, unit, info, type, shape, text), as the extension describes variables
RawVariable = Tuple[str, str, str, int, Tuple[int, ...], Optional[str]]

_TYPES = ("real", "integer", "boolean", "text")


class Variable:
    """A parameter, input, state or signal: name, unit, description, type, shape."""

    __slots__ = ("name", "unit", "info", "type", "shape", "text")

    def __init__(self, raw: RawVariable) -> None:
        self.name, self.unit, self.info = raw[0], raw[1], raw[2]
        self.type: str = _TYPES[raw[3]]
        #: () for a number, (n,) for a vector, (n, m) for a matrix
        self.shape: Tuple[int, ...] = raw[4]
        self.text: Optional[str] = raw[5]

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def __repr__(self) -> str:
        unit = f" [{self.unit}]" if self.unit else ""
        shape = f" {self.shape}" if self.shape else ""
        info = f" {self.info!r}" if self.info else ""
        return f"<segue.Variable {self.name}{unit}{shape}{info}>"


def view(data: bytearray, shape: Tuple[int, ...], writable: bool = False) -> Array:
    """An array over the bytes, which it shares: nothing is copied."""
    doubles = memoryview(data).cast("d")
    if numpy is not None:
        out = numpy.frombuffer(data, dtype=numpy.float64).reshape(shape)
        if not writable:
            out.flags.writeable = False
        return out
    if len(shape) > 1 and all(shape):
        doubles = memoryview(data).cast("B").cast("d", cast("List[int]", list(shape)))
    return cast("Array", doubles if writable else doubles.toreadonly())


def shaped(numbers: List[float], shape: Tuple[int, ...]) -> Any:
    """Numbers column by column as an array of a shape; a fresh one."""
    if len(shape) == 2:
        rows, columns = shape
        numbers = [numbers[i + k * rows] for i in range(rows) for k in range(columns)]
    return view(bytearray(array("d", numbers).tobytes()), shape, writable=True)


def flattened(value: Any) -> List[float]:
    """A number, a vector or a matrix as numbers, column by column."""
    if isinstance(value, (int, float)):
        return [float(value)]
    if numpy is not None and isinstance(value, (numpy.ndarray, numpy.generic)):
        a = numpy.asarray(value, dtype=float)
        if a.ndim > 2:
            raise ValueError(f"an array of {a.ndim} dimensions is none of a model, which has 2 at most")
        return cast("List[float]", a.flatten(order="F").tolist())
    if hasattr(value, "tolist"):  # array.array, memoryview
        value = value.tolist()
    try:
        rows = list(value)
    except TypeError:
        raise TypeError(
            f"a value is a number, an array of numbers, or a text such as '2.5 kg', not {type(value).__name__}"
        ) from None
    if rows and all(hasattr(row, "__iter__") and not isinstance(row, str) for row in rows):
        matrix = [[float(x) for x in row] for row in rows]
        if len({len(row) for row in matrix}) != 1:
            raise ValueError("the rows of a matrix have the same length")
        return [row[k] for k in range(len(matrix[0])) for row in matrix]
    return [float(x) for x in rows]


def packed(value: Any) -> bytes:
    """The same as bytes of doubles."""
    return array("d", flattened(value)).tobytes()


_NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_QUANTITY = re.compile(rf"\s*({_NUMBER})\s*([A-Za-zΩµμ°%][^\s\"]*)\s*")
_QUANTITIES = re.compile(r"\s*(\[[-+0-9.eE,;\s]*\])\s*([A-Za-zΩµμ°%][^\s\"]*)\s*")


def expression(text: str, variable: Optional[Variable]) -> str:
    """A text as an expression of the language: ``"2 kg"`` is ``2u"kg"``; all else stays."""
    if variable is not None and variable.type == "text" and not text.lstrip().startswith('"'):
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
        return f'"{escaped}"'
    match = _QUANTITY.fullmatch(text) or _QUANTITIES.fullmatch(text)
    return f'{match[1]}u"{match[2]}"' if match else text


def shown(value: Any) -> str:
    """A value in a table, not too long."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, list):
        text = "[" + ", ".join(shown(x) for x in value) + "]"
        return text if len(text) <= 40 else text[:37] + "..."
    return repr(value) if isinstance(value, str) else str(value)


def escaped(text: str) -> str:
    """For HTML."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


class Table(Mapping[str, Variable]):
    """Variables by name, which print themselves as a table."""

    def __init__(self, title: str, variables: Sequence[Variable]) -> None:
        self._title = title
        self._variables = {v.name: v for v in variables}

    def __getitem__(self, name: str) -> Variable:
        return self._variables[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._variables)

    def __len__(self) -> int:
        return len(self._variables)

    def _rows(self) -> List[Tuple[str, str, str, str]]:
        return [(v.name, self._shown(v), v.unit, v.info) for v in self._variables.values()]

    def _shown(self, variable: Variable) -> str:
        return "x".join(str(n) for n in variable.shape)

    def _headings(self) -> Tuple[str, str, str, str]:
        return ("name", "size", "unit", "description")

    def __repr__(self) -> str:
        rows = self._rows()
        if not rows:
            return f"no {self._title}"
        table = [self._headings(), *rows[:200]]
        widths = [max(len(row[k]) for row in table) for k in range(3)]
        lines = ["  ".join([*(row[k].ljust(widths[k]) for k in range(3)), row[3]]).rstrip() for row in table]
        if len(rows) > 200:
            lines.append(f"... and {len(rows) - 200} more")
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        if not self._variables:
            return f"<p>no {self._title}</p>"
        head = "".join(f"<th style='text-align:left'>{h}</th>" for h in self._headings())
        body = "".join(
            "<tr>" + "".join(f"<td style='text-align:left'>{escaped(cell)}</td>" for cell in row) + "</tr>"
            for row in self._rows()
        )
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
