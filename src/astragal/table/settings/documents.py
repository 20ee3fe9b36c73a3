"""Documents: text files as plain values, with the place of each fault and what was expected, in the author's words."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from msgspec import Struct, field

from astragal.table.fields import definitions, shapes, validation
from astragal.table.refusals import Refusal

T = TypeVar("T")

LARGEST = 64 * 1024
"""Largest file that is read, in bytes."""
DEEPEST = 8
MOST_FAULTS = 50


class Place(Struct, frozen=True, order=True):
    """Line and column, both from 1. A column is a character."""

    line: int = 1
    column: int = 1


class Fault(Struct, frozen=True, order=True):
    """Fault in a file: where it is, what is wrong, and what was expected."""

    where: str
    place: Place
    wrong: str
    expected: str = ""

    def __str__(self) -> str:
        expected = f"; expected {self.expected}" if self.expected else ""
        return f"{self.where}:{self.place.line}:{self.place.column}: {self.wrong}{expected}"


class FaultyFile(Refusal):
    """Refusal of a file with all its faults. Nothing of a faulty file is loaded."""

    code = "faulty_file"

    def __init__(self, *faults: Fault) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


class Places(Struct):
    """Places of a file's values and keys, of keys that are given twice, and of the first nesting that is too deep."""

    values: dict[validation.Path, Place] = field(default_factory=dict)
    keys: dict[validation.Path, Place] = field(default_factory=dict)
    twice: list[tuple[validation.Path, Place]] = field(default_factory=list)
    too_deep: Place | None = None

    def nearest(self, path: validation.Path) -> Place:
        """Return the value's own place, or that of the innermost table that should have held it."""
        while path and path not in self.values:
            path = path[:-1]
        return self.values.get(path, Place())

    def doubled(self, where: str) -> tuple[Fault, ...]:
        faults = []
        for path, place in self.twice:
            faults.append(Fault(where, place, f"{validation.shown(path)} is given twice", "each key once"))
        return tuple(faults)

    def of(self, problem: validation.Problem) -> Place:
        if problem.at_key and problem.path in self.keys:
            return self.keys[problem.path]
        return self.nearest(problem.path)


class Document(NamedTuple):
    """A file's plain values. Their places are only calculated if one of them is at fault."""

    where: str
    value: Any
    places: Callable[[], Places]
    faults: tuple[Fault, ...] = ()
    """Faults of the file itself that don't prevent parsing."""

    def read(self, kind: type[T], agree: Callable[[Mapping[str, Any]], list[validation.Problem]] = lambda raw: []) -> T:
        """Make the value that the file describes, or refuse with all faults. `agree` finds contradictions."""
        value, problems = validation.examine(kind, self.value)
        if isinstance(self.value, Mapping):
            problems += agree(self.value)
        if value is None or problems or self.faults:
            raise self.refused(problems)
        return value

    def refused(self, problems: Sequence[validation.Problem]) -> FaultyFile:
        """Make the refusal, with faults in the order of the file."""
        places = self.places()
        faults = list(self.faults)
        for problem in map(worded, problems):
            faults.append(Fault(self.where, places.of(problem), problem.wrong, str(problem.expected)))
        faults.sort()
        if len(faults) > MOST_FAULTS:
            summary = f"{len(faults) - MOST_FAULTS} more faults from here on"
            faults[MOST_FAULTS:] = [Fault(self.where, faults[MOST_FAULTS].place, summary)]
        return FaultyFile(*faults)


def worded(problem: validation.Problem) -> validation.Problem:
    """Return the problem with what is wrong, and what was expected, in words."""
    wrong = problem.wrong or f"{validation.shown(problem.path) or 'the file'} is {described(problem.found)}"
    expected = problem.expected if isinstance(problem.expected, str) else in_words(problem.expected)
    return problem._replace(wrong=wrong, expected=expected)


def decoded(data: bytes, where: str) -> str:
    """Decode a file from UTF-8, or refuse it with the place of the first invalid byte."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as fault:
        text = data[: fault.start].decode("utf-8")
        wrong = f"the byte 0x{data[fault.start]:02X} is not UTF-8"
        raise FaultyFile(Fault(where, place_of(text, len(text)), wrong, "text in UTF-8")) from None


def fit(text: str, where: str) -> str:
    """Return the text without its byte order mark; refuse one that is too large or has invisible characters."""
    size = len(text.encode(errors="surrogatepass"))
    text = text.removeprefix("\ufeff")
    if size > LARGEST:
        raise FaultyFile(Fault(where, Place(), f"the file has {size:,} bytes", f"at most {LARGEST:,}"))
    strange = validation.strange_sign(text, f"{validation.LAYOUT}\r")
    if strange is not None:
        wrong = f"the sign {validation.sign_name(text[strange])} can't be seen"
        raise FaultyFile(Fault(where, place_of(text, strange), wrong, "signs that can be seen"))
    return text


def place_of(text: str, index: int) -> Place:
    return Place(text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index))


# ---------------------------------------------------------------- in words

LONGEST_SHOWN = 64


def in_words(shape: shapes.Shape) -> str:
    """Describe a shape: "a whole number from 0 to 2", "a list of exactly 6 lines of text"."""
    match shape:
        case shapes.FlagShape():
            return "true or false"
        case shapes.NumberShape(least=least, most=most):
            if least is None or most is None:
                return "a whole number"
            return f"a whole number from {least} to {most}"
        case shapes.TextShape(spelled=spelled) if spelled is not None:
            return spelled.expected
        case shapes.TextShape(least=least, most=most, one_line=one_line):
            kind = "a line of text" if one_line else "text"
            if most is None:
                return kind
            return f"{kind} of {_amount(least, most)} characters that can be seen"
        case shapes.ChoiceShape(values=values):
            return "one of " + ", ".join(map(described, values))
        case shapes.ListShape(item=item, least=least, most=most):
            return f"a list of {_amount(least, most)} {_plural(item)}"
        case shapes.MappingShape(item=item):
            return f"a table of {_plural(item)}"
        case shapes.RecordShape(kind=kind):
            return "a table with " + ", ".join(field.name for field in definitions.fields_of(kind) if field.required)
        case shapes.EitherShape(shapes=alternatives):
            return " or ".join(map(in_words, alternatives))
        case _:
            return "something else"


def _amount(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more" if least else "any number of"
    if not least:
        return f"at most {most}"
    return f"exactly {most}" if least == most else f"{least} to {most}"


def _plural(shape: shapes.Shape) -> str:
    match shape:
        case shapes.RecordShape() | shapes.MappingShape():
            return "tables"
        case shapes.NumberShape():
            return "whole numbers"
        case shapes.TextShape(one_line=one_line):
            return "lines of text" if one_line else "texts"
        case _:
            return "values"


def described(raw: Any) -> str:
    """Describe a wrong value in a few words."""
    match raw:
        case None:
            return "nothing"
        case bool():
            return "true" if raw else "false"
        case str():
            if len(raw) > LONGEST_SHOWN:
                return f"a text of {len(raw)} characters"
            return f'"{validation.printable(raw)}"'
        case list():
            return f"a list of {len(raw)}"
        case Mapping():
            return "a table"
        case int():
            return str(raw) if abs(raw) < 10**12 else "a very large number"
    return validation.printable(str(raw))
