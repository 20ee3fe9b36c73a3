"""What a table of New Shoes can play in more than one way. The ledger's way is the default."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import Doc

from astragal.table.seen import Seen
from astragal.values import frozen

from .approaches import Explode


@frozen(kw_only=True)
class Options:
    """Agreed on when the table is opened."""

    explode: Annotated[Explode, Doc("NS-03: whether sixes are rolled again and again, or each only once"), Seen.ALL] = (
        Explode.CHAIN
    )
    lessons: Annotated[bool, Doc("NS+01: whether failures give XP, and sixes teach specialities"), Seen.ALL] = False
