"""Validation of plain values against a definition. It finds all problems at once, with the path to each.

`read` makes a command, or refuses it with a sentence for each problem. `examine` returns the problems; `settings` finds
the line and column of each in a file. `read_json` parses JSON from outside strictly. Checks for invisible characters
and for names that look alike are here, too.
"""

# ruff: noqa: RUF001 - letters that look alike stand side by side in a table below

import json
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import islice
from typing import Any, NamedTuple, TypeAlias, TypeVar
from unicodedata import category

import msgspec

from astragal.table.declarations import parts_of
from astragal.table.fields import shapes
from astragal.table.fields.definitions import LONGEST_LIST, Field, fields_of
from astragal.table.refusals import BadFields

Path: TypeAlias = tuple[str | int, ...]
"""Path to a value: ("heroes", 1, "scores", "MGT")."""


class Problem(NamedTuple):
    """A problem and what was expected. A value of the wrong shape is in `found`, and `wrong` is empty."""

    path: Path
    wrong: str = ""
    expected: shapes.Shape | str = ""
    found: Any = None
    said: str = ""
    """The sentence for a command's sender, if it differs."""
    at_key: bool = False
    """The key itself is at fault, not its value."""


def shown(path: Path, first: int = 1) -> str:
    """Write a path for people: `heroes[2].scores.MGT`, counted from 1."""
    steps = (f"[{step + first}]" if isinstance(step, int) else f".{printable(step)}" for step in path)
    return "".join(steps).removeprefix(".")


T = TypeVar("T")

LONGEST_KEY = 60
LARGEST_BITS = 63
MOST_UNKNOWN = 64
"""Most unknown keys to report: someone's file may have thousands."""


def read(kind: type[T], raw: Mapping[str, Any]) -> T:
    """Make a command from plain values, or refuse with everything that is wrong with them."""
    value, problems = examine(kind, raw)
    if problems:
        sentences = [problem.said or problem.wrong for problem in problems]
        raise BadFields(sentences, [problem.path for problem in problems])
    checked: Any = value
    return checked  # type: ignore[no-any-return]


def check(command: T) -> T:
    """Validate a command that was built in Python."""
    return read(type(command), parts_of(command))


def examine(kind: type[T], raw: Any) -> tuple[T | None, list[Problem]]:
    """Return the value, or None, and everything that is wrong."""
    problems: list[Problem] = []
    return _read_value(kind, raw, (), problems), problems


def _read_value(kind: type, raw: Any, path: Path, problems: list[Problem]) -> Any:
    if isinstance(raw, kind):
        raw = parts_of(raw)
    if not isinstance(raw, Mapping):
        sentence = f"{_label(path) or 'a command'} must be an object with named fields"
        problems.append(Problem(path, expected=shapes.RecordShape(kind=kind), found=raw, said=sentence))
        return None
    readers = _readers(kind)
    if not raw.keys() <= readers.keys():
        problems += _unknown_keys(raw, readers, path)
    values: dict[str, Any] = {}
    for name, (field, reads) in readers.items():
        if name in raw:
            values[name] = reads(raw[name], (*path, name), problems)
        elif field.required:
            way = (*path, name)
            sentence = f"{_label(way)} is missing"
            problems.append(Problem(way, f"{shown(way)} is missing", field.shape, said=sentence))
        else:
            values[name] = field.default
    if problems:
        return None
    try:
        return kind(**values)
    except ValueError as fault:
        problems.append(Problem(path, f"{shown(path)}: {fault}".removeprefix(": "), said=str(fault)))
        return None


def _unknown_keys(raw: Mapping[str, Any], fields: Collection[str], path: Path) -> Iterator[Problem]:
    expected = f"one of {', '.join(fields)}"
    for key in islice((key for key in raw if key not in fields), MOST_UNKNOWN):
        way = (*path, str(key))
        yield Problem(way, f"there is no {shown(way)}", expected, said=f"there is no field {_shown(key)}", at_key=True)


# ---------------------------------------------------------------- readers of shapes
#
# The caches save finding the readers of a type again for every command. Types do not change, so nothing ends them.


_Reader = Callable[[Any, Path, list[Problem]], Any]
"""Reads a plain value, given its path and a list to add problems to."""


@cache
def _readers(kind: type) -> Mapping[str, tuple[Field, _Reader]]:
    return {field.name: (field, _reader(field.shape)) for field in fields_of(kind)}


@cache
def _reader(shape: shapes.Shape) -> _Reader:
    """Make the function that reads values of a shape."""
    match shape:
        case shapes.AnyShape():
            return _read_anything
        case shapes.NothingShape():
            return partial(_read_nothing, shape)
        case shapes.FlagShape():
            return partial(_read_flag, shape)
        case shapes.NumberShape():
            return partial(_read_number, shape)
        case shapes.TextShape():
            return partial(_read_text, shape)
        case shapes.ChoiceShape():
            return partial(_read_choice, shape)
        case shapes.ListShape(item=item):
            return partial(_read_list, shape, _reader(item))
        case shapes.MappingShape(key=key, item=item):
            # `_read_mapping` checks that keys are short texts; only what is more than that is read
            reads_key = _read_anything if key == shapes.TextShape() else _reader(key)
            return partial(_read_mapping, shape, (reads_key, _reader(item)))
        case shapes.EitherShape(shapes=alternatives, optional=optional):
            return partial(_read_either, tuple(map(_reader, alternatives)), optional)
        case shapes.RecordShape(kind=kind):
            return partial(_read_value, kind)


# ---------------------------------------------------------------- reading


def _read_anything(raw: Any, _path: Path, _problems: list[Problem]) -> Any:
    return raw


def _read_nothing(shape: shapes.NothingShape, raw: Any, path: Path, problems: list[Problem]) -> None:
    if raw is not None:
        problems.append(_wrong(shape, raw, path, f"must be nothing, not {_shown(raw)}"))


def _read_flag(shape: shapes.FlagShape, raw: Any, path: Path, problems: list[Problem]) -> bool | None:
    if type(raw) is not bool:
        problems.append(_wrong(shape, raw, path, f"must be yes or no (true or false), not {_shown(raw)}"))
        return None
    return raw


def _read_number(shape: shapes.NumberShape, raw: Any, path: Path, problems: list[Problem]) -> int | None:
    if type(raw) is not int:
        problems.append(_wrong(shape, raw, path, f"must be a whole number, not {_shown(raw)}"))
        return None
    if raw.bit_length() > LARGEST_BITS:
        problems.append(_wrong(shape, raw, path, "is too large a number"))
        return None
    if shape.least is not None and raw < shape.least:
        problems.append(_wrong(shape, raw, path, f"must be at least {shape.least}, not {raw}"))
    elif shape.most is not None and raw > shape.most:
        problems.append(_wrong(shape, raw, path, f"must be at most {shape.most}, not {raw}"))
    return raw


def _read_either(readers: tuple[_Reader, ...], may_be_none: bool, raw: Any, path: Path, problems: list[Problem]) -> Any:
    """Read a value in the first way that fits. If none does, the problems of the last are reported."""
    if raw is None and may_be_none:
        return None
    problems_of_reader: list[Problem] = []
    for reads in readers:
        problems_of_reader = []
        value = reads(raw, path, problems_of_reader)
        if not problems_of_reader:
            return value
    problems += problems_of_reader
    return None


def _read_list(shape: shapes.ListShape, reads: _Reader, raw: Any, path: Path, problems: list[Problem]) -> Any:
    if not isinstance(raw, (list, tuple)):
        problems.append(_wrong(shape, raw, path, "must be a list"))
        return None
    most = LONGEST_LIST if shape.most is None else shape.most
    if len(raw) > most:
        problems.append(_wrong(shape, raw, path, f"has {len(raw)} entries; at most {most} are taken"))
        return None
    if len(raw) < shape.least:
        problems.append(_wrong(shape, raw, path, f"has {len(raw)} entries; at least {shape.least} are needed"))
    for name in shape.apart:
        problems += _twins(raw, name, path)
    return tuple(reads(one, (*path, place), problems) for place, one in enumerate(raw))


def _twins(entries: Sequence[Any], name: str, path: Path) -> Iterator[Problem]:
    """Find entries whose names look like those of an earlier one."""
    first_path_by_look: dict[str, Path] = {}
    for place, entry in enumerate(entries):
        text = entry.get(name) if isinstance(entry, Mapping) else None
        if isinstance(text, str):
            way: Path = (*path, place, name)
            first = first_path_by_look.setdefault(look(text), way)
            if first != way:
                wrong = f'{shown(way)} "{printable(text)}" looks like {shown(first)}'
                yield Problem(way, wrong, "names that can be told apart")


def _read_mapping(
    shape: shapes.MappingShape, reads: tuple[_Reader, _Reader], raw: Any, path: Path, problems: list[Problem]
) -> Any:
    if not isinstance(raw, Mapping) or len(raw) > LONGEST_LIST or not all(map(_is_key, raw)):
        must = f"must be an object with at most {LONGEST_LIST} values, each under a short name"
        problems.append(_wrong(shape, raw, path, must))
        return None
    reads_key, reads_item = reads
    mapping = {}
    for raw_key, raw_item in raw.items():
        way = (*path, raw_key)
        key = reads_key(raw_key, way, problems)
        mapping[key] = reads_item(raw_item, way, problems)
    return mapping


def _is_key(key: Any) -> bool:
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST_KEY:
        return False
    if key.isascii() and key.isprintable():
        return True
    return strange_sign(key, LAYOUT, CONTROLS) is None


def _read_text(shape: shapes.TextShape, raw: Any, path: Path, problems: list[Problem]) -> Any:
    if not isinstance(raw, str):
        problems.append(_wrong(shape, raw, path, f"must be text, not {_shown(raw)}"))
        return None
    text = raw
    if not (raw.isascii() and raw.isprintable()):
        layout = "" if shape.one_line else LAYOUT
        strange = strange_sign(raw, layout, UNSEEN if shape.tidy else CONTROLS)
        if strange is not None:
            sign = sign_name(raw[strange])
            sentence = f"{_label(path)} holds a sign that can't be shown: {sign}"
            problems.append(Problem(path, f"{shown(path)} holds {sign}", shape, said=sentence))
            return None
        text = unicodedata.normalize("NFC", raw)
    if shape.tidy:
        text = tidied(text)
    must = _must_of_text(shape, raw, text)
    if must:
        problems.append(_wrong(shape, raw, path, must))
    return text


def _must_of_text(shape: shapes.TextShape, raw: str, text: str) -> str:
    """Say what a text must be or have, if it has not: its pattern or its length. Empty for a text that fits."""
    if shape.spelled is not None and not re.fullmatch(shape.spelled.pattern, text):
        return f"must be {shape.spelled.expected}, not {_shown(raw)}"
    visible_length = 0 if is_blank(text) else len(text)
    if visible_length < shape.least:
        return "must not be empty" if shape.least == 1 else f"must have at least {shape.least} signs"
    if shape.most is not None and len(text) > shape.most:
        return f"must have at most {shape.most} signs, not {len(text)}"
    return ""


def _read_choice(shape: shapes.ChoiceShape, raw: Any, path: Path, problems: list[Problem]) -> Any:
    if shape.enum is not None and isinstance(raw, shape.enum):
        return raw
    for value in shape.values:
        if raw == value and type(raw) is type(value):
            return value if shape.enum is None else shape.enum(value)
    problems.append(_wrong(shape, raw, path, f"must be one of {', '.join(map(str, shape.values))}, not {_shown(raw)}"))
    return None


# ---------------------------------------------------------------- saying what is wrong


def _wrong(shape: shapes.Shape, raw: Any, path: Path, must: str) -> Problem:
    return Problem(path, expected=shape, found=raw, said=f"{_label(path)} {must}")


def _label(path: Path) -> str:
    """Write the path to a field of a command as a program would, counted from 0."""
    return shown(path, first=0)


def _shown(raw: Any) -> str:
    """Show a value from outside in a sentence: in ASCII, and not at length."""
    if isinstance(raw, int) and raw.bit_length() > LARGEST_BITS:
        return "a very large number"
    text = ascii(raw)
    return text if len(text) <= 40 else f"{text[:37]}..."


# ---------------------------------------------------------------- JSON from outside


class KeyTwice(ValueError):
    """A key is given twice in one object."""


def read_json(text: str | bytes) -> Any:
    """Parse a JSON text. Raises `ValueError`, also for a key given twice, or `RecursionError` if nested too deep."""
    value = msgspec.json.decode(text)
    _KEYS.decode(text if isinstance(text, str) else text.decode())
    return value


def _with_each_key_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    mapping = dict(pairs)
    if len(mapping) < len(pairs):
        ((repeated_key, _),) = Counter(key for key, _ in pairs).most_common(1)
        raise KeyTwice(f"the key {repeated_key[:60]!r} is given twice")
    return mapping


_KEYS = json.JSONDecoder(object_pairs_hook=_with_each_key_once)


# ---------------------------------------------------------------- characters

JOINERS = "\u200c\u200d"
"""Joiners belong to emoji and some scripts. Prose may have them, but in a name they would be invisible."""

LAYOUT = f"\n\t{JOINERS}"
"""Invisible characters that any text may have."""

CONTROLS = frozenset(("Cc", "Cf", "Cs", "Co"))
"""Categories of control and format characters, private use, and surrogates."""

UNSEEN = CONTROLS | {"Cn", "Zl", "Zp"}
"""Categories of invisible and of unassigned characters. Next year's emoji are among them: too strict for chat."""

_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"
"""Characters that are letters or symbols by category, but are blank on screen."""


def strange_sign(text: str, allowed: str = LAYOUT, strange: Collection[str] = UNSEEN) -> int | None:
    """Find the index of the first character of a strange category. With `UNSEEN`, blank ones count, too."""
    blanks = _BLANKS if strange is UNSEEN else ""
    places = []
    for sign in set(text):  # each sign once: a long text has few different ones
        if (category(sign) in strange or sign in blanks) and sign not in allowed:
            places.append(text.index(sign))
    return min(places, default=None)


def is_blank(text: str) -> bool:
    """Return whether a text has nothing to see: only spaces and joiners, if anything."""
    return all(sign.isspace() or sign in JOINERS for sign in text)


def sign_name(sign: str) -> str:
    """Return a name that is safe to show anywhere: U+202E RIGHT-TO-LEFT OVERRIDE."""
    return f"U+{ord(sign):04X} {unicodedata.name(sign, '')}".rstrip()


def printable(text: str, most: int = 40) -> str:
    """Truncate a text from outside and replace characters that could upset a terminal."""
    short = text if len(text) <= most else text[: most - 1] + "…"
    return "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in short)


def is_control(sign: str) -> bool:
    """Return whether a sign can control a terminal, turn text around, or hide in it; line breaks and tabs don't."""
    return not sign.isprintable() and sign not in LAYOUT and category(sign) in CONTROLS


def without_controls(text: str) -> str:
    """Put a visible sign in place of every sign that could control a terminal."""
    return "".join("\N{REPLACEMENT CHARACTER}" if is_control(sign) else sign for sign in text)


def tidied(text: str) -> str:
    """Collapse spaces line by line, and strip blank lines around the text."""
    return "\n".join(" ".join(line.split()) for line in text.strip().split("\n"))


def look(text: str) -> str:
    """Return the skeleton of a name: two names with the same skeleton look alike, whatever their letters.

    Case, full-width and styled letters, and spaces make no difference, nor do Greek and Cyrillic letters that are
    drawn like Latin ones. The idea is that of UTS #39, with a table for these three scripts only.
    """
    plain = unicodedata.normalize("NFKC", text).translate(_LATIN)
    folded = unicodedata.normalize("NFKC", plain.casefold()).translate(_LATIN)
    return " ".join(folded.split())


_DRAWN_ALIKE = (
    # Cyrillic
    ("АВЕЅІЈКМНОРСТУХԚԜҮ", "ABESIJKMHOPCTYXQWY"),
    ("аеѕіјорсухԁһԛԝү", "aesijopcyxdhqwy"),
    ("вкмнт", "bkmht"),
    # Greek
    ("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "ABEZHIKMNOPTYX"),
    ("αικνορυχγ", "aikvopuxy"),
    # Latin with a twin in its own script
    ("ıȷɑɡʟ", "ijagl"),
    # Dashes and apostrophes
    ("‐‑‒–—−’ʼʹ′", "------''''"),
)

_LATIN: dict[int, str] = {}
for _signs, _latins in _DRAWN_ALIKE:
    _LATIN |= {ord(sign): latin for sign, latin in zip(_signs, _latins, strict=True)}
