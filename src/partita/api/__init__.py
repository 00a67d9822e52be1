"""The API's shapes and constraints, from AWS's published service model, and the checks made from them."""

from partita.api.answers import encode
from partita.api.checks import check, decode
from partita.api.shapes import OPERATIONS

__all__ = ["OPERATIONS", "check", "decode", "encode"]
