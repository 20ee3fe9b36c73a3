"""Point-buy: what the numbers of a new hero may be and what they cost."""

from astragal.table.authoring.point_buy import Budget, Build, Draw, Fault, Nearest, Number, OneOf, PointBuy, highest

__all__ = [
    "Budget",
    "Build",
    "Draw",
    "Fault",
    "Nearest",
    "Number",
    "OneOf",
    "PointBuy",
    "highest",
]
