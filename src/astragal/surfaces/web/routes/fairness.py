"""Fair dice: a page that explains them, verifies the ledger in the browser, and keeps a seat's own chains there."""

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from astragal.chance.pictures import percent_words
from astragal.surfaces.shared.recap import table_luck
from astragal.surfaces.web.rendering import page
from astragal.surfaces.web.session import AtTable
from astragal.table.declarations import Role

router = APIRouter(prefix="/t/{table}")


@dataclass(frozen=True)
class OwnChain:
    """A chain that a seat may keep itself, in words; the page's scripts know more about it."""

    kind: str
    title: str
    state: str
    promised: bool
    promise: str
    give_up: str
    useful: bool = True
    """Is it asked for at this table?"""


@router.get("/fairness")
def show(request: Request, at: AtTable) -> HTMLResponse:
    kept = "a chain that a browser or program of yours keeps."
    alone = "Your rolls are drawn from the server’s chain alone."
    paired = OwnChain(
        "paired",
        "Your rolls",
        f"Paired with {kept}" if at.chains.paired else alone,
        at.chains.paired,
        "Pair my rolls",
        "Stop pairing",
    )
    witness = OwnChain(
        "witness",
        "The game master’s hidden rolls",
        f"Hidden rolls wait for {kept}" if at.chains.witness else "You don’t witness hidden rolls.",
        at.chains.witness,
        "Witness hidden rolls",
        "Stop witnessing",
        useful=at.state.house.witnessed,
    )
    kinds = {Role.GAME_MASTER: (paired,), Role.PLAYER: (paired, witness)}.get(at.viewer.role, ())
    return page(request, "fairness/fairness.html", at=at, kinds=kinds)


@router.get("/luck")
def show_luck(request: Request, at: AtTable) -> HTMLResponse:
    """Everybody's luck against exact expectation, as far as this seat may know."""
    return page(
        request, "fairness/luck.html", at=at, found=table_luck(at), share=lambda chance: percent_words(chance, 1)
    )
