"""What holds for every request: hosts, origins, sizes, paces, headers, paths."""

import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import pytest
from anyio.from_thread import BlockingPortal
from msgspec.structs import replace
from starlette.testclient import TestClient
from starlette.types import Receive, Scope, Send

from astragal.surfaces.shared.rate_limit import MOST_REMEMBERED, Buckets, Effort, Pace, TooMuchEffort
from astragal.surfaces.web.app import create_app
from astragal.surfaces.web.settings import BadAddress, Settings
from tests.storage.places import SqlitePlace
from tests.surfaces.web.open_tables import PORT, UNHURRIED, Clock, Web, opened_web

STRANGER = ("203.0.113.9", 50000)


@pytest.fixture
def behind_a_proxy(sqlite_place: SqlitePlace, portal: BlockingPortal) -> Iterator[Web]:
    settings = Settings.public("https://play.example/games", PORT)
    with opened_web(sqlite_place.url, settings, Clock()) as found, found.running(portal):
        yield found


# ---------------------------------------------------------------- hosts and origins


@pytest.mark.parametrize(
    "host", ["evil.example", "127.0.0.1", "127.0.0.1:8001", "127.0.0.1:8000.evil.example", "", "[::1]"]
)
def test_only_the_exact_names_of_the_server_are_answered(web: Web, host: str) -> None:
    table = web.table()
    answer = web.client(table["Bo"]).get(f"/t/{table.id}", headers={"Host": host})
    assert answer.status_code == 421
    assert "http://127.0.0.1:8000/" in answer.text
    assert table.id not in answer.text


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000"])
def test_the_machines_own_names_are_answered(web: Web, host: str) -> None:
    assert web.client().get("/", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize("path", ["/", "/healthz"])
def test_a_request_that_names_two_hosts_is_refused(web: Web, path: str) -> None:
    """A proxy may have checked the other one."""
    hosts = [("Host", "127.0.0.1:8000"), ("Host", "evil.example")]
    for order in (hosts, hosts[::-1], hosts[:1] * 2):
        assert web.client().get(path, headers=order).status_code == 400


def test_in_the_home_network_exactly_its_addresses_are_answered(sqlite_place: SqlitePlace) -> None:
    settings = Settings.local(PORT, ["192.168.1.7"])
    assert settings.address == "http://192.168.1.7:8000"
    with opened_web(sqlite_place.url, settings, Clock()) as web:
        assert web.client().get("/", headers={"Host": "192.168.1.7:8000"}).status_code == 200
        assert web.client().get("/", headers={"Host": "192.168.1.8:8000"}).status_code == 421


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://127.0.0.1:8000", "http://127.0.0.1:8001", "http://127.0.0.1:8000/"],
)
def test_what_another_site_sends_does_nothing(web: Web, origin: str) -> None:
    table = web.table()
    answer = web.client(table["Bo"], Origin=origin).post(f"/t/{table.id}/do/say", data={"words": "gotcha"})
    assert answer.status_code == 403
    assert "another site" in answer.text
    assert "gotcha" not in web.host.archive.transcript(table.id, table.seats["Bo"])


@pytest.mark.parametrize(
    ("fetched", "status"), [("same-origin", 303), ("same-site", 403), ("cross-site", 403), ("none", 403)]
)
def test_without_an_origin_the_browser_has_to_say_that_it_is_its_own(web: Web, fetched: str, status: int) -> None:
    table = web.table()
    client = web.client(table["Bo"])
    del client.headers["Origin"]
    say = {"words": "hello"}
    assert client.post(f"/t/{table.id}/do/say", data=say).status_code == 403
    answer = client.post(f"/t/{table.id}/do/say", data=say, headers={"Sec-Fetch-Site": fetched})
    assert answer.status_code == status


def test_a_program_with_a_token_need_not_say_where_it_comes_from(web: Web) -> None:
    table = web.table()
    client = TestClient(web.app, base_url=web.address, follow_redirects=False)
    bearer = {"Authorization": f"Bearer {web.token(table['Bo'])}"}
    say = {"words": "hello"}
    assert client.post(f"/t/{table.id}/do/say", data=say, headers=bearer).status_code == 303
    elsewhere = {**bearer, "Origin": "http://evil.example"}
    assert client.post(f"/t/{table.id}/do/say", data=say, headers=elsewhere).status_code == 403


# ---------------------------------------------------------------- sizes and paces


def test_a_body_that_is_too_long_is_refused_with_a_sentence(web: Web) -> None:
    table = web.table()
    client = web.client(table["Bo"])
    answer = client.post(f"/t/{table.id}/do/say", data={"words": "x" * 300_000})
    assert answer.status_code == 413
    assert "at most 256 kB" in answer.text

    def endless() -> Iterator[bytes]:
        for _ in range(100):
            yield b"x" * 10_000

    kind = {"Content-Type": "application/x-www-form-urlencoded"}
    assert client.post(f"/t/{table.id}/do/say", content=endless(), headers=kind).status_code == 413


def test_a_bucket_gives_a_burst_and_then_so_many_a_second() -> None:
    now = 0.0
    buckets = Buckets(Pace(burst=3, per_second=2), lambda: now)
    assert [buckets.wait("bo") for _ in range(3)] == [0, 0, 0]
    assert buckets.wait("bo") == 0.5
    assert buckets.wait("cy") == 0
    now = 0.5
    assert buckets.wait("bo") == 0
    assert buckets.wait("bo") > 0
    now = -100.0
    assert buckets.wait("bo") > 0
    now = 1_000.0
    assert [buckets.wait("bo") for _ in range(4)] == [0, 0, 0, 0.5]


def test_buckets_do_not_fill_the_memory() -> None:
    now = 0.0
    buckets = Buckets(Pace(burst=2, per_second=1), lambda: now)
    for who in range(MOST_REMEMBERED):
        buckets.wait(who)
    assert len(buckets) == MOST_REMEMBERED
    now = 100.0
    buckets.wait("one more")
    assert len(buckets) == 1


def test_a_seat_that_asks_too_fast_is_told_to_wait(sqlite_place: SqlitePlace) -> None:
    settings = replace(Settings.local(PORT), seat_pace=Pace(burst=5, per_second=0.5))
    with opened_web(sqlite_place.url, settings, Clock()) as web:
        table = web.table()
        client, other = web.client(table["Bo"]), web.client(table["Cy"])
        answers = [client.get(f"/t/{table.id}/people") for _ in range(6)]
        assert [one.status_code for one in answers] == [200] * 5 + [429]
        assert answers[-1].headers["Retry-After"] == "2"
        assert "Wait 2 seconds" in answers[-1].text
        assert other.get(f"/t/{table.id}/people").status_code == 200


def test_a_seat_has_a_budget_of_processor_time_for_odds(sqlite_place: SqlitePlace) -> None:
    """Odds of many dice can take seconds, in which others wait. Small ones never meet the limit."""
    with opened_web(sqlite_place.url, replace(UNHURRIED, effort_pace=Pace(burst=6, per_second=0.5)), Clock()) as web:
        table = web.table()
        bo, cy = web.client(table["Bo"]), web.client(table["Cy"])
        address = f"/t/{table.id}/dice/odds"
        assert {bo.get(address, params={"line": f"2d6+{plus}"}).status_code for plus in range(20)} == {200}
        heavy = [bo.get(address, params={"line": f"6{number}d90"}) for number in range(8)]
        assert heavy[0].status_code == 200
        assert heavy[-1].status_code == 429
        assert bo.get(f"/t/{table.id}/form/test").status_code == 429
        assert bo.get(f"/t/{table.id}/people").status_code == 200, "everything else goes on"
        assert cy.get(address, params={"line": "2d6"}).status_code == 200
        assert web.clock
        web.clock.now += 60_000
        assert bo.get(address, params={"line": "2d6"}).status_code == 200


def test_calculations_of_one_client_that_run_at_once_are_few() -> None:
    effort = Effort(Pace(burst=3 * Effort.ADVANCE, per_second=1), lambda: 0.0)
    with effort.spent_by("bo"), effort.spent_by("bo"), effort.spent_by("bo"):
        with pytest.raises(TooMuchEffort), effort.spent_by("bo"):
            pass
        with effort.spent_by("cy"):
            pass
    with effort.spent_by("bo"):
        pass


def test_an_address_that_asks_too_fast_is_told_to_wait_but_not_this_machine(sqlite_place: SqlitePlace) -> None:
    settings = replace(Settings.local(PORT), address_pace=Pace(burst=5, per_second=0.5))
    with opened_web(sqlite_place.url, settings, Clock()) as web:
        stranger = TestClient(web.app, base_url=web.address, client=STRANGER)
        assert [stranger.get("/").status_code for _ in range(6)] == [200] * 5 + [429]
        here = TestClient(web.app, base_url=web.address, client=("127.0.0.1", 50000))
        assert [here.get("/").status_code for _ in range(20)] == [200] * 20


# ---------------------------------------------------------------- headers


def test_every_answer_has_the_headers_that_keep_others_out(web: Web) -> None:
    table = web.table()
    client = web.client(table["Bo"])
    answers = [
        client.get(f"/t/{table.id}/people"),
        client.get("/nothing"),
        client.get("/", headers={"Host": "evil.example"}),
        client.post("/join", data={"link": "x"}),
        client.get("/static/x/css/base.css"),
    ]
    for answer in answers:
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'; script-src 'self'; style-src 'self';" in policy
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        assert answer.headers["Referrer-Policy"] == "same-origin"
        assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
        assert "camera=()" in answer.headers["Permissions-Policy"]
    assert answers[0].headers["Cache-Control"] == "no-store"


def test_no_page_of_the_doors_has_inline_script_or_style_or_anything_from_elsewhere(web: Web) -> None:
    table = web.table()
    pages = [
        web.client(owner=True).get("/").text,
        web.client(owner=True).get("/tables/new?game=sinew_steel").text,
        web.client().get("/").text,
        web.client().get("/join").text,
        web.client(table.game_master).post(f"/t/{table.id}/people/invite", data={"seat": table.seats["Bo"]}).text,
    ]
    for text in pages:
        assert "<script>" not in text
        assert " style=" not in text
        assert "<style" not in text
        assert " onclick=" not in text
        assert "//cdn" not in text


def test_static_files_are_kept_for_good_under_the_address_of_this_version(web: Web) -> None:
    text = web.client().get("/").text
    address = text.partition('rel="stylesheet" href="')[2].partition('"')[0]
    now = web.client().get(address)
    assert now.status_code == 200
    assert now.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    name = address.rpartition("/")[2]
    before = web.client().get(f"/static/an-older-one/css/{name}")
    assert (before.status_code, before.headers["Cache-Control"]) == (200, "no-cache")
    assert before.text == now.text
    sheets = [web.client().get(f"/static/x/css/{one}.css").text for one in name.removesuffix(".css").split("+")]
    assert len(sheets) > 1, "a page asks once for all its sheets"
    assert now.text == "\n".join(sheets)
    assert web.client().get("/static/x/css/base+nothing.css").status_code == 404
    for outside in ("/static/x/%2e%2e/app.py", "/static/x/..%2fapp.py", "/static/x/css/..%2f..%2f..%2fapp.py"):
        assert web.client().get(outside).status_code == 404


@pytest.mark.parametrize("name", ["Ada", "Di"])
@pytest.mark.parametrize(
    ("where", "imported"), [("", {"receipts", "turn", "palette_search"}), ("/fairness", {"sha256"})]
)
def test_a_script_comes_with_all_that_it_imports(web: Web, name: str, where: str, imported: set[str]) -> None:
    table = web.table()
    client = web.client(table[name])
    (address,) = re.findall(r'<script src="(.+?)" type="module"', client.get(f"/t/{table.id}{where}").text)
    answer = client.get(address)
    assert answer.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert not re.search("^import ", answer.text, re.MULTILINE)
    modules = re.findall(r"^const (\w+)_js = ", answer.text, re.MULTILINE)
    assert imported < set(modules)
    assert len(modules) == len(set(modules))


def test_a_module_that_a_page_asks_for_later_exports_what_it_did(web: Web) -> None:
    text = web.client().get("/static/x/js/chains.js").text
    assert text.endswith("export const { PAIRED, NONE, HERE, UNSEEN, ELSEWHERE, Seat } = chains_js;")
    assert web.client().get("/static/x/js/chains+nothing.js").status_code == 404


def test_pages_are_compressed(web: Web) -> None:
    table = web.table()
    answer = web.client(table["Bo"]).get(f"/t/{table.id}/people", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["Content-Encoding"] == "gzip"
    assert "People at the table" in answer.text


# ---------------------------------------------------------------- problems


def test_a_problem_is_a_page_a_part_or_json_by_who_asks(web: Web) -> None:
    client = web.client()
    page = client.get("/nothing")
    assert (page.status_code, "There is nothing at this address." in page.text) == (404, True)
    assert 'href="/"' in page.text
    part = client.get("/nothing", headers={"HX-Request": "true"})
    assert "<html" not in part.text
    asked = client.get("/nothing", headers={"Accept": "application/json"})
    assert asked.json() == {"code": "not_found", "sentence": "There is nothing at this address."}


def test_a_fault_of_ours_shows_no_trace(web: Web, caplog: pytest.LogCaptureFixture) -> None:
    def broken() -> None:
        raise RuntimeError("a secret of ours")

    web.app.get("/broken")(broken)
    web.app.router.routes.insert(0, web.app.router.routes.pop())
    answer = web.client().get("/broken")
    assert answer.status_code == 500
    assert "went wrong on the server" in answer.text
    assert "a secret of ours" not in answer.text
    assert "Content-Security-Policy" in answer.headers
    assert "a secret of ours" in caplog.text


def test_a_store_that_is_away_is_said_to_be(web: Web) -> None:
    table = web.table()
    client = web.client(table["Bo"])
    web.context.store.close()
    answer = client.get(f"/t/{table.id}/people")
    assert answer.status_code == 503
    assert "Nothing is lost" in answer.text
    assert answer.headers["Retry-After"] == "2"


# ---------------------------------------------------------------- behind a proxy


def test_below_a_path_everything_is_reached_whether_the_proxy_strips_it_or_not(behind_a_proxy: Web) -> None:
    web = behind_a_proxy
    for prefix in ("/games", ""):
        client = web.client(owner=True)
        home = client.get(prefix + "/")
        assert home.status_code == 200
        assert 'action="/games/tables"' in home.text
        sheet = home.text.partition('rel="stylesheet" href="')[2].partition('"')[0]
        assert sheet.startswith("/games/static/")
        assert client.get(sheet.removeprefix("/games") if not prefix else sheet).status_code == 200
        opened = client.post(prefix + "/tables", data={"game": "new_shoes"})
        assert opened.headers["Location"].startswith("/games/t/")
    bare = web.client().get("/games")
    assert (bare.status_code, bare.headers["Location"]) == (308, "/games/")
    assert web.client().get("/gamesx/").status_code == 404


def test_cookies_are_for_this_path_and_for_https_alone_there(behind_a_proxy: Web) -> None:
    opened = behind_a_proxy.client(owner=True).post("/games/tables", data={"game": "new_shoes"})
    cookie = opened.headers["Set-Cookie"]
    for part in ("Path=/games/", "Secure", "HttpOnly", "SameSite=lax"):
        assert part in cookie


def test_the_public_address_and_the_machines_own_are_answered(behind_a_proxy: Web) -> None:
    for host, origin in (("play.example", "https://play.example"), ("127.0.0.1:8000", "https://play.example")):
        answer = behind_a_proxy.client(Origin=origin).post("/games/join", data={"link": "x"}, headers={"Host": host})
        assert answer.status_code == 410
    plain = behind_a_proxy.client(Origin="http://play.example").post("/games/join", data={"link": "x"})
    assert plain.status_code == 403


@pytest.mark.parametrize(
    "address", ["play.example", "ftp://play.example", "https://", "https://x/?a", "https://u@x/", "https://x/#y"]
)
def test_what_is_no_public_address_is_refused(address: str) -> None:
    with pytest.raises(BadAddress, match="Use one like"):
        Settings.public(address, PORT)


# ---------------------------------------------------------------- guests


class Echo:
    """Another application at one address."""

    is_open = False

    @asynccontextmanager
    async def open(self) -> AsyncIterator[None]:
        self.is_open = True
        yield
        self.is_open = False

    async def __call__(self, _scope: Scope, receive: Receive, send: Send) -> None:
        body = (await receive())["body"]
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})


def test_a_guest_begins_and_ends_with_the_application_and_is_under_its_law(web: Web) -> None:
    guest = Echo()
    with TestClient(create_app(web.context, {"/mcp": guest}), base_url=web.address) as client:
        assert guest.is_open
        answer = client.post("/mcp", content=b"hello", headers={"Authorization": "Bearer x"})
        assert answer.content == b"hello"
        assert "Content-Security-Policy" in answer.headers
        assert client.post("/mcp", content=b"hello").status_code == 403
        assert client.get("/mcp", headers={"Host": "evil.example"}).status_code == 421
    assert not guest.is_open
