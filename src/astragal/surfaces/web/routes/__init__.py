"""Routes of the web table, by subject."""

from fastapi import APIRouter

from . import ai, api, commands, heroes, home, lab, people, pictures, scenes, screen, site, story, table

ROUTERS: tuple[APIRouter, ...] = (
    api.tables,
    commands.router,
    table.router,
    home.router,
    home.owned,
    people.joining,
    site.router,
    lab.router,
    people.router,
    ai.router,
    heroes.router,
    screen.router,
    scenes.router,
    pictures.router,
    story.router,
    api.router,
)
"""Tried in this order, so the most frequent requests come first."""
