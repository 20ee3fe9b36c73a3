"""The tables that the books print, cell by cell."""

from __future__ import annotations

SUCCESS = """
 6 30 51  9
 7 35 58 12
 8 40 64 16
 9 45 70 20
10 50 75 25
11 55 80 30
12 60 84 36
13 65 88 42
14 70 91 49
15 75 94 56
16 80 96 64
"""
"""000 §2: score, then the chance in percent straight, with advantage, with disadvantage."""

SUCCESS_IN_THE_MANUAL = """
 6 30 51  9
 8 40 64 16
10 50 75 25
12 60 84 36
14 70 91 49
16 80 96 64
"""
"""001 §9.1."""

OPPOSED = """
 -  6  7  8  9 10 11 12 13 14 15 16
 6 25 23 22 20 19 17 16 14 13 11 10
 7 30 28 26 24 23 21 19 18 16 14 12
 8 35 33 31 29 27 25 23 21 19 17 15
 9 40 38 36 34 32 29 27 25 22 20 18
10 45 43 41 39 36 34 31 29 26 24 21
11 50 48 46 44 41 38 36 33 30 28 25
12 55 53 51 49 46 44 40 38 34 32 28
13 60 58 56 54 51 48 46 42 39 36 32
14 65 63 61 59 56 54 50 47 44 40 37
15 70 68 66 64 61 58 56 52 49 45 41
16 75 73 71 69 66 64 60 57 54 50 46
"""
"""000 §2: the attacker's score by row, the defender's by column."""

OPPOSED_IN_THE_MANUAL = """
 -  6  8 10 12 14 16
 6 25 22 19 16 13 10
 8 35 31 27 23 19 15
10 45 41 36 31 26 21
12 55 51 46 40 34 28
14 65 61 56 50 44 37
16 75 71 66 60 54 46
"""
"""001 §9.2."""


def rows(table: str) -> list[list[int]]:
    return [[int(cell) for cell in line.split()] for line in table.strip().splitlines()]


def grid(table: str) -> dict[tuple[int, int], int]:
    """Cells by row and column."""
    head, *lines = table.strip().splitlines()
    columns = [int(cell) for cell in head.split()[1:]]
    return {
        (row, column): cell
        for row, *cells in rows("\n".join(lines))
        for column, cell in zip(columns, cells, strict=True)
    }
