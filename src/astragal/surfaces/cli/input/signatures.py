"""The commands' functions as cyclopts reads them: each parameter with what its definition says of it.

`signatures:tables.show` is `show` of the module `tables`, imported when it is asked for.
"""

from collections.abc import Callable
from functools import wraps
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from cyclopts import Group, Parameter
from cyclopts.validators import Number, mutually_exclusive

from astragal.surfaces.cli.command_list import function_at
from astragal.surfaces.cli.input import options

ONE_OF_THEM = {options.FORMAT: Group(options.FORMAT, validator=mutually_exclusive)}
"""Groups of options of which one is said at a time."""


def __getattr__(name: str) -> Callable[..., Any]:
    if "." not in name:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    function: Callable[..., Any] = function_at(name)

    @wraps(function)
    def command(*given: Any, **named: Any) -> Any:
        return function(*given, **named)

    command.__annotations__ = _hints(function)
    return command


def _hints(definition: Any) -> dict[str, Any]:
    return {name: _explained(hint) for name, hint in get_type_hints(definition, include_extras=True).items()}


def _explained(hint: Any) -> Any:
    if get_origin(hint) is not Annotated:
        return hint
    kind, *said = get_args(hint)
    return Annotated[(kind, *(_parameter(one) if isinstance(one, options.Parameter) else one for one in said))]


def _parameter(said: options.Parameter) -> Parameter:
    how: dict[str, Any] = dict(said.how)
    if how.get("negative") == "":
        how.setdefault("show_default", False)  # off, or none: nobody has to be told
    if "limits" in how:
        least, most = how.pop("limits")
        how["validator"] = Number(gte=least, lte=most)
    if "group" in how:
        how["group"] = ONE_OF_THEM[how["group"]]
    return Parameter(**how)


options.Where.__annotations__ = _hints(options.Where)
Parameter(name="*")(options.Where)  # its fields are options of whichever command has it
