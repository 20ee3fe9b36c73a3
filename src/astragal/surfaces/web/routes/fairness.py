"""Fair dice: a page that explains them, and verifies the ledger in the browser."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from astragal.surfaces.web.pages import page
from astragal.surfaces.web.sitting import AtTable

router = APIRouter(prefix="/t/{table}")


@router.get("/fairness")
def show(request: Request, at: AtTable) -> HTMLResponse:
    return page(request, "fairness.html", at=at)
