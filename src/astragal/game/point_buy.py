"""Point-buy: what the numbers of a new hero may be and what they cost."""

from astragal.table.authoring.point_buy import *
