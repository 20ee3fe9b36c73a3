"""Calls that are said plainly: words in their order, options by their names. Nobody waits for cyclopts to read those.

What is taken here is taken just as cyclopts would; whatever is not plain is left to it, faults above all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from inspect import Parameter as Given
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

from astragal.surfaces.cli.command_list import COMMANDS, GROUPS, HELP_OF_THEIR_OWN, function_at
from astragal.surfaces.cli.input.options import Parameter, Where

if TYPE_CHECKING:
    from astragal.surfaces.cli.context import Context

MANY = tuple[str, ...]
KINDS: Mapping[Any, Callable[[str], Any]] = {
    str: str,
    str | None: str,
    Path: Path,
    Path | None: Path,
    int: int,
    int | None: int,
}
"""What a word is taken for, by the type of its parameter."""
OF_A_GAME = {COMMANDS[words] for words in HELP_OF_THEIR_OWN}
"""Commands that take fields of a game as they take their own options."""
A_FIELD = re.compile(r"--(?!version$)[a-z][a-z_-]+")
A_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}", re.ASCII)
IN_ORDER = (Given.POSITIONAL_ONLY, Given.POSITIONAL_OR_KEYWORD)


class NotPlain(Exception):
    """The reader of options knows more about this."""


def plain_call(words: Sequence[str], context: Context) -> Callable[[], Any] | None:
    """The command that these words call, if they say it plainly."""
    room = 2 if words[:1] and words[0] in GROUPS else 1
    place = COMMANDS.get(" ".join(words[:room]))
    if place is None:
        return None
    function = function_at(place)
    try:
        given, named = _taken(function, words[room:], of_a_game=place in OF_A_GAME)
    except NotPlain:
        return None
    parameters = signature(function).parameters
    handed_in: dict[str, Any] = {"context": context} if "context" in parameters else {}
    if "where" in parameters:
        handed_in["where"] = Where(**{part.name: named.pop(part.name) for part in fields(Where) if part.name in named})
    return partial(function, *given, **named, **handed_in)


class Asked(NamedTuple):
    """A parameter of a command: how it is given, its type, and what its definition says of it."""

    name: str
    given: Any
    needed: bool
    kind: Any
    how: Mapping[str, Any]

    @property
    def option(self) -> str:
        return str(self.how.get("name", f"--{self.name.replace('_', '-')}"))

    def value(self, word: str) -> Any:
        if self.kind not in KINDS:
            raise NotPlain
        if KINDS[self.kind] is not int:
            return KINDS[self.kind](word)
        least, greatest = self.how.get("limits", (0, 10**9))
        if not A_NUMBER.fullmatch(word) or not least <= int(word) <= greatest:
            raise NotPlain
        return int(word)


def _parameters(function: Callable[..., Any]) -> Iterator[Asked]:
    hints = get_type_hints(function, include_extras=True)
    for name, parameter in signature(function).parameters.items():
        if hints[name] is Where:  # each of its fields is an option
            for part, hint in get_type_hints(Where, include_extras=True).items():
                yield _asked(part, hint, Given.KEYWORD_ONLY, needed=False)
        else:
            yield _asked(name, hints[name], parameter.kind, needed=parameter.default is Given.empty)


def _asked(name: str, hint: Any, given: Any, *, needed: bool) -> Asked:
    kind, *said = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    how = {key: value for one in said if isinstance(one, Parameter) for key, value in one.how.items()}
    return Asked(name, given, needed, kind, how)


def _taken(function: Callable[..., Any], words: Sequence[str], *, of_a_game: bool) -> tuple[list[Any], dict[str, Any]]:
    asked = list(_parameters(function))
    in_order = [one for one in asked if one.given in IN_ORDER]
    further = [one for one in asked if one.given is Given.VAR_POSITIONAL]
    by_name = [one for one in asked if one.given is Given.KEYWORD_ONLY and one.how.get("parse", True)]
    texts, named = _sorted_out(words, {one.option: one for one in by_name}, of_a_game=of_a_game)
    if sum(one.how.get("group") is not None for one in by_name if one.name in named) > 1:
        raise NotPlain
    too_few = len(texts) < sum(one.needed for one in in_order)
    too_many = len(texts) > len(in_order) and not further
    if too_few or too_many:
        raise NotPlain
    places = [*in_order, *further * len(texts)]
    return [one.value(text) for one, text in zip(places, texts, strict=False)], named


def _sorted_out(
    words: Sequence[str], options: Mapping[str, Asked], *, of_a_game: bool
) -> tuple[list[str], dict[str, Any]]:
    """Words in their order, and the values of options. What looks like an option and is none may be a game's field."""
    texts: list[str] = []
    named: dict[str, Any] = {}
    left = iter(words)
    for word in left:
        option = options.get(word)
        if not _is_option(word) or (option is None and of_a_game and A_FIELD.fullmatch(word)):
            texts.append(word)
            continue
        if option is None or (option.name in named and option.kind != MANY):
            raise NotPlain
        if option.kind is bool:
            named[option.name] = True
            continue
        value = next(left, "-")
        if _is_option(value):
            raise NotPlain
        before = named.get(option.name, ())
        named[option.name] = (*before, value) if option.kind == MANY else option.value(value)
    return texts, named


def _is_option(word: str) -> bool:
    return word.startswith("-")
