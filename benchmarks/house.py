"""Readings of how dense and how vague the prose of the code is, by package: a thermometer, not a limit.

A figure says where to look. Whether a function is readable, a reader who has never seen it finds out.
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import msgspec

from benchmarks.harness import Mark, benchmark

SOURCE = Path(__file__).parent.parent / "src" / "astragal"
VAGUE_NAMES = (
    "after another any asked bare been before being both brought came cut data2 done drawn each far few found further "
    "given goings gone got had here how it it2 joined kept known left looked looker lot made many meant named now obj "
    "one ones other others own put ref res rest ret right2 said seen shown so some stuff taken them there they thing "
    "things tmp told val wanted was were went what whose written"
)
"""Names of variables that say nothing of what they hold."""
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


class Reading(msgspec.Struct):
    """Counts over some modules; what is counted excludes docstrings, comments and blank lines."""

    lines: int = 0
    nodes: int = 0
    vague_names: int = 0
    parallel_assignments: int = 0
    comprehensions: int = 0
    conditional_expressions: int = 0
    any_types: int = 0

    def add(self, path: Path) -> None:
        """Count a module."""
        text = path.read_text(encoding="utf-8")
        tree = ast.parse(text)
        solid_lines = [line for line in text.splitlines() if line.strip() and not line.strip().startswith("#")]
        self.lines += len(solid_lines) - remove_docstrings(tree)
        for node in ast.walk(tree):
            self.nodes += 1
            self.count(node)

    def count(self, node: ast.AST) -> None:
        """Count what a node of the syntax tree is."""
        if isinstance(node, COMPREHENSIONS):
            self.comprehensions += 1
        elif isinstance(node, ast.IfExp):
            self.conditional_expressions += 1
        elif isinstance(node, ast.Assign):
            assigns_several = isinstance(node.targets[0], ast.Tuple) and isinstance(node.value, ast.Tuple)
            self.parallel_assignments += assigns_several
        elif isinstance(node, ast.arg):
            self.vague_names += is_vague(node.arg)
        elif isinstance(node, ast.Name):
            self.any_types += node.id == "Any"
            if isinstance(node.ctx, ast.Store):
                self.vague_names += is_vague(node.id)

    def sentence(self) -> str:
        """Return the figures: nodes by line, all others by 1,000 lines."""
        thousands = max(self.lines, 1) / 1000
        figures = (
            f"{self.nodes / max(self.lines, 1):.2f} nodes a line",
            f"{self.vague_names / thousands:.1f} vague names",
            f"{self.parallel_assignments / thousands:.1f} parallel assignments",
            f"{self.comprehensions / thousands:.1f} comprehensions",
            f"{self.conditional_expressions / thousands:.1f} conditional expressions",
            f"{self.any_types / thousands:.1f} Any",
        )
        return f"{self.lines:,} lines: {', '.join(figures)}"


def is_vague(name: str) -> bool:
    return name.lstrip("_") in VAGUE_NAMES.split()


def remove_docstrings(tree: ast.Module) -> int:
    """Remove the docstrings of a module, those under fields included; return how many lines they had."""
    lines = 0
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if not isinstance(body, list):
            continue
        docstrings = [statement for statement in body if is_docstring(statement)]
        for docstring in docstrings:
            lines += (docstring.end_lineno or docstring.lineno) - docstring.lineno + 1
            body.remove(docstring)
    return lines


def is_docstring(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Expr) or not isinstance(statement.value, ast.Constant):
        return False
    return isinstance(statement.value.value, str)


@benchmark("house")
def readings_of_the_code() -> Iterator[Mark]:
    """Read each package, then all of the source, by 1,000 lines of code."""
    modules_by_package: dict[str, list[Path]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        package = path.relative_to(SOURCE).parts[0] if path.parent != SOURCE else "(its own modules)"
        modules_by_package.setdefault(package, []).append(path)
    whole = Reading()
    for package, modules in modules_by_package.items():
        reading = Reading()
        for path in modules:
            reading.add(path)
            whole.add(path)
        yield Mark("house", package, reading.sentence())
    yield Mark("house", "all", whole.sentence())
