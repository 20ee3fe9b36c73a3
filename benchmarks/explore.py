"""Lab page: time from a slider's move to the answer through the whole web application, each question new."""

import secrets
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from msgspec.structs import replace
from starlette.testclient import TestClient

from astragal.storage import open_store
from astragal.surfaces.shared.rate_limit import Pace
from astragal.surfaces.web.app import create_app
from astragal.surfaces.web.context import WebContext
from astragal.surfaces.web.security.auth import PassAuth
from astragal.surfaces.web.settings import Settings
from astragal.table.host import Host
from astragal.wiring import installed_rulesets
from benchmarks.harness import Mark, benchmark, shown, within

PORT = 18_000
WAIT = 0.025
"""Seconds that the page waits for a slider to rest."""
LIMIT = 0.1
MOVES = {
    "odds of an attack": "sinew_steel/attack?attacker={0}&defender={1}",
    "curve of a check": "six_pool/check?.over=bonus&dc={0}&bonus={1}",
    "curve of an opposed test": "sinew_steel/opposed_test?.over=attacker&defender={0}&attacker={1}",
    "heat map of an opposed test": "sinew_steel/opposed_test?.over=attacker&.and=defender&attacking.favours=0&x={0}",
    "two games on one chart": "six_pool/check?.over=bonus&dc={0}&.against=sinew_steel/simple_test&b-score={1}",
    "curve of dice that explode": "new_shoes/approach?.over=target&dice={0}&statuses={1}",
    "curve of a contest": "six_pool/contest?.over=actor.bonus&holder.bonus={0}&actor.bonus={1}",
    "curve of best play": "sinew_steel/nudged_test?.over=stand.luck&score={0}&.policy=best",
}


@benchmark("lab.slider")
def slider() -> Iterator[Mark]:
    """Eight positions of a slider for each chart; a chart that takes longer arrives in parts."""
    with TemporaryDirectory() as folder:
        store = open_store(str(Path(folder) / "tables.db"))
        host = Host(store, [load() for load in installed_rulesets().values()], clock=_now, entropy=secrets.token_bytes)
        auth = PassAuth(store.passes, clock=_now, entropy=secrets.token_bytes)
        settings = replace(Settings.local(PORT), seat_pace=Pace(10_000, 1_000))
        client = TestClient(create_app(WebContext(host, store, auth, settings)), base_url=f"http://127.0.0.1:{PORT}")
        for name, path in MOVES.items():
            client.get(f"/lab/{path.format(2, 3).replace('&x=2', '')}", headers={"HX-Request": "true"})  # warm
            taken, parts, busy = [], 0, time.process_time()
            for place in range(8):
                address = f"/lab/{path.format(place + 4 if 'dice=' not in path else place % 8 + 1, place + 1)}"
                address = address.replace(f"&x={place + 4}", f"&defending.favours={place % 4}")
                started = time.perf_counter()
                found = client.get(address, headers={"HX-Request": "true"})
                taken.append(time.perf_counter() - started)
                assert found.status_code == 200, (address, found.text)
                parts += "more to calculate" in found.text
            busy = (time.process_time() - busy) / len(taken)
            later = f"; {parts} of 8 in parts" if parts else ""
            detail = f"worst {shown(max(taken) + WAIT)}, {shown(busy)} of the processor{later}"
            yield within("lab.slider", name, _share(taken, 0.5) + WAIT, LIMIT, detail)
        store.close()


def _share(taken: Sequence[float], share: float) -> float:
    return sorted(taken)[int(share * len(taken))]


def _now() -> int:
    return time.time_ns() // 1_000_000
