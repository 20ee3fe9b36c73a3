"""Mutants: one small change of one function each, in code that a clause of the rule books names or that guards a table.

A change is to a comparison, a number, an operator or a condition, or it leaves out a statement. Code that guards is
changed in more ways: the filter of a comprehension, one part of a condition, an assignment to an attribute are left out
as well. Changes that can't make a difference to a game are left out: types, the words of a refusal or of the log, sizes
of caches, and checks that only a programmer's mistake could fail.
"""

from __future__ import annotations

import ast
import copy
import hashlib
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType

ROOT = Path(__file__).parent.parent
SOURCE = ROOT / "src"
CLAUSE = re.compile(r"\b((?:SS|NJ|NS|SP)[-+])(\d\d)\b(?: to \1(\d\d)\b)?")
"""A clause, or a span of them: “SS-10 to SS-15”."""

COMPARISONS = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
OPERATORS = {ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.FloorDiv: ast.Mult}
CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}
CACHES = frozenset({"cache", "lru_cache"})
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True)
class Mutant:
    """One change: its place, what it is, and the clauses that the changed code names."""

    path: Path
    lines: tuple[int, int]
    """First and last line of the changed statement."""
    change: str
    clauses: tuple[str, ...]
    within: frozenset[str]
    """These clauses, and those between them where the code names a span."""
    index: int
    """Its number among the changes of the file."""
    key: str
    """The same for as long as the function reads the same."""
    at_import: bool
    """True if it changes what is evaluated while importing: a default, a decorator's argument."""
    function: str
    """The function's name, after those of the classes around it."""
    nth: int
    """Which of several changes of the function that read the same: 1 for the first."""
    function_lines: tuple[int, int]
    guards: bool

    @property
    def module(self) -> str:
        return ".".join(self.path.relative_to(SOURCE).with_suffix("").parts)

    @property
    def game(self) -> str:
        return self.path.relative_to(SOURCE / "astragal" / "rulesets").parts[0]

    def compiled(self) -> CodeType:
        """Compile the whole module with the change; lines keep their numbers."""
        tree = parse(self.path)
        for index, found in enumerate(changes_in(tree, guards=self.guards)):
            if index == self.index:
                found.make()
                return compile(ast.fix_missing_locations(tree), str(self.path), "exec")
        raise LookupError(self.key)

    def __str__(self) -> str:
        around = ", ".join(self.clauses) or self.function
        return f"{self.path.relative_to(ROOT)}:{self.lines[0]}  {self.change}  ({around})"


@dataclass(frozen=True)
class Change:
    """A change that can be made to a tree: how it reads, in which function, at which node."""

    words: str
    function: FunctionNode
    name: str
    """The function's name, after those of the classes around it."""
    named: str
    """The docstring that names its clauses."""
    statement: ast.AST
    in_body: bool
    make: Callable[[], None]


def parse(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def mutants_of(path: Path, *, guards: bool = False) -> Iterator[Mutant]:
    """Yield the mutants of a file: of the code that names a clause or, if the file guards a table, of all its code."""
    seen: Counter[tuple[str, str]] = Counter()
    digests: dict[FunctionNode, str] = {}
    for index, found in enumerate(changes_in(parse(path), guards=guards)):
        function = found.function
        if function not in digests:
            digests[function] = hashlib.sha256(ast.unparse(function).encode()).hexdigest()[:12]
        seen[digests[function], found.words] += 1
        nth = seen[digests[function], found.words]
        key = f"{path.relative_to(SOURCE)}:{function.name}:{digests[function]}:{found.words}:{nth}"
        clauses, within = clauses_in(found.named), clauses_within(found.named)
        yield Mutant(
            path=path,
            lines=lines_of(found.statement),
            change=found.words,
            clauses=clauses,
            within=within,
            index=index,
            key=key,
            at_import=not found.in_body,
            function=found.name,
            nth=nth,
            function_lines=(function.lineno, function.end_lineno or function.lineno),
            guards=guards,
        )


def lines_of(statement: ast.AST) -> tuple[int, int]:
    """Return the lines of a statement; of one with a body, those before it."""
    first: int = getattr(statement, "lineno", 0)
    body = getattr(statement, "body", None)
    last = body[0].lineno - 1 if isinstance(body, list) and body else getattr(statement, "end_lineno", first)
    return first, max(first, last)


def functions_in(tree: ast.Module) -> Iterator[tuple[FunctionNode, str, str]]:
    """Yield functions, each with its name after those of its classes, and the nearest docstring that names a clause."""

    def walk(node: ast.Module | ast.ClassDef, within: str, around: str) -> Iterator[tuple[FunctionNode, str, str]]:
        for one in node.body:
            if isinstance(one, FunctionNode | ast.ClassDef):
                own = ast.get_docstring(one) or ""
                named = own if CLAUSE.search(own) else around
                if isinstance(one, ast.ClassDef):
                    yield from walk(one, f"{within}{one.name}.", named)
                else:
                    yield one, within + one.name, named

    return walk(tree, "", ast.get_docstring(tree) or "")


def clauses_in(text: str) -> tuple[str, ...]:
    """Return the clauses that code names one by one; of a span, which is a table of contents, only its ends."""
    found = CLAUSE.findall(text)
    return tuple(dict.fromkeys(f"{book}{number}" for book, *ends in found for number in ends if number))


def clauses_within(text: str) -> frozenset[str]:
    """Return these and all between the ends of a span: a test that names one of them is a test of the code."""
    spans = ((book, range(int(first), int(last or first) + 1)) for book, first, last in CLAUSE.findall(text))
    return frozenset(f"{book}{number:02}" for book, numbers in spans for number in numbers)


# ---------------------------------------------------------------- changes


def changes_in(tree: ast.Module, *, guards: bool = False) -> Iterator[Change]:
    """Yield the changes of the functions that name a clause, or of all that guard, in the order of the file."""
    for function, name, named in functions_in(tree):
        if not (guards or CLAUSE.search(named)):
            continue
        for default in [*function.args.defaults, *function.args.kw_defaults, *decorations(function)]:
            if default is not None:
                for node, _ in nodes_that_matter(default, default):
                    for words, make, _ in changes_of(node):
                        yield Change(words, function, name, named, function, in_body=False, make=make)
        for node, around in nodes_that_matter(function, function):
            for words, make, statement in (*changes_of(node), *(changes_of_guards(node) if guards else ())):
                yield Change(words, function, name, named, statement or around, in_body=True, make=make)


def decorations(function: FunctionNode) -> list[ast.expr]:
    return [one for one in function.decorator_list if called(one) not in CACHES]


def called(node: ast.AST | None) -> str:
    """Return the last name of what is called: `Refused` of `raise Refused(…)`."""
    match node:
        case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
            return name
        case _:
            return ""


def nodes_that_matter(node: ast.AST, statement: ast.AST) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Yield nodes from here down whose change could make a difference, each with the statement around it."""
    if makes_no_difference(node):
        return
    around = node if isinstance(node, ast.stmt) else statement
    yield node, around
    inner = node.body if isinstance(node, FunctionNode) else ast.iter_child_nodes(node)
    for child in inner:
        if not (isinstance(node, ast.AnnAssign) and child is node.annotation):
            yield from nodes_that_matter(child, around)


def makes_no_difference(node: ast.AST) -> bool:
    """Return whether a change can't matter: sentences, a refusal's words, types, checks of programmers' mistakes."""
    match node:
        case ast.JoinedStr() | ast.Raise() | ast.Assert() | ast.arguments() | ast.keyword(arg="strict"):
            return True
        case ast.BinOp(op=ast.Add(), left=left, right=right):
            return any(isinstance(one, ast.JoinedStr) or is_text(one) for one in (left, right))
        case ast.Call():
            return called(node) in {"assert_never", "cast"}
        case _:
            return False


def is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


Make = Callable[[], None]


def changes_of(node: ast.AST) -> Iterator[tuple[str, Make, ast.stmt | None]]:
    """Yield the changes at this node: how each reads, and the function that makes it.

    Third is the changed statement, or None if it is the one around.
    """
    yield from ((words, make, None) for words, make in changed_expression(node))
    if isinstance(node, ast.If | ast.IfExp):
        never = ast.BoolOp(ast.And(), [copy.deepcopy(node.test), ast.Constant(value=False)])
        yield f"if {ast.unparse(node.test)}: never", put(node, "test", never), None
    if isinstance(node, ast.FunctionDef | ast.If | ast.For | ast.While | ast.With):
        for index, statement in enumerate(node.body):
            is_call = isinstance(statement, ast.Expr) and called(statement.value) not in {"", "assert_never"}
            if is_call or isinstance(statement, ast.AugAssign) or refuses(statement):
                without = [*node.body[:index], ast.copy_location(ast.Pass(), statement), *node.body[index + 1 :]]
                yield f"{ast.unparse(statement)[:60]}: left out", put(node, "body", without), statement


def changes_of_guards(node: ast.AST) -> Iterator[tuple[str, Make, ast.stmt | None]]:
    """Yield the further changes at a node of code that guards, as `changes_of` does."""
    match node:
        case ast.BoolOp(op=op, values=values):
            joined_by = " and " if isinstance(op, ast.And) else " or "
            for index, value in enumerate(values):
                others = [*values[:index], *values[index + 1 :]]
                kept = joined_by.join(map(ast.unparse, others))
                neutral = ast.Constant(value=isinstance(op, ast.And))  # Python wants two parts at least
                yield f"{ast.unparse(value)}: left out beside {kept}", put(node, "values", [neutral, *others]), None
        case ast.comprehension(ifs=[condition, *others]):
            yield f"{ast.unparse(condition)}: filter left out", put(node, "ifs", others), None
        case _:
            pass
    for block in ("body", "orelse", "finalbody"):
        statements = getattr(node, block, None)
        if isinstance(statements, list):
            for index, statement in enumerate(statements):
                if can_be_left_out(statement, node, block):
                    yield f"{ast.unparse(statement)[:60]}: left out", leave_out(node, block, index), statement


def can_be_left_out(statement: ast.stmt, node: ast.AST, block: str) -> bool:
    """Return whether leaving out this statement is a change that `changes_of` does not make already."""
    match statement:
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript() | ast.Tuple(elts=[ast.Attribute(), *_])]):
            return True
        case ast.AnnAssign(target=ast.Attribute() | ast.Subscript()) | ast.Delete():
            return True
        case ast.Expr() | ast.AugAssign() | ast.Raise():
            is_made_already = block == "body" and isinstance(
                node, ast.FunctionDef | ast.If | ast.For | ast.While | ast.With
            )
            is_call = isinstance(statement, ast.Expr) and called_or_awaited(statement.value) not in {"", "assert_never"}
            return not is_made_already and (is_call or isinstance(statement, ast.AugAssign) or refuses(statement))
        case _:
            return False


def called_or_awaited(node: ast.AST) -> str:
    return called(node.value if isinstance(node, ast.Await) else node)


def leave_out(node: ast.AST, block: str, index: int) -> Make:
    statements = getattr(node, block)
    nothing = ast.copy_location(ast.Pass(), statements[index])
    return put(node, block, [*statements[:index], nothing, *statements[index + 1 :]])


def refuses(statement: ast.stmt) -> bool:
    """Return whether it refuses something to a player; forgetting an abstract method is a programmer's mistake."""
    match statement:
        case ast.Raise(exc=ast.Name(id="NotImplementedError")):
            return False
        case _:
            return isinstance(statement, ast.Raise)


def changed_expression(node: ast.AST) -> Iterator[tuple[str, Make]]:
    match node:
        case ast.Compare(ops=[first, *others]) if type(first) in COMPARISONS:
            turned = [COMPARISONS[type(first)](), *others]
            yield f"{ast.unparse(node)}: comparison turned", put(node, "ops", turned)
        case ast.BinOp(op=op) if type(op) in OPERATORS:
            yield f"{ast.unparse(node)}: operator turned", put(node, "op", OPERATORS[type(op)]())
        case ast.BoolOp(op=op):
            turned_op = ast.Or() if isinstance(op, ast.And) else ast.And()
            yield f"{ast.unparse(node)}: and/or turned", put(node, "op", turned_op)
        case ast.Constant(value=bool(value)):
            yield f"{value} becomes {not value}", put(node, "value", not value)
        case ast.Constant(value=int(value)):
            yield f"{value} becomes {value + 1}", put(node, "value", value + 1)
        case ast.UnaryOp(op=ast.USub()):
            yield f"{ast.unparse(node)}: sign dropped", put(node, "op", ast.UAdd())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield f"{ast.unparse(node)}: not dropped", put(node, "operand", ast.UnaryOp(ast.Not(), operand))
        case ast.Call(func=ast.Name(id=name) as function) if name in CALLS:
            yield f"{name} becomes {CALLS[name]}", put(function, "id", CALLS[name])


def put(owner: ast.AST, name: str, value: object) -> Make:
    return lambda: setattr(owner, name, value)
