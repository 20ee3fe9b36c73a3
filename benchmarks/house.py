"""Structure figures, counted from the source: how long files are, how they hang together, where a clause is.

Each mark has the same count of the first build beside it. The marks are signs, not the goal: the goal is a stranger who
reads a chapter from top to bottom and understands the rule.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from benchmarks.harness import Mark, benchmark

SOURCE = Path(__file__).parent.parent / "src" / "astragal"
CLAUSES = {"SS-26": "sinew_steel", "NJ-22": "narraject", "NS-07": "new_shoes", "SP-15": "six_pool"}
FIRST_BUILD = {"SS-26": 8, "NJ-22": 9, "NS-07": 8, "SP-15": 11}


def trees() -> Mapping[Path, ast.Module]:
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(SOURCE.rglob("*.py"))}


def counted(what: str, now: float, most: float, before: float, sign: str = "") -> Mark:
    digits = 1 if sign else 0
    figure = f"{now:,.{digits}f}{sign} (was {before:,.{digits}f}{sign})"
    return Mark("house", what, figure, f"at most {most:,.0f}{sign}", now <= most)


@benchmark("house")
def figures_of_the_structure() -> Iterator[Mark]:
    found = trees()
    lines = {path: path.read_text(encoding="utf-8").splitlines() for path in found}
    rulesets = sum(len(lines[path]) for path in found if "rulesets" in path.parts)
    yield counted("lines of the four rulesets", rulesets, 13_500, 21_671)
    yield counted("Python files", len(found), 350, 531)
    folders = Counter(path.parent for path in found)
    yield counted("modules in the fullest folder", max(folders.values()), 25, 67)
    yield counted("private functions called from one place", 100 * share_called_once(found), 12, 30, " %")
    imports = sum(
        (node.end_lineno or node.lineno) - node.lineno + 1
        for tree in found.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
    )
    solid = sum(1 for text in lines.values() for line in text if line.strip())
    yield counted("import lines of non-blank lines", 100 * imports / solid, 8, 12.8, " %")
    for clause, game in CLAUSES.items():
        holding = [path for path in found if game in path.parts and clause in "\n".join(lines[path])]
        yield counted(f"files of {game} that name {clause}", len(holding), 2, FIRST_BUILD[clause])
    smallest = Path(__file__).parent.parent / "examples" / "lanterns.py"
    yield counted("lines of the smallest whole game", len(smallest.read_text(encoding="utf-8").splitlines()), 70, 150)


def share_called_once(found: Mapping[Path, ast.Module]) -> float:
    """Share of functions that are private and named exactly once in their module besides their definition."""
    functions = once = 0
    for tree in found.values():
        named: Counter[str] = Counter()
        for node in ast.walk(tree):
            if isinstance(node, ast.Name):
                named[node.id] += 1
            elif isinstance(node, ast.Attribute):
                named[node.attr] += 1
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                functions += 1
                once += node.name.startswith("_") and not node.name.startswith("__") and named[node.name] == 1
    return once / functions
