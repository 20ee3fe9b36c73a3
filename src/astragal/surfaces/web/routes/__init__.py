"""Every address of the web table, by what people do there."""

from __future__ import annotations

from fastapi import APIRouter

from . import acting, api, fairness, heroes, home, joining, people, scenes, screen, stream, table

ROUTERS: tuple[APIRouter, ...] = (
    home.router,
    home.owned,
    joining.router,
    people.router,
    acting.router,
    fairness.router,
    heroes.router,
    screen.router,
    scenes.router,
    stream.router,
    api.router,
    table.router,
)
