"""Options that several commands share, and how a parameter says what it is on the command line."""

from __future__ import annotations

from typing import Annotated, TypeAlias, TypedDict, Unpack

from astragal.surfaces.cli.context import Context
from astragal.values import frozen

FORMAT = "Format"
"""The group of options of which only one may be said."""


class How(TypedDict, total=False):
    """As `cyclopts.Parameter` has them; `limits` are the least and the greatest number."""

    name: str
    help: str
    negative: str
    show_default: bool
    parse: bool
    allow_leading_hyphen: bool
    group: str
    limits: tuple[int, int]


class Parameter:
    """What cyclopts is told of a parameter, once it reads one. A call without options is answered without it."""

    def __init__(self, **how: Unpack[How]) -> None:
        self.how = how


Flag = Parameter(negative="", show_default=False)

Given: TypeAlias = Annotated[Context, Parameter(parse=False)]
"""A parameter that is not read from the command line, but handed in."""

Table: TypeAlias = Annotated[str, Parameter(help="The table, by its name; by its id where two have the same.")]

AsSeat: TypeAlias = Annotated[str | None, Parameter(name="--as", help="The seat, by its name; else the game master's.")]

AsJson: TypeAlias = Annotated[bool, Flag, Parameter(help="Print JSON.")]


@frozen
class Where:
    """Where tables are kept."""

    db: Annotated[
        str | None,
        Parameter(help="The store: a file, or postgresql://…; else ASTRAGAL_DB, else a file of your own."),
    ] = None
    game_file: Annotated[
        tuple[str, ...],
        Flag,
        Parameter(help="A game in a Python file, besides those that are installed; may be said again."),
    ] = ()


HERE = Where()
