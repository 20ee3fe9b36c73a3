"""Chains that players keep themselves: promised before their first use, declared when they are lost.

With a *paired* chain a seat's own program adds a link to each of its rolls; as a *witness* it adds one to the game
master's hidden rolls. Neither lets anyone choose a die; both keep the one who runs the server from looking ahead.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from annotated_types import Ge, Le, MaxLen, MinLen
from typing_extensions import Doc

from astragal.fair import sources
from astragal.table.declarations import Nature, command, event
from astragal.table.refusals import BadFields
from astragal.table.ruleset import Action, Call, Chapter, Happening
from astragal.table.seats import GAME_MASTER_AND_PLAYERS, GAME_MASTER_ONLY
from astragal.table.seen import Seen
from astragal.table.state import State

Kind = Literal["paired", "witness"]


@command("promise_chain", may=GAME_MASTER_AND_PLAYERS)
class PromiseChain:
    """Publish the tip of a chain that your own program keeps."""

    kind: Annotated[Kind, Doc("for your own rolls, or as a witness of hidden ones")]
    tip: Annotated[str, MinLen(64), MaxLen(64), Doc("the chain's tip, in hex")]
    renew: Annotated[int, Ge(0), Le(1_000_000), Doc("how many chains of yours went before it")] = 0


@command("declare_chain_lost", may=GAME_MASTER_AND_PLAYERS)
class DeclareChainLost:
    """Say that your program has lost its chain; a new one can be promised then."""

    kind: Annotated[Kind, Doc("which chain")]


@command("keep_sealed", may=GAME_MASTER_ONLY)
class KeepSealed:
    """Keep a hidden roll sealed when the scene closes."""

    act: Annotated[str, MaxLen(40), Doc("the hidden deed")]


@event("chain_promised", nature=Nature.LASTING)
class ChainPromised:
    """A player's program promised a chain."""

    src: Annotated[str, Seen.ALL]
    tip: Annotated[str, Seen.ALL]
    renew: Annotated[int, Seen.ALL]


@event("chain_lost", nature=Nature.LASTING)
class ChainLost:
    """A player's program lost its chain, and said so."""

    src: Annotated[str, Seen.ALL]


@event("kept_sealed", nature=Nature.LASTING)
class KeptSealed:
    """A hidden roll stays sealed when its scene closes."""

    act: Annotated[str, Seen.GAME_MASTER]

    in_journal = False


def _source(call: Call, kind: Kind) -> str:
    seat = sources.GAME_MASTER if call.viewer.is_game_master else call.viewer.seat
    return sources.client(seat) if kind == "paired" else sources.witness(seat)


def _promise(call: Call, asked: PromiseChain, _: None) -> list[ChainPromised]:
    if any(sign not in "0123456789abcdef" for sign in asked.tip):
        raise BadFields(["tip must be 64 hex digits, in lower case"])
    return [ChainPromised(src=_source(call, asked.kind), tip=asked.tip, renew=asked.renew)]


def _lose(call: Call, asked: DeclareChainLost, _: None) -> list[ChainLost]:
    return [ChainLost(src=_source(call, asked.kind))]


def _keep_sealed(state: State, kept: KeptSealed) -> State:
    return replace(state, kept_sealed=(*state.kept_sealed, kept.act))


CHAINS = Chapter(
    actions=(
        Action(PromiseChain, _promise),
        Action(DeclareChainLost, _lose),
        Action(KeepSealed, lambda call, asked, _: [KeptSealed(act=asked.act)]),
    ),
    happenings=(
        Happening(ChainPromised, lambda promised, teller: "a chain of one's own was promised"),
        Happening(ChainLost, lambda lost, teller: "a chain of one's own was lost"),
        Happening(KeptSealed, lambda kept, teller: "a hidden roll stays sealed", _keep_sealed),
    ),
)
