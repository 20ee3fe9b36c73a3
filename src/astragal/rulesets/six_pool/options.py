"""What a table of Six-Pool d20 can play in more than one way. The ledger's way is the default."""

from __future__ import annotations

from typing import Annotated

from typing_extensions import Doc

from astragal.table.seen import Seen
from astragal.values import frozen

from .pools import EdgeRule
from .trial.checks import NaturalDegree
from .trial.contests import WithPoints


@frozen(kw_only=True)
class Options:
    """Agreed on when the table is opened. The last six switch companion rules off."""

    edge: Annotated[
        EdgeRule, Doc("SP-20: whether Edge is a free bonus or makes the first points count double"), Seen.ALL
    ] = EdgeRule.BONUS
    natural_degree: Annotated[
        NaturalDegree, Doc("SP-12: whether a natural 20 or 1 is critical, or what its total says"), Seen.ALL
    ] = NaturalDegree.CRITICAL
    inspiration_with_points: Annotated[
        WithPoints, Doc("SP-18: whether Inspiration and points go together on a roll"), Seen.ALL
    ] = WithPoints.REROLL_ONLY
    pool_array: Annotated[bool, Doc("SP+01: whether heroes are built from the six numbers"), Seen.ALL] = True
    class_edges: Annotated[bool, Doc("SP+02: whether class and level say how much Edge there is"), Seen.ALL] = True
    rests: Annotated[bool, Doc("SP+03: whether rests give points back"), Seen.ALL] = True
    hit_points: Annotated[bool, Doc("SP+04: whether hit points are kept and Armour Class is reckoned"), Seen.ALL] = True
    long_rest_heals: Annotated[bool, Doc("whether a long rest gives all hit points back too"), Seen.ALL] = True
    broken_pools: Annotated[bool, Doc("SP+05: whether an empty pool gives disadvantage"), Seen.ALL] = True
