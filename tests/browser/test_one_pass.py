"""A browser with hundreds of tables: everybody stays in, and what it sends is small. Also behind nginx as it comes."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import BrowserContext, Page, expect

from astragal.storage import open_store
from astragal.surfaces.shared.rate_limit import Pace
from astragal.surfaces.web.app import create_app
from astragal.surfaces.web.security.auth import digest
from astragal.surfaces.web.serve import owner_link
from astragal.surfaces.web.settings import Settings
from astragal.table.log.store import PassKind
from astragal.wiring import build_web
from tests.patience import LONG
from tests.surfaces.web.open_tables import AtSeat, Web
from tests.surfaces.web.serving import bound_socket, serving

pytestmark = pytest.mark.slow

TABLES = 400
EARLIER = 100
"""So many cookies of earlier versions come through nginx, which refuses a header of more than 8 kB."""
SMALL = 200
"""Bytes of the header with the cookie."""
NGINX = shutil.which("nginx", path=os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/usr/local/sbin"]))

JOIN_ALL = """async (links) => Promise.all(links.map(async (link) => {
    const taken = await fetch("/join/take", {method: "POST", body: new URLSearchParams({link}), redirect: "manual"});
    return taken.type;
}))"""
STATUSES = """async (tables) => {
    const statuses = [];
    for (const table of tables) statuses.push((await fetch(`/api/tables/${table}`)).status);
    return statuses;
}"""


def open_tables(web: Web, count: int) -> list[AtSeat]:
    """Tables with a free seat each."""
    seats = []
    for number in range(count):
        opened = web.host.open("new_shoes", name=f"Table {number}", game_master="Ada")
        taken = web.host.act(opened.table, opened.seat, ("take_seat", {"name": "Bo"}))
        seats.append(AtSeat(opened.table, taken.events[0].fields["seat"]["id"]))
    return seats


def links_to(web: Web, seats: list[AtSeat]) -> list[str]:
    return [web.context.auth.issue(PassKind.INVITATION, at.table, at.seat) for at in seats]


def sign_in_as_owner(page: Page, web: Web) -> None:
    page.goto(owner_link(web.address, web.context.auth.issue(PassKind.OWNER_LINK)))
    expect(page.get_by_text("This browser is signed in as the owner.")).to_be_visible()


def is_in_everywhere(page: Page, seats: list[AtSeat]) -> bool:
    statuses: list[int] = page.evaluate(STATUSES, [at.table for at in seats])
    return statuses == [200] * len(seats)


def cookie_header(page: Page, address: str) -> str:
    with page.expect_request(address) as asked:
        page.goto(address)
    return asked.value.all_headers()["cookie"]


def test_four_hundred_tables_in_one_browser(page: Page, live_web: Web) -> None:
    """Chromium keeps 180 cookies of a site, and throws the oldest thirty away with the next."""
    seats = open_tables(live_web, TABLES)
    sign_in_as_owner(page, live_web)
    links = links_to(live_web, seats)
    for first in range(0, TABLES, 50):
        assert set(page.evaluate(JOIN_ALL, links[first : first + 50])) == {"opaqueredirect"}
    assert is_in_everywhere(page, seats)
    header = cookie_header(page, f"{live_web.address}/")
    assert len(header) < SMALL
    expect(page.get_by_text("This browser is signed in as the owner.")).to_be_visible()
    page.goto(f"{live_web.address}/t/{seats[0].table}")
    expect(page.locator("#live")).to_have_attribute("data-line", "up")


def test_two_windows_of_a_new_browser_join_two_tables_at_once(page: Page, live_web: Web) -> None:
    seats = open_tables(live_web, 2)
    page.goto(f"{live_web.address}/join")
    page.evaluate(JOIN_ALL, links_to(live_web, seats))
    page.goto(f"{live_web.address}/")
    for number in range(2):
        expect(page.get_by_role("heading", name=f"Table {number}")).to_be_visible()
    assert is_in_everywhere(page, seats)
    assert len(page.context.cookies()) == 1


def bring_earlier_cookies(context: BrowserContext, web: Web, seats: list[AtSeat]) -> None:
    """The cookies that earlier versions gave to a browser: one for each table, one for the owner."""
    auth = web.context.auth
    secrets = {f"astragal-seat-{digest(at.table)[:16]}": auth.issue(PassKind.SEAT, at.table, at.seat) for at in seats}
    _, _, port = web.address.rpartition(":")
    secrets[f"astragal-owner-{port}"] = auth.issue(PassKind.OWNER)
    cookies = [{"name": name, "value": secret, "url": web.address} for name, secret in secrets.items()]
    context.add_cookies(cookies)  # type: ignore[arg-type]


def test_a_full_jar_of_cookies_is_exchanged_for_one(page: Page, live_web: Web) -> None:
    seats = open_tables(live_web, 175)
    bring_earlier_cookies(page.context, live_web, seats)
    page.goto(f"{live_web.address}/t/{seats[0].table}")
    expect(page.locator("#live")).to_have_attribute("data-line", "up")
    assert is_in_everywhere(page, seats)
    assert len(page.context.cookies()) == 1
    assert len(cookie_header(page, f"{live_web.address}/")) < SMALL
    expect(page.get_by_text("This browser is signed in as the owner.")).to_be_visible()


# ---------------------------------------------------------------- behind nginx

CONFIGURATION = """
daemon off;
master_process off;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{}}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        location / {{
            proxy_pass http://127.0.0.1:{behind};
            proxy_http_version 1.1;
            proxy_set_header Host $http_host;
            proxy_set_header X-Forwarded-For $remote_addr;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_buffering off;
            proxy_read_timeout 1h;
        }}
    }}
}}
"""
"""As the documentation has it; no limit of headers is set."""


@contextmanager
def nginx(folder: Path, port: int, behind: int) -> Iterator[None]:
    configuration = folder / "nginx.conf"
    configuration.write_text(CONFIGURATION.format(folder=folder, port=port, behind=behind), encoding="utf-8")
    assert NGINX
    with subprocess.Popen([NGINX, "-p", str(folder), "-c", str(configuration)], stderr=subprocess.DEVNULL) as program:
        try:
            wait_for(port, program)
            yield
        finally:
            program.terminate()


def wait_for(port: int, program: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + LONG
    while program.poll() is None and time.monotonic() < deadline:
        with closing(socket.socket()) as called:
            if called.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    pytest.fail("nginx does not answer")


@pytest.fixture
def web_behind_nginx(tmp_path: Path) -> Iterator[Web]:
    with bound_socket() as reserved:
        port = reserved.getsockname()[1]
    store = open_store(f"sqlite:///{tmp_path}/tables.db")
    with bound_socket() as listening:
        behind = listening.getsockname()[1]
        settings = Settings.public(f"http://127.0.0.1:{port}", behind)
        context, guests = build_web(store, replace(settings, address_pace=Pace(100_000, 1_000)))
        with serving(create_app(context, guests), listening), nginx(tmp_path, port, behind):
            yield Web(context)
    store.close()


@pytest.mark.skipif(NGINX is None, reason="nginx is not installed; on Debian: apt-get install nginx-light")
def test_hundreds_of_tables_behind_nginx_as_it_comes(page: Page, web_behind_nginx: Web) -> None:
    web = web_behind_nginx
    earlier, seats = open_tables(web, EARLIER), open_tables(web, TABLES - EARLIER)
    bring_earlier_cookies(page.context, web, earlier)
    page.goto(f"{web.address}/t/{earlier[0].table}")
    expect(page.locator("#live")).to_have_attribute("data-line", "up")
    links = links_to(web, seats)
    for first in range(0, len(links), 50):
        assert set(page.evaluate(JOIN_ALL, links[first : first + 50])) == {"opaqueredirect"}
    assert is_in_everywhere(page, [*earlier, *seats])
    assert len(page.context.cookies()) == 1
    page.goto(f"{web.address}/")
    expect(page.get_by_text("This browser is signed in as the owner.")).to_be_visible()
    page.goto(f"{web.address}/t/{seats[-1].table}")
    expect(page.locator("#live")).to_have_attribute("data-line", "up")
    page.get_by_label("Words", exact=True).fill("Hello through nginx")
    page.locator("#speak").get_by_role("button", name="Send").click()
    expect(page.locator("#log")).to_contain_text("Hello through nginx")
