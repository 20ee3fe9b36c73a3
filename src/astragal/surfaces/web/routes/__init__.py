"""Routes of the web table, by subject."""

from fastapi import APIRouter

from . import ai, api, commands, heroes, home, people, pictures, scenes, screen, site, story, table


def routers(*, has_lab: bool = True) -> list[APIRouter]:
    """Return all routes, in the order in which they are tried: the most frequent requests come first.

    The lab needs NumPy, which there is not inside a page.
    """
    first = [api.tables, commands.router, table.router, home.router, home.owned, people.joining, site.router]
    if has_lab:
        from . import lab

        first.append(lab.router)
    return [
        *first,
        people.router,
        ai.router,
        heroes.router,
        screen.router,
        scenes.router,
        pictures.router,
        story.router,
        api.router,
    ]
