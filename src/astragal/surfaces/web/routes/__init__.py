"""Routes of the web table, by subject."""

from __future__ import annotations

from fastapi import APIRouter

from astragal.surfaces.web.routes import (
    api,
    cockpit,
    commands,
    fairness,
    heroes,
    home,
    invitations,
    live,
    network,
    people,
    pictures,
    probes,
    scenes,
    screen,
    table,
)

ROUTERS: tuple[APIRouter, ...] = (
    home.router,
    home.owned,
    invitations.router,
    network.router,
    probes.router,
    people.router,
    commands.router,
    cockpit.router,
    fairness.router,
    heroes.router,
    screen.router,
    scenes.router,
    pictures.router,
    live.router,
    api.router,
    api.tables,
    table.router,
)
