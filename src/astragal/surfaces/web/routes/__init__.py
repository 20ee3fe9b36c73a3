"""Routes of the web table, by subject."""

from __future__ import annotations

from fastapi import APIRouter

from astragal.surfaces.web.routes import (
    ai,
    api,
    cockpit,
    commands,
    fairness,
    heroes,
    home,
    invitations,
    lab,
    live,
    looks,
    network,
    people,
    pictures,
    printing,
    probes,
    scenes,
    screen,
    table,
)

ROUTERS: tuple[APIRouter, ...] = (
    api.tables,
    commands.router,
    live.router,
    home.router,
    home.owned,
    invitations.router,
    network.router,
    probes.router,
    lab.router,
    people.router,
    ai.router,
    cockpit.router,
    fairness.router,
    heroes.router,
    screen.router,
    scenes.router,
    pictures.router,
    printing.router,
    looks.router,
    api.router,
    table.router,
)
"""They are tried in this order, so what is asked for most comes first."""
