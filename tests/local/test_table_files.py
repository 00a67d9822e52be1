"""`db.create_tables`: CreateTable requests and CloudFormation templates in files."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from tests.local.tables import ORDERS

from partita import Database, ManualClock
from partita.engine.table import Scope
from partita.local.cloudformation import Template
from partita.local.table_files import TableFileError

TEMPLATE = """
AWSTemplateFormatVersion: 2010-09-09
Parameters:
  Stage: {Type: String, Default: dev}
  Units: {Type: Number, Default: 5}
  Names: {Type: CommaDelimitedList, Default: "email,phone"}
  Secret: {Type: String}
Mappings:
  Protection: {prod: {Deletion: true}, dev: {Deletion: false}}
Conditions:
  IsProd: !Equals [!Ref Stage, prod]
  IsOther: !And [!Not [!Condition IsProd], !Equals [!Ref "AWS::Region", us-east-1]]
  HasAudit: !Or [!Condition IsProd, !Equals [a, b]]
Resources:
  Key: {Type: "AWS::KMS::Key"}
  Users:
    Type: AWS::DynamoDB::Table
    DeletionPolicy: Retain
    Properties:
      TableName: !Sub "users-${Stage}-${AWS::AccountId}"
      AttributeDefinitions:
        - {AttributeName: pk, AttributeType: S}
        - {AttributeName: email, AttributeType: S}
      KeySchema: [{AttributeName: pk, KeyType: HASH}]
      ProvisionedThroughput: {ReadCapacityUnits: !Ref Units, WriteCapacityUnits: "7"}
      GlobalSecondaryIndexes:
        - IndexName: !Join ["-", [by, !Select [0, !Ref Names]]]
          KeySchema: [{AttributeName: email, KeyType: HASH}]
          Projection: {ProjectionType: ALL}
          ProvisionedThroughput: {ReadCapacityUnits: 1, WriteCapacityUnits: 1}
          ContributorInsightsSpecification: {Enabled: true}
      DeletionProtectionEnabled: !FindInMap [Protection, !Ref Stage, Deletion]
      SSESpecification: !If
        - IsProd
        - {SSEEnabled: true, SSEType: KMS, KMSMasterKeyId: !GetAtt Key.Arn}
        - !Ref AWS::NoValue
      StreamSpecification: {StreamViewType: KEYS_ONLY}
      TimeToLiveSpecification: {AttributeName: expires, Enabled: "true"}
      PointInTimeRecoverySpecification: {PointInTimeRecoveryEnabled: true}
      Tags: [{Key: stage, Value: !Sub ["${Stage} ${Key.Arn} ${Own}", {Own: !Ref Key}]}]
  Audit:
    Type: AWS::DynamoDB::Table
    Condition: HasAudit
    Properties:
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}]
      BillingMode: PAY_PER_REQUEST
  Global:
    Type: AWS::DynamoDB::GlobalTable
    Condition: IsOther
    Properties:
      AttributeDefinitions: [{AttributeName: pk, AttributeType: S}]
      KeySchema: [{AttributeName: pk, KeyType: HASH}]
      BillingMode: PROVISIONED
      WriteProvisionedThroughputSettings: {WriteCapacityAutoScalingSettings: {MinCapacity: 1}}
      Replicas: [{Region: us-east-1}]
  Simple:
    Type: AWS::Serverless::SimpleTable
    Properties: {PrimaryKey: {Name: id, Type: Number}, TableName: simple-table, Tags: {a: b}}
"""


def write(tmp_path: Path, name: str, content: Any) -> Path:
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_one_request(db: Database, tmp_path: Path) -> None:
    assert db.create_tables(write(tmp_path, "orders.json", ORDERS)) == ["orders"]
    assert db.describe_table(TableName="orders")["Table"]["KeySchema"] == ORDERS["KeySchema"]


def test_a_list_of_requests(db: Database, tmp_path: Path) -> None:
    path = write(tmp_path, "tables.json", [ORDERS, ORDERS | {"TableName": "more"}])
    assert db.create_tables(str(path)) == ["orders", "more"]


@pytest.mark.parametrize("profile", ["instant", "aws", "hostile"])
def test_the_tables_are_active(profile: str, tmp_path: Path) -> None:
    properties = {
        **{name: value for name, value in ORDERS.items() if name != "TableName"},
        "TimeToLiveSpecification": {"AttributeName": "expires", "Enabled": True},
    }
    resource = {"Type": "AWS::DynamoDB::Table", "Properties": {**properties, "TableName": "orders"}}
    path = write(tmp_path, "template.json", {"Resources": {"Orders": resource}})
    with Database(profile=profile, clock=ManualClock()) as db:
        assert db.create_tables(path) == ["orders"]
        with db.fork() as fork:
            fork.put_item(TableName="orders", Item={"pk": {"S": "a"}, "sk": {"S": "1"}})
            assert fork.describe_table(TableName="orders")["Table"]["TableStatus"] == "ACTIVE"
            expiry = fork.describe_time_to_live(TableName="orders")["TimeToLiveDescription"]
            assert expiry["AttributeName"] == "expires"


def test_the_properties_of_a_table(db: Database, tmp_path: Path) -> None:
    users, global_table, simple = db.create_tables(write(tmp_path, "template.yml", TEMPLATE))
    assert users == "users-dev-000000000000"
    table = db.describe_table(TableName=users)["Table"]
    assert table["ProvisionedThroughput"]["ReadCapacityUnits"] == 5
    assert table["ProvisionedThroughput"]["WriteCapacityUnits"] == 7
    assert [index["IndexName"] for index in table["GlobalSecondaryIndexes"]] == ["by-email"]
    assert table["DeletionProtectionEnabled"] is False
    assert "SSEDescription" not in table
    assert table["StreamSpecification"] == {"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"}
    assert db.describe_time_to_live(TableName=users)["TimeToLiveDescription"]["AttributeName"] == "expires"
    tags = db.list_tags_of_resource(ResourceArn=table["TableArn"])["Tags"]
    assert tags == [{"Key": "stage", "Value": "dev Key.Arn Key"}]
    for name in (global_table, simple):
        summary = db.describe_table(TableName=name)["Table"]["BillingModeSummary"]
        assert summary["BillingMode"] == "PAY_PER_REQUEST"
    assert db.describe_table(TableName=simple)["Table"]["AttributeDefinitions"] == [
        {"AttributeName": "id", "AttributeType": "N"}
    ]


def test_parameters_decide(db: Database, tmp_path: Path) -> None:
    path = write(tmp_path, "template.yaml", TEMPLATE)
    names = db.create_tables(path, {"Stage": "prod", "Units": "9"})
    assert names == ["users-prod-000000000000", "Audit", "simple-table"]
    table = db.describe_table(TableName=names[0])["Table"]
    assert table["DeletionProtectionEnabled"] is True
    assert table["SSEDescription"]["SSEType"] == "KMS"
    assert table["ProvisionedThroughput"]["ReadCapacityUnits"] == 9


def test_a_template_as_json(db: Database, tmp_path: Path) -> None:
    properties = {name: value for name, value in ORDERS.items() if name != "TableName"}
    content = {"Resources": {"Orders": {"Type": "AWS::DynamoDB::Table", "Properties": properties}}}
    for name in ("template.json", "stack.template"):
        with db.fork() as fork:
            assert fork.create_tables(write(tmp_path, name, content)) == ["Orders"]


def test_functions_within_functions() -> None:
    name = {
        "Fn::Sub": ["a${!b}-${c}-${AWS::Region}", {"c": {"Fn::Select": ["1", {"Fn::Split": [",", "x,y"]}]}}]
    }
    resource = {"Type": "AWS::DynamoDB::Table", "Properties": {"TableName": name}}
    template = Template({"Resources": {"A": resource}}, {}, Scope("000000000000", "us-east-1"))
    assert [table[0] for table in template.tables()] == ["a${b}-y-us-east-1"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.json", "{", "Expecting property name"),
        ("a.json", "[1]", "expected a CreateTable request, a list of them or a CloudFormation template"),
        ("a.yaml", "a: [", "not YAML"),
        (
            "a.yaml",
            "Resources: {A: {Type: AWS::DynamoDB::Table, Properties: {TableName: !Ref B}}}",
            "B has no value",
        ),
        (
            "a.yaml",
            "Resources: {A: {Type: AWS::DynamoDB::Table, Properties: {TableName: !ImportValue B}}}",
            "the function Fn::ImportValue cannot be resolved here",
        ),
        ("a.yaml", "Resources: {A: {Type: AWS::DynamoDB::Table, Condition: B}}", "there is no condition B"),
        (
            "a.yaml",
            "Resources: {A: {Type: AWS::DynamoDB::Table, Properties: {TableName: !FindInMap [B, c, d]}}}",
            "there is no B",
        ),
    ],
)
def test_what_is_wrong_is_said(db: Database, tmp_path: Path, name: str, content: str, message: str) -> None:
    with pytest.raises(TableFileError, match=message) as raised:
        db.create_tables(write(tmp_path, name, content))
    assert str(raised.value).startswith(str(tmp_path / name))


def test_a_missing_file_and_an_unknown_parameter(db: Database, tmp_path: Path) -> None:
    with pytest.raises(TableFileError, match="No such file"):
        db.create_tables(tmp_path / "nowhere.json")
    path = write(tmp_path, "template.yaml", TEMPLATE)
    with pytest.raises(TableFileError, match="the template has no parameter Stages"):
        db.create_tables(path, {"Stages": "prod"})


def test_yaml_needs_pyyaml(db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "yaml", None)
    monkeypatch.delitem(sys.modules, "partita.local.template_yaml", raising=False)
    with pytest.raises(TableFileError, match="reading YAML needs PyYAML"):
        db.create_tables(write(tmp_path, "template.yaml", dedent(TEMPLATE)))
