"""Options that several commands share, and what a parameter of a command declares about itself."""

from __future__ import annotations

from typing import Annotated, NamedTuple, TypeAlias

from astragal.values import frozen

FORMAT = "Format"
"""The group of output formats, of which a call may give one."""


class Parameter(NamedTuple):
    """Declaration beside a parameter's type: its help, and where it differs from the others."""

    help: str
    name: str = ""
    """As it is typed, where that is not the parameter's own name."""
    limits: tuple[int, int] | None = None
    one_of: str = ""
    """The group of options that exclude each other."""
    hyphens: bool = False
    """Whether words such as -3 are arguments; otherwise they are unknown options."""
    fields: bool = False
    """Whether `--field value` of a game, and --help about it, are left to the command."""
    setting: str = ""
    """Its key in a settings file, where it can be set there and in the environment as well."""
    secret: bool = False
    """Whether it is a setting only: command lines can be read by everybody on a machine."""


Table: TypeAlias = Annotated[str, Parameter("The table, by its name; by its id where two share a name.")]

AsSeat: TypeAlias = Annotated[str | None, Parameter("The seat, by its name; default: the game master's.", "--as")]

AsJson: TypeAlias = Annotated[bool, Parameter("Print JSON.")]


@frozen
class Where:
    """Where tables are kept. Each field is an option of every command that takes one."""

    db: Annotated[
        str | None,
        Parameter(
            "The store: a file, or postgresql://…; default: ASTRAGAL_DB, or a file in your home folder.", setting="db"
        ),
    ] = None
    game_file: Annotated[
        tuple[str, ...],
        Parameter("A game in a Python file, in addition to those installed; can be repeated."),
    ] = ()


HERE = Where()
