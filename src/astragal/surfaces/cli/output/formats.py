"""How odds can be written out, beside the bars."""

from enum import Enum


class Page(Enum):
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
