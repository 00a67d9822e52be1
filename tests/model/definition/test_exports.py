"""Exports are what the tools that read them take, and say what they leave out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import hcl2
import pytest
from tests.model.definition.tables import Plain, Shop

import partita
from partita.model import Index, KeyAttribute, Table
from partita.model.definition.exports import cloudformation_template, export
from partita.model.definition.table_requests import create_table_request


def lint(template: str) -> list[Any]:
    """What cfn-lint says. It brings half of mathematics along, so only who lints imports it."""
    import cfnlint

    return list(cfnlint.lint_all(template))


@pytest.mark.parametrize("table", [Plain, Shop])
def test_cfn_lint_has_nothing_to_say_about_the_template(table: type[Table]) -> None:
    text = export(table, "cloudformation").text
    assert [said for said in lint(text) if said.rule.severity != "informational"] == []
    assert json.loads(text) == cloudformation_template(table)


def test_cfn_lint_would_have_something_to_say() -> None:
    template = cloudformation_template(Shop)
    del template["Resources"]["ShopTable"]["Properties"]["KeySchema"]
    told = [said.message for said in lint(json.dumps(template)) if said.rule.severity == "error"]
    assert "'KeySchema' is a required property" in told


def test_the_template_holds_the_whole_definition() -> None:
    properties = cloudformation_template(Shop, "other")["Resources"]["ShopTable"]["Properties"]
    assert properties == create_table_request(Shop, "other") | {
        "TimeToLiveSpecification": {"AttributeName": "expires", "Enabled": True}
    }


def test_the_resource_in_hcl_holds_the_whole_definition() -> None:
    assert _terraform(Shop) == create_table_request(Shop) | {"ttl": "expires"}
    assert _terraform(Plain) == create_table_request(Plain)


def test_names_that_mean_something_in_hcl_are_quoted() -> None:
    class Odd(Table, partition_key='a"${b}', sort_key="%{c}\\n", ttl=None):
        gsi1 = Index(partition=KeyAttribute("ü"), sort=None)

    text = export(Odd, "terraform").text
    assert 'hash_key     = "a\\"$${b}"' in text
    assert 'range_key    = "%%{c}\\\\n"' in text
    assert '"ü"' in text
    assert hcl2.loads(text)


def test_the_json_is_the_request_that_creates_the_table() -> None:
    request = json.loads(export(Shop).text)
    with partita.Database() as database:
        assert database.client().create_table(**request)["TableDescription"]["TableName"] == "shop-orders"


def test_each_export_says_what_it_leaves_out() -> None:
    left_out = {format: export(Shop, format).left_out for format in ("json", "cloudformation", "terraform")}
    assert left_out["json"][0].startswith("TTL on expires: CreateTable has none")
    assert "6.29.0" in left_out["terraform"][0]
    for told in left_out.values():
        assert any("Account, Order" in sentence for sentence in told)
        assert any("Uniqueness of Account.email" in sentence for sentence in told)
        assert any("point-in-time recovery" in sentence for sentence in told)
    assert len(export(Plain, "cloudformation").left_out) == 1


def test_another_format_is_refused() -> None:
    with pytest.raises(ValueError, match="no format 'yaml'"):
        export(Shop, "yaml")  # type: ignore[arg-type]


def test_files_can_be_written(tmp_path: Path) -> None:
    (tmp_path / "table.tf").write_text(export(Shop, "terraform").text)
    assert hcl2.loads((tmp_path / "table.tf").read_text())


def _terraform(table: type[Table]) -> dict[str, Any]:
    """The resource that Terraform would make, as a CreateTable request."""
    (resources,) = hcl2.loads(export(table, "terraform").text)["resource"]
    (by_label,) = (_plain(value) for name, value in resources.items() if "aws_dynamodb_table" in name)
    (resource,) = (value for name, value in by_label.items() if not name.startswith("__"))
    keys = [("HASH", resource["hash_key"]), ("RANGE", resource.get("range_key"))]
    request: dict[str, Any] = {
        "TableName": resource["name"],
        "BillingMode": resource["billing_mode"],
        "KeySchema": [{"AttributeName": name, "KeyType": kind} for kind, name in keys if name],
        "AttributeDefinitions": [
            {"AttributeName": one["name"], "AttributeType": one["type"]} for one in resource["attribute"]
        ],
    }
    for block, parameter in (
        ("global_secondary_index", "GlobalSecondaryIndexes"),
        ("local_secondary_index", "LocalSecondaryIndexes"),
    ):
        for index in resource.get(block, ()):
            key_schema = [
                {"AttributeName": key["attribute_name"], "KeyType": key["key_type"]}
                for key in index.get("key_schema", ())
            ] or [
                {"AttributeName": resource["hash_key"], "KeyType": "HASH"},
                {"AttributeName": index["range_key"], "KeyType": "RANGE"},
            ]
            projection = {"ProjectionType": index["projection_type"]}
            if "non_key_attributes" in index:
                projection["NonKeyAttributes"] = index["non_key_attributes"]
            request.setdefault(parameter, []).append(
                {"IndexName": index["name"], "KeySchema": key_schema, "Projection": projection}
            )
    for ttl in resource.get("ttl", ()):
        request["ttl"] = ttl["attribute_name"] if ttl["enabled"] else None
    return request


def _plain(value: Any) -> Any:
    """What hcl2 reads, without the quotation marks that it keeps."""
    if isinstance(value, dict):
        return {_plain(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list):
        return [_plain(inner) for inner in value]
    return value[1:-1] if isinstance(value, str) and value[:1] == '"' else value
