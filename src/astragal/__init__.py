"""Astragal: tabletop rules written once, then played, proved and weighed.

The names that rules and questions about dice are written with come from here: `from astragal import d6, odds`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astragal.chance import *  # noqa: F403 - loaded by name below, and known to type checkers here

    __version__: str


def __getattr__(name: str) -> Any:
    """Names of `astragal.chance`, loaded when one of them is first asked for, and the version."""
    if name == "__version__":
        from importlib.metadata import version

        return version("astragal")
    if not name.startswith("_"):
        from astragal import chance

        if name in chance.__all__:
            return getattr(chance, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    from astragal import chance

    return [*chance.__all__, "__version__"]
