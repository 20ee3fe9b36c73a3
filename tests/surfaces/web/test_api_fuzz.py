"""Whatever is sent to the API, it answers as its document says, and never with a fault of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from schemathesis import openapi
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.patience import LONG
from tests.surfaces.web.served import Served, served

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance, status_code_conformance]
STREAMS = "/events"


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("fuzz")
    with served(f"sqlite:///{folder}/tables.db") as found:
        yield found


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Ada", "Bo"])
def test_every_operation_answers_as_it_is_documented(table: Served, name: str) -> None:
    program = table.program_at(name)
    schema = openapi.from_dict(program.get("/api/openapi.json"))
    operations = [found.ok() for found in schema.get_all_operations() if isinstance(found, Ok)]
    asked = [one for one in operations if not one.path.endswith(STREAMS)]
    assert len(asked) > 50

    @given(data=st.data())
    @settings(max_examples=4 * len(asked), suppress_health_check=list(HealthCheck), database=None)
    def fuzz(data: st.DataObject) -> None:
        operation = data.draw(st.sampled_from(asked))
        case = data.draw(operation.as_strategy())
        case.path_parameters["table"] = table.seated.table
        table.seated.dice.faces[:] = [3] * 20
        response = case.call(base_url=f"http://127.0.0.1:{table.port}", headers=program.headers, timeout=LONG)
        case.validate_response(response, checks=CHECKS)

    fuzz()
