"""The HTTP API by its own document: every operation with generated arguments, to a real server."""

from collections import Counter

from hypothesis import HealthCheck, given, settings
from hypothesis import seed as seeded
from hypothesis import strategies as st
from schemathesis import openapi
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from benchmarks.soak.clients import Figures, folder
from tests.patience import LONG
from tests.surfaces.web.served import Served, served

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
STREAMS = "/events"


def api(seed: int) -> Figures:
    """Requests from the game master's seat and a player's: each is answered as it is documented."""
    with folder() as place, served(f"sqlite:///{place}/tables.db") as table:
        done = Counter[str]()
        for name in ("Ada", "Bo"):
            done += fuzz(table, name, each=3, seed=seed)
    return {"requests": done.total(), **{f"{status[0]}xx": count for status, count in sorted(done.items())}}


def fuzz(table: Served, name: str, *, each: int, seed: int | None = None) -> Counter[str]:
    """So many requests to each operation, on average, with somebody's token; how many had which kind of status."""
    program = table.program_at(name)
    schema = openapi.from_dict(program.get("/api/openapi.json"))
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    asked = [one for one in operations if not one.path.endswith(STREAMS)]
    assert len(asked) > 50
    done: Counter[str] = Counter()

    @settings(max_examples=each * len(asked), suppress_health_check=list(HealthCheck), database=None, deadline=None)
    @given(data=st.data())
    def send(data: st.DataObject) -> None:
        operation = data.draw(st.sampled_from(asked))
        case = data.draw(operation.as_strategy())
        case.path_parameters["table"] = table.seated.table
        table.seated.dice.faces[:] = [3] * 20
        response = case.call(base_url=f"http://127.0.0.1:{table.port}", headers=program.headers, timeout=LONG)
        case.validate_response(response, checks=CHECKS)
        done[str(response.status_code)] += 1

    (send if seed is None else seeded(seed)(send))()
    return done
