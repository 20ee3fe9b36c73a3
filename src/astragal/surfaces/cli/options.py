"""Options that several commands share."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from cyclopts import Parameter

from astragal.surfaces.cli.house import House
from astragal.values import frozen

Flag = Parameter(negative="", show_default=False)

Given: TypeAlias = Annotated[House, Parameter(parse=False)]
"""A parameter that is not read from the command line, but handed in."""

Table: TypeAlias = Annotated[str, Parameter(help="The table, by its name or its id.")]

AsSeat: TypeAlias = Annotated[
    str | None, Parameter(name="--as", help="The seat, by its name or its id; else the game master's.")
]

AsJson: TypeAlias = Annotated[bool, Flag, Parameter(help="Print JSON.")]


@Parameter(name="*")
@frozen
class Where:
    """Where tables are kept."""

    db: Annotated[
        str | None,
        Parameter(help="The store: a file, or postgresql://…; else ASTRAGAL_DB, else a file of your own."),
    ] = None


HERE = Where()
