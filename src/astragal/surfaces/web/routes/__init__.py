"""Routes of the web table, by subject."""

from __future__ import annotations

from fastapi import APIRouter

from astragal.surfaces.web.routes import (
    ai,
    api,
    commands,
    fairness,
    heroes,
    home,
    invitations,
    live,
    network,
    people,
    scenes,
    screen,
    table,
)

ROUTERS: tuple[APIRouter, ...] = (
    home.router,
    home.owned,
    invitations.router,
    network.router,
    people.router,
    ai.router,
    commands.router,
    fairness.router,
    heroes.router,
    screen.router,
    scenes.router,
    live.router,
    api.router,
    table.router,
)
