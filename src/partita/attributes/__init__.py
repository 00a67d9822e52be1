"""The data model: attribute values, numbers, sets, sizes, comparison and key bytes. Pure functions."""

from partita.attributes.binary import binary_size, decoded
from partita.attributes.comparison import compare, equal
from partita.attributes.depth import MAX_LEVELS, depth
from partita.attributes.keys import framed, partition_digest, sort_bytes, successor, text_digest
from partita.attributes.numbers import add_numbers, normal_number, subtract_numbers
from partita.attributes.ranges import sort_range
from partita.attributes.sizes import item_size, value_size
from partita.attributes.types import AttributeValue, Item
from partita.attributes.values import normalise, normalise_item

__all__ = [
    "MAX_LEVELS",
    "AttributeValue",
    "Item",
    "add_numbers",
    "binary_size",
    "compare",
    "decoded",
    "depth",
    "equal",
    "framed",
    "item_size",
    "normal_number",
    "normalise",
    "normalise_item",
    "partition_digest",
    "sort_bytes",
    "sort_range",
    "subtract_numbers",
    "successor",
    "text_digest",
    "value_size",
]
