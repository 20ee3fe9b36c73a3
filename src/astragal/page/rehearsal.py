"""Rehearsal: a short evening of each game in the page's interpreter, when the page is built.

It shows which modules an evening imports, and compiles the templates. What is missed here is not missing in the page:
it is fetched when it is needed.
"""

import asyncio
from pathlib import Path
from urllib.parse import urlencode

from starlette.types import Message

from astragal.page.driver import PageRequest
from astragal.page.engine import RULESETS, Engine
from astragal.surfaces.web.rendering import environment
from astragal.surfaces.web.settings import Settings

ORIGIN = "http://localhost"
PAGES = ("", "/people", "/log", "/scenes", "/fairness", "/recap", "/palette.json", "/rules", "/heroes/new", "/export")


async def rehearse(folder: Path) -> None:
    """Play for a moment at a table of each game, and look at its pages."""
    folder.mkdir()  # noqa: ASYNC240 - nothing else runs
    settings = Settings(frozenset({ORIGIN}), ORIGIN, in_page=True)
    engine = Engine(folder, settings, _no_picture)
    await engine.start()
    await _ask(engine, "GET", "/")
    await _ask(engine, "GET", "/storage")
    for ruleset in RULESETS:
        table = await _ask(engine, "POST", "/tables", game=ruleset.id)
        for page in PAGES:
            await _ask(engine, "GET", f"{table}{page}")
        await _ask(engine, "POST", f"{table}/dice", line="2d6+3")
        await _ask(engine, "POST", f"{table}/speak", words="The lantern sways.")
        await _ask(engine, "GET", table)
    templates = environment("", "", in_page=True)
    for name in templates.list_templates():
        templates.get_template(name)


async def _no_picture(_data: bytes, _side: int) -> bytes:
    return b""


async def _ask(engine: Engine, method: str, path: str, **form: str) -> str:
    """Make a request, and return where its answer leads to."""
    headers = [(b"accept", b"text/html"), (b"origin", ORIGIN.encode())]
    if form:
        headers.append((b"content-type", b"application/x-www-form-urlencoded"))
    start: Message = {}

    async def keep_start(message: Message) -> None:
        if message["type"] == "http.response.start":
            start.update(message)

    request = PageRequest(method, path, headers=headers, body=urlencode(form).encode())
    await engine.answer(request, keep_start, asyncio.Event())
    headers_of_answer: dict[bytes, bytes] = dict(start["headers"])
    return headers_of_answer.get(b"location", b"").decode()
