"""Writes `partita/local/parameters.py` and `operations.py`: the typed methods of `partita.Database`.

    python tools/make_operations.py

They follow from `partita/api/model.json`, so run it after `make_model.py`; a test fails if they differ.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from partita.api.shapes import INPUTS, Member, Shape

_FOLDER = Path(__file__).parents[1] / "src" / "partita" / "local"
_REFERENCE = "https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_"
_SIMPLE = {"string": "str", "blob": "str", "boolean": "bool", "integer": "int", "long": "int"}
_LINE = 110


def snake(name: str) -> str:
    """`ListTagsOfResource` as boto3 spells it: `list_tags_of_resource`."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower()


def annotation(shape: Shape, enum: tuple[str, ...] = ()) -> str:
    """The type of a value of this shape in a request."""
    if enum:
        return f"Literal[{', '.join(f'{value!r}' for value in enum)}]".replace("'", '"')
    if shape.is_attribute_value:
        return "AttributeValue"
    if shape.type == "structure":
        return "Mapping[str, Any]"
    if shape.type in _SIMPLE:
        return _SIMPLE[shape.type]
    assert shape.element is not None
    element = annotation(shape.element, shape.element_rule.enum)
    return f"Sequence[{element}]" if shape.type == "list" else f"Mapping[str, {element}]"


def field(member: Member) -> Iterator[str]:
    """The lines of one parameter."""
    of = annotation(member.shape, member.rule.enum)
    if member.rule.required:
        of = f"Required[{of}]"
    line = f"    {member.name}: {of}"
    if len(line) <= _LINE:
        yield line
        return
    opening, _, rest = of.partition("[")
    yield f"    {member.name}: {opening}["
    yield f"        {rest[:-1]}"
    yield "    ]"


def parameters() -> str:
    """The text of `parameters.py`."""
    lines = [
        '"""The parameters of each operation, for type checkers. Written by `tools/make_operations.py`."""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping, Sequence",
        "from typing import Any, Literal, Required, TypedDict",
        "",
        "AttributeValue = Mapping[str, Any]",
        '"""With its type, as the API sends it: `{"S": "a"}`, `{"N": "1"}`, `{"B": "<base64>"}`, …"""',
    ]
    for operation, shape in sorted(INPUTS.items()):
        lines += ["", "", f"class {operation}(TypedDict, total=False):"]
        lines += [line for name in sorted(shape.members) for line in field(shape.members[name])]
        if not shape.members:
            lines.append("    pass")
    return "\n".join(lines) + "\n"


def operations() -> str:
    """The text of `operations.py`."""
    lines = [
        '"""A method for each operation. Written by `tools/make_operations.py`."""',
        "",
        "from __future__ import annotations",
        "",
        "from collections.abc import Mapping",
        "from typing import TYPE_CHECKING, Any, Unpack",
        "",
        "if TYPE_CHECKING:",
        "    from partita.local import parameters as of",
    ]
    for name, asynchronous, awaits in (("Operations", "", ""), ("AsyncOperations", "async ", "await ")):
        lines += [
            "",
            "",
            f"class {name}:",
            f'    """What `call` does, {"awaited, " if awaits else ""}as a method for each operation."""',
            "",
            f"    {asynchronous}def call("
            "self, operation: str, request: Mapping[str, Any]) -> dict[str, Any]:",
            "        raise NotImplementedError",
        ]
        for operation in sorted(INPUTS):
            lines += [
                "",
                f"    {asynchronous}def {snake(operation)}("
                f"self, **request: Unpack[of.{operation}]) -> dict[str, Any]:",
                f'        """{_REFERENCE}{operation}.html"""',
                f'        return {awaits}self.call("{operation}", request)',
            ]
    return "\n".join(lines) + "\n"


def files() -> dict[Path, str]:
    """Each generated file with its text."""
    return {_FOLDER / "parameters.py": parameters(), _FOLDER / "operations.py": operations()}


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
