"""The notebook of the documentation: each cell is run, and shows what the file says it shows.

`ASTRAGAL_REGENERATE=1` writes what it shows now.
"""

import ast
import json
import os
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parent.parent.parent / "docs" / "dice.ipynb"


def run(source: str, names: dict[str, Any]) -> Any:
    """Run a cell; its value is that of a last expression."""
    tree = ast.parse(source)
    last = tree.body[-1]
    if isinstance(last, ast.Expr):
        tree.body.pop()
    exec(compile(tree, "<cell>", "exec"), names)  # noqa: S102 - a cell of our own
    if not isinstance(last, ast.Expr):
        return None
    return eval(compile(ast.Expression(last.value), "<cell>", "eval"), names)  # noqa: S307 - as above


def outputs(value: Any) -> list[dict[str, Any]]:
    """What a notebook shows of a value."""
    if value is None:
        return []
    data = {"text/plain": str(value).splitlines(keepends=True)}
    if hasattr(value, "_repr_html_"):
        data["text/html"] = value._repr_html_().splitlines(keepends=True)
    return [{"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data}]


def test_the_notebook_shows_what_it_says() -> None:
    written = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "notebook"}
    shown = [
        {**cell, "outputs": outputs(run("".join(cell["source"]), names))} if cell["cell_type"] == "code" else cell
        for cell in written["cells"]
    ]
    if os.environ.get("ASTRAGAL_REGENERATE"):
        NOTEBOOK.write_text(json.dumps(written | {"cells": shown}, ensure_ascii=False, indent=1) + "\n", "utf-8")
    assert [cell["source"] for cell in shown if cell["cell_type"] == "code" and not cell["outputs"]] == [
        cell["source"] for cell in written["cells"] if cell["cell_type"] == "code" and "import" in cell["source"][0]
    ], "each cell but those that import shows something"
    assert shown == written["cells"] or os.environ.get("ASTRAGAL_REGENERATE")
