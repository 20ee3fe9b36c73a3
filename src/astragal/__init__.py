"""Astragal: tabletop rules written once, then played, proved and weighed.

Import everything for rules and for questions about dice from here: `from astragal import d6, odds`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from astragal.chance import *

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Load a name of `astragal.chance` on first access."""
    if name == "__all__":
        return __dir__()
    import astragal.chance

    if name not in astragal.chance.__all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(astragal.chance, name)


def __dir__() -> list[str]:
    import astragal.chance

    return [*astragal.chance.__all__, "__version__"]
