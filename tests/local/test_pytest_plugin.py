"""The pytest plugin, in suites of its own."""

from __future__ import annotations

import json
import os
import sys
from importlib.metadata import entry_points
from textwrap import dedent

import pytest
from tests.local.tables import ORDERS

pytest_plugins = ["pytester"]

BOTH = [ORDERS, ORDERS | {"TableName": "more"}]
TEMPLATE = """
Parameters:
  Stage: {Type: String, Default: dev}
Resources:
  Events:
    Type: AWS::DynamoDB::Table
    Properties:
      TableName: !Sub "events-${Stage}"
      BillingMode: PAY_PER_REQUEST
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}]
"""


@pytest.fixture(autouse=True)
def own_environment(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_DEFAULT_REGION", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)
    pytester.makefile(".json", orders=json.dumps(ORDERS), both=json.dumps(BOTH))
    pytester.makefile(".yaml", template=TEMPLATE)


def loading() -> list[str]:
    """The arguments that load the plugin; none where partita is installed."""
    installed = {entry.name for entry in entry_points(group="pytest11")}
    return [] if "partita" in installed else ["-p", "partita.pytest_plugin"]


def run(pytester: pytest.Pytester, suite: str, ini: str, **outcomes: int) -> pytest.RunResult:
    pytester.makeini(f"[pytest]\n{dedent(ini)}")
    pytester.makepyfile(suite)
    result = pytester.runpytest_inprocess(*loading(), "--strict-markers", "-W", "ignore")
    result.assert_outcomes(**outcomes)
    return result


def told(result: pytest.RunResult) -> str:
    """The one line that the first error shows."""
    at = next(number for number, line in enumerate(result.outlines) if "ERROR at" in line)
    assert result.outlines[at + 2].startswith(("=", "-", "_"))
    return result.outlines[at + 1]


def test_every_test_has_a_fresh_database(pytester: pytest.Pytester) -> None:
    run(
        pytester,
        """
        import boto3, os
        import partita
        import pytest

        def test_one(partita_db, dynamodb_client, dynamodb_resource):
            assert isinstance(partita_db, partita.Database)
            dynamodb_client.put_item(TableName="orders", Item={"pk": {"S": "a"}, "sk": {"S": "1"}})
            table = boto3.resource("dynamodb").Table("orders")
            assert table.scan()["Count"] == dynamodb_resource.Table("orders").scan()["Count"] == 1
            assert partita_db.scan(TableName="orders")["Count"] == 1

        def test_two(dynamodb_client):
            assert dynamodb_client.scan(TableName="orders")["Count"] == 0
            assert boto3.client("dynamodb").list_tables()["TableNames"] == ["orders"]

        def test_without_a_fixture_nothing_is_different():
            assert "AWS_ACCESS_KEY_ID" not in os.environ
            assert "AWS_DEFAULT_REGION" not in os.environ

        @pytest.mark.partita(tables=["both.json", "template.yaml"])
        def test_tables_by_marker(dynamodb_client):
            assert dynamodb_client.list_tables()["TableNames"] == ["events-dev", "more", "orders"]

        @pytest.mark.partita(profile="aws", clock="manual", index_lag_ms=(1000, 1000))
        def test_profile_by_marker(partita_db):
            partita_db.clock.advance(60)
            item = {"pk": {"S": "a"}, "sk": {"S": "1"}, "status": {"S": "open"}}
            partita_db.put_item(TableName="orders", Item=item)
            count = lambda: partita_db.scan(TableName="orders", IndexName="by-status")["Count"]
            assert count() == 0
            partita_db.clock.advance(2)
            assert count() == 1
        """,
        "partita_tables = orders.json",
        passed=5,
    )


def test_the_code_under_test_finds_the_tables_whatever_the_environment_says(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_DEFAULT_REGION", "eu-west-1")
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "111122223333")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "mine")
    run(
        pytester,
        """
        import boto3

        def test_one(dynamodb_client):
            arn = dynamodb_client.describe_table(TableName="orders")["Table"]["TableArn"]
            assert arn == "arn:aws:dynamodb:us-east-1:111122223333:table/orders"
            assert boto3.client("dynamodb").list_tables()["TableNames"] == ["orders"]
        """,
        "partita_tables = orders.json",
        passed=1,
    )
    assert os.environ["AWS_DEFAULT_REGION"] == "eu-west-1"


def test_options_name_the_fixtures_and_choose_the_region(pytester: pytest.Pytester) -> None:
    result = run(
        pytester,
        """
        import pytest

        def test_names(database, dynamo, tables):
            assert dynamo.list_tables()["TableNames"] == ["orders"]
            assert tables.Table("orders").key_schema
            assert dynamo.meta.region_name == database.region == "eu-west-1"

        @pytest.mark.partita(tables="missing.json")
        def test_a_missing_file(database):
            pass

        @pytest.mark.partita(clock="water")
        def test_an_unknown_clock(database):
            pass
        """,
        """
        partita_database_fixture = database
        partita_client_fixture = dynamo
        partita_resource_fixture = tables
        partita_region = eu-west-1
        partita_tables = orders.json
        """,
        passed=1,
        errors=2,
    )
    result.stdout.fnmatch_lines(
        [
            "*partita_tables: *missing.json: *No such file*",
            "*marker partita: clock is 'system' or 'manual', not 'water'",
        ]
    )


@pytest.mark.parametrize(
    ("ini", "line"),
    [
        ("partita_tables = missing.json", "partita_tables: {folder}/missing.json: No such file or directory"),
        ("partita_tables = .", "partita_tables: {folder}: Is a directory"),
        (
            "partita_tables = text.json",
            "partita_tables: {folder}/text.json: Expecting value: line 1 column 1 (char 0)",
        ),
        (
            "partita_tables = short.json",
            "partita_tables: {folder}/short.json: 1 validation error detected: Value 't' at 'tableName' "
            "failed to satisfy constraint: Member must have length greater than or equal to 3",
        ),
        (
            "partita_tables = simple.json",
            "partita_tables: {folder}/simple.json: not as CloudFormation has it (nothing is called 'Name')",
        ),
        (
            "partita_tables = list.json",
            "partita_tables: {folder}/list.json: not as CloudFormation has it ('list' object has no "
            "attribute 'items')",
        ),
        ("partita_profile = x", "partita: unknown profile 'x': it is one of instant, aws, hostile"),
        ("partita_seed = x", "partita_seed: a seed is a whole number, not 'x'"),
    ],
)
def test_what_is_wrong_in_the_ini_file_is_one_line(pytester: pytest.Pytester, ini: str, line: str) -> None:
    simple = {"Type": "AWS::Serverless::SimpleTable", "Properties": {"PrimaryKey": {"name": "id"}}}
    pytester.makefile(
        ".json",
        text="text",
        short=json.dumps({"TableName": "t"}),
        simple=json.dumps({"Resources": {"Simple": simple}}),
        list=json.dumps({"Resources": [simple]}),
    )
    result = run(pytester, "def test_one(partita_db): pass", ini, errors=1)
    assert told(result) == line.format(folder=pytester.path)


@pytest.mark.parametrize(
    ("marker", "line"),
    [
        ("'orders.json'", "marker partita: 'orders.json' has no name; tables are tables='orders.json'"),
        ("tables=5", "marker partita: tables is the path of a file, or a list of them, not 5"),
        ("clock='water'", "marker partita: clock is 'system' or 'manual', not 'water'"),
        ("seed='x'", "partita_seed: a seed is a whole number, not 'x'"),
        ("index_lag=5", "partita: unknown setting 'index_lag': it is one of index_lag_ms, "),
    ],
)
def test_what_is_wrong_in_a_marker_is_one_line(pytester: pytest.Pytester, marker: str, line: str) -> None:
    suite = f"""
        import pytest

        @pytest.mark.partita({marker})
        def test_one(partita_db): pass
    """
    assert told(run(pytester, suite, "", errors=1)).startswith(line)


def test_the_plugin_loads_nothing(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makeini("[pytest]\n")
    pytester.makepyfile(
        """
        import sys

        def test_one():
            assert "partita.pytest_plugin" in sys.modules
            assert not {"partita.engine", "boto3", "botocore", "apsw", "orjson"} & sys.modules.keys()
        """
    )
    monkeypatch.setenv("PYTHONPATH", ":".join(sys.path))
    result = pytester.runpytest_subprocess(*loading(), "-p", "no:hypothesispytest")
    result.assert_outcomes(passed=1)
