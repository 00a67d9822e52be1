"""CloudFormation templates: the tables in one, with its parameters, conditions and functions resolved.

https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/intrinsic-function-reference.html
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from partita.engine.table import Scope

_TABLES = ("AWS::DynamoDB::Table", "AWS::DynamoDB::GlobalTable", "AWS::Serverless::SimpleTable")
_NUMBER = re.compile(r"[0-9]{1,18}")
_NO_VALUE = object()


class Template:
    """A parsed template. Resources other than tables are looked at only where a table refers to one.

    Then the text is its logical ID, or `ID.Attribute`: nothing of it exists here.
    """

    def __init__(self, content: Mapping[str, Any], parameters: Mapping[str, str], scope: Scope) -> None:
        self._resources: Mapping[str, Any] = content["Resources"]
        self._mappings: Mapping[str, Any] = content.get("Mappings", {})
        self._conditions: Mapping[str, Any] = content.get("Conditions", {})
        declared: Mapping[str, Any] = content.get("Parameters", {})
        if unknown := sorted(parameters.keys() - declared.keys()):
            raise ValueError(f"the template has no parameter {unknown[0]}")
        self._references: dict[str, Any] = {
            "AWS::AccountId": scope.account,
            "AWS::NoValue": _NO_VALUE,
            "AWS::Partition": "aws",
            "AWS::Region": scope.region,
            "AWS::StackId": f"arn:aws:cloudformation:{scope.region}:{scope.account}:stack/local/0",
            "AWS::StackName": "local",
            "AWS::URLSuffix": "amazonaws.com",
        }
        for name, parameter in declared.items():
            if name in parameters or "Default" in parameter:
                value = parameters.get(name, parameter.get("Default"))
                is_list = "List" in str(parameter.get("Type"))
                self._references[name] = str(value).split(",") if is_list else value

    def tables(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        """(name, resource type, properties) of each table, in the order of the template.

        The name is the property TableName or else the logical ID.
        """
        for logical_id, resource in self._resources.items():
            if resource.get("Type") not in _TABLES:
                continue
            if "Condition" in resource and not self._holds(resource["Condition"]):
                continue
            properties = _plain(self._resolve(resource.get("Properties", {})))
            yield properties.get("TableName", logical_id), resource["Type"], properties

    def _resolve(self, value: Any) -> Any:
        if isinstance(value, list):
            resolved = [self._resolve(element) for element in value]
            return [element for element in resolved if element is not _NO_VALUE]
        if not isinstance(value, dict):
            return value
        if len(value) == 1:
            ((name, argument),) = value.items()
            if name == "Ref":
                return self._refer(argument)
            if name in _FUNCTIONS:
                return _FUNCTIONS[name](self, argument)
            if name.startswith("Fn::"):
                raise ValueError(f"the function {name} cannot be resolved here")
        members = {key: self._resolve(element) for key, element in value.items()}
        return {key: element for key, element in members.items() if element is not _NO_VALUE}

    def _refer(self, name: str) -> Any:
        if name in self._references:
            return self._references[name]
        if name in self._resources:
            return name
        raise ValueError(f"the parameter {name} has no value: give it one, or a Default in the template")

    def _get_attribute(self, argument: Any) -> str:
        return argument if isinstance(argument, str) else ".".join(argument)

    def _substitute(self, argument: Any) -> str:
        text, own = (argument, {}) if isinstance(argument, str) else argument

        def value_of(match: re.Match[str]) -> str:
            name = match[1].strip()
            if name.startswith("!"):
                return "${" + name[1:] + "}"
            if name in own:
                return str(self._resolve(own[name]))
            return name if "." in name else str(self._refer(name))

        return re.sub(r"\$\{([^}]*)\}", value_of, text)

    def _join(self, argument: Any) -> str:
        return str(argument[0]).join(str(part) for part in self._resolve(argument[1]))

    def _split(self, argument: Any) -> list[str]:
        return str(self._resolve(argument[1])).split(argument[0])

    def _select(self, argument: Any) -> Any:
        return self._resolve(argument[1])[int(self._resolve(argument[0]))]

    def _find(self, argument: Any) -> Any:
        found: Any = self._mappings
        for name in self._resolve(argument[:3]):
            if name not in found:
                raise ValueError(f"Fn::FindInMap: there is no {name}")
            found = found[name]
        return found

    def _choose(self, argument: Any) -> Any:
        return self._resolve(argument[1] if self._holds(argument[0]) else argument[2])

    def _holds(self, condition: Any) -> bool:
        """Whether a condition is true: the name of one, or a condition function."""
        if isinstance(condition, str):
            if condition not in self._conditions:
                raise ValueError(f"there is no condition {condition}")
            return self._holds(self._conditions[condition])
        ((name, argument),) = condition.items()
        if name == "Condition":
            return self._holds(argument)
        if name == "Fn::Not":
            return not self._holds(argument[0])
        if name == "Fn::And":
            return all(self._holds(part) for part in argument)
        if name == "Fn::Or":
            return any(self._holds(part) for part in argument)
        if name == "Fn::Equals":
            left, right = self._resolve(argument)
            return str(left) == str(right)
        raise ValueError(f"the condition function {name} cannot be resolved here")


_FUNCTIONS: Mapping[str, Callable[[Template, Any], Any]] = {
    "Fn::FindInMap": Template._find,
    "Fn::GetAtt": Template._get_attribute,
    "Fn::If": Template._choose,
    "Fn::Join": Template._join,
    "Fn::Select": Template._select,
    "Fn::Split": Template._split,
    "Fn::Sub": Template._substitute,
}


def _plain(value: Any, name: str = "") -> Any:
    """With numbers and booleans as the API takes them, where a template may have text."""
    if isinstance(value, dict):
        return {key: _plain(element, key) for key, element in value.items()}
    if isinstance(value, list):
        return [_plain(element) for element in value]
    if name.endswith(("Units", "UnitsPerSecond")) and _NUMBER.fullmatch(str(value)):
        return int(value)
    if name.endswith("Enabled") and value in ("true", "false"):
        return value == "true"
    return value
