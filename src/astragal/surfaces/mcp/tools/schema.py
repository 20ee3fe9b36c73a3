"""Tool schemas: small, without unknown arguments, with errors that say what was expected."""

from collections.abc import Callable
from inspect import cleandoc
from types import CodeType, FunctionType
from typing import Annotated, Any, cast

from mcp.server.mcpserver import Context, resolve
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, ToolAnnotations
from pydantic import Field, ValidationError

from astragal.surfaces.mcp import results, untrusted_text
from astragal.surfaces.mcp.session import McpSession
from astragal.surfaces.shared.context import store_away
from astragal.table.log.store import StoreError
from astragal.table.refusals import Refusal

FORM_FAULT = "Resolver "
"""Beginning of the SDK's error for a form's answer that does not fit its schema."""
LEFT_OUT = frozenset({"title", "default", "additionalProperties"})
"""Keys of a schema that no model needs."""
CommandName = Annotated[str, Field(description="a command's name, as actions lists it")]
Given = Annotated[dict[str, Any], Field(description="the command's fields")]


class Offered(Tool):
    """A tool that answers a malformed call with what it takes, and that has a rate limit."""

    pace: Any = Field(default=None, exclude=True)
    waiting: Any = Field(default=None, exclude=True)
    """Returns the error for a form that came back with an answer that it did not offer."""

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        is_answer = bool(context.input_responses)  # a person's, to a form: part of a call that was counted
        if self.pace and not is_answer and (refusal := self.pace.too_fast()):
            raise ToolError(refusal)
        unknown = [name for name in arguments if name not in self.parameters["properties"]]
        if unknown:
            unknown_names = untrusted_text.clean(", ".join(unknown), 120)
            inside = " A command's own fields go into fields." if "fields" in self.parameters["properties"] else ""
            raise ToolError(f"{self.name} takes no {unknown_names}.{inside} {self._takes()}")
        try:
            self.fn_metadata.validate_arguments(arguments)
        except (ValidationError, RecursionError) as fault:
            sentence = "The arguments are nested too deeply."
            if isinstance(fault, ValidationError):
                faults = fault.errors(include_input=False)
                wrong = (f"{'.'.join(str(part) for part in fault['loc'])}: {fault['msg']}" for fault in faults)
                sentence = untrusted_text.clean("; ".join(wrong), 600) + "."
            raise ToolError(f"{sentence} {self._takes()}") from None
        try:
            return await super().run(arguments, context, convert_result)
        except ToolError as fault:
            if FORM_FAULT not in str(fault) or self.waiting is None:
                raise
            raise ToolError(self.waiting()) from None

    def _takes(self) -> str:
        needed = set(self.parameters.get("required", ()))
        parameters = [name if name in needed else f"[{name}]" for name in self.parameters["properties"]]
        return f"Expected: {self.name}({', '.join(parameters)})."


_DESCRIBED: dict[CodeType, Offered] = {}
"""Cache of tools without their functions. Schemas are slow to make, and the same for every server."""


def offered(work: Callable[..., Any], *, reads_only: bool = False) -> Offered:
    """Make a tool from a function: its name, its docstring, its arguments, its result."""
    code = cast("FunctionType", work).__code__
    if code not in _DESCRIBED:
        _DESCRIBED[code] = _described(work, reads_only=reads_only)
    described = _DESCRIBED[code]
    resolved = resolve.find_resolved_parameters(work)
    plans = resolve.build_resolver_plans(resolved, set(described.parameters["properties"]))
    return described.model_copy(update={"fn": work, "resolved_params": resolved, "resolver_plans": plans})


def _described(work: Callable[..., Any], *, reads_only: bool) -> Offered:
    described = Offered.from_function(
        work, annotations=ToolAnnotations(read_only_hint=reads_only, open_world_hint=False)
    )
    tool = cast("Offered", described)
    tool.description = cleandoc(tool.description)
    tool.parameters = _small(tool.parameters)
    tool.fn_metadata.output_schema = _small(tool.fn_metadata.output_schema)
    return tool.model_copy(update={"fn": None, "resolved_params": {}, "resolver_plans": {}})


def _small(schema: Any, *, names: bool = False) -> Any:
    """Remove titles and the like from a schema; `names` says that its keys are names of fields."""
    if isinstance(schema, list):
        return [_small(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: part for key, part in schema.items() if names or key not in LEFT_OUT}
    return {key: _small(part, names=key in ("properties", "$defs") and not names) for key, part in parts.items()}


def answered(session: McpSession, work: Callable[[], results.Result | Refusal]) -> CallToolResult:
    """Do the work under the session's lock and return its result; a refusal is a result, too."""
    result = tried(session, work)
    return results.refused(result) if isinstance(result, Refusal) else results.reply(result)


def tried(session: McpSession, work: Callable[[], Any]) -> Any:
    """Do the work under the session's lock, and return a refusal as a value: for what runs before the tool does."""
    try:
        with session.lock:
            session.look_again()
            return work()
    except Refusal as refusal:
        return refusal
    except StoreError as fault:
        return store_away(fault)
