"""YAML with CloudFormation's short forms: `!Ref x` is `{"Ref": "x"}`, `!Sub y` is `{"Fn::Sub": "y"}`."""

from __future__ import annotations

from typing import Any

import yaml

_Loader: Any = type("_Loader", (yaml.SafeLoader,), {})
"""Safe YAML, and the tags."""


def load(text: str) -> Any:
    """The content of a YAML document; ValueError if it is none."""
    try:
        return yaml.load(text, _Loader)
    except yaml.YAMLError as error:
        raise ValueError(f"not YAML: {' '.join(str(error).split())}") from None


def _construct(loader: Any, tag: str, node: Any) -> dict[str, Any]:
    value: Any
    if isinstance(node, yaml.ScalarNode):
        value = loader.construct_scalar(node)
    elif isinstance(node, yaml.SequenceNode):
        value = loader.construct_sequence(node, deep=True)
    else:
        value = loader.construct_mapping(node, deep=True)
    return {tag if tag in ("Ref", "Condition") else f"Fn::{tag}": value}


_Loader.add_multi_constructor("!", _construct)
