"""What is answered fits the output shapes of the service model, so that every SDK can read it."""

from __future__ import annotations

from typing import Any

import botocore.session
from botocore.validate import ParamValidator
from tests.engine.tables.harness import ARN, Bench, defined, index, table, units

MODEL = botocore.session.get_session().get_service_model("dynamodb")
REQUESTS: list[tuple[str, dict[str, Any]]] = [
    (
        "CreateTable",
        table(
            "pk",
            "sk",
            BillingMode="PROVISIONED",
            ProvisionedThroughput=units(5, 5),
            AttributeDefinitions=defined("pk", "sk", "gk"),
            GlobalSecondaryIndexes=[index("gsi", "gk", ProvisionedThroughput=units(2, 2))],
            LocalSecondaryIndexes=[
                index("lsi", "pk", "gk", projection={"ProjectionType": "INCLUDE", "NonKeyAttributes": ["a"]})
            ],
            StreamSpecification={"StreamEnabled": True, "StreamViewType": "KEYS_ONLY"},
            SSESpecification={"Enabled": True},
            TableClass="STANDARD",
            Tags=[{"Key": "a", "Value": "b"}],
        ),
    ),
    ("DescribeTable", {"TableName": "music"}),
    ("UpdateTable", {"TableName": "music", "ProvisionedThroughput": units(1, 9)}),
    ("DescribeTable", {"TableName": "music"}),
    ("UpdateTable", {"TableName": "music", "BillingMode": "PAY_PER_REQUEST"}),
    ("UpdateTable", {"TableName": "music", "TableClass": "STANDARD_INFREQUENT_ACCESS"}),
    ("UpdateTable", {"TableName": "music", "OnDemandThroughput": {"MaxReadRequestUnits": 1}}),
    (
        "UpdateTable",
        {
            "TableName": "music",
            "AttributeDefinitions": defined("sk"),
            "GlobalSecondaryIndexUpdates": [{"Create": index("new", "sk")}],
        },
    ),
    ("DescribeTable", {"TableName": "music"}),
    ("ListTables", {"Limit": 1}),
    ("TagResource", {"ResourceArn": ARN + "music", "Tags": [{"Key": "c", "Value": ""}]}),
    ("ListTagsOfResource", {"ResourceArn": ARN + "music"}),
    ("UntagResource", {"ResourceArn": ARN + "music", "TagKeys": ["c"]}),
    (
        "UpdateTimeToLive",
        {"TableName": "music", "TimeToLiveSpecification": {"Enabled": True, "AttributeName": "ttl"}},
    ),
    ("DescribeTimeToLive", {"TableName": "music"}),
    ("DescribeContinuousBackups", {"TableName": "music"}),
    ("DescribeLimits", {}),
    ("DescribeEndpoints", {}),
    ("DeleteTable", {"TableName": "music"}),
]


def unfit(operation: str, answer: dict[str, Any]) -> list[str]:
    """How the answer differs from the model; its least values are the model's for requests."""
    shape = MODEL.operation_model(operation).output_shape
    if shape is None:
        return [] if not answer else [f"{operation} answers nothing"]
    report = ParamValidator().validate(answer, shape).generate_report()
    return [line for line in report.splitlines() if "valid min value" not in line]


def test_answers_fit_the_model() -> None:
    bench = Bench(table_transition_ms=10, index_transition_ms=10)
    for operation, request in REQUESTS:
        assert unfit(operation, bench.call(operation, request)) == []
        assert unfit("DescribeTable", bench.call("DescribeTable", {"TableName": "music"})) == []
        bench.clock.advance(0.02)
        bench.run_due()
        bench.clock.advance(0.02)
