"""Tags (section 20), time to live (section 19), limits, endpoints and backups as described."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.tables.harness import ARN, SCOPE, Bench, table

MUSIC = ARN + "music"
VALIDATION = "ValidationException: "
INVALID = VALIDATION + "One or more parameter values were invalid: "


def pairs(**tags: str) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in tags.items()]


@pytest.fixture
def bench() -> Bench:
    bench = Bench()
    bench.call("CreateTable", table())
    return bench


# -- tags
def test_facts_20_8_20_9_and_1_32_tags_come_and_go(bench: Bench) -> None:
    assert bench.call("ListTagsOfResource", {"ResourceArn": MUSIC}) == {"Tags": []}
    bench.call("TagResource", {"ResourceArn": MUSIC, "Tags": pairs(a="1", b="2")})
    bench.call("TagResource", {"ResourceArn": MUSIC, "Tags": pairs(b="3", c="")})
    assert bench.call("ListTagsOfResource", {"ResourceArn": MUSIC}) == {"Tags": pairs(a="1", b="3", c="")}
    bench.call("UntagResource", {"ResourceArn": MUSIC, "TagKeys": ["a", "absent"]})
    bench.start()
    assert bench.call("ListTagsOfResource", {"ResourceArn": MUSIC}) == {"Tags": pairs(b="3", c="")}


BAD_ARNS = [
    ("music", INVALID + "ARNs must start with 'arn:': music"),
    (
        "arn:aws:s3:eu-west-1:000000000000:table/music",
        INVALID
        + "Provided Arn is not a DynamoDB resource arn: arn:aws:s3:eu-west-1:000000000000:table/music",
    ),
    (
        MUSIC + "/index/gsi",
        INVALID + "Invalid resource arn provided, only table or stream is accepted. Provided resource arn: "
        f"{MUSIC}/index/gsi",
    ),
    (
        ARN + "absent",
        f"ResourceNotFoundException: Requested resource not found: ResourcArn: {ARN}absent not found",
    ),
]


@pytest.mark.parametrize(("arn", "expected"), BAD_ARNS)
@pytest.mark.parametrize(
    ("operation", "members"),
    [
        ("ListTagsOfResource", {}),
        ("TagResource", {"Tags": pairs(a="b")}),
        ("UntagResource", {"TagKeys": ["a"]}),
    ],
)
def test_facts_20_6_and_20_7_arns(
    bench: Bench, operation: str, members: dict[str, Any], arn: str, expected: str
) -> None:
    assert bench.error(operation, {"ResourceArn": arn, **members}) == expected


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ([], VALIDATION + "Atleast one Tag needs to be provided as Input."),
        (pairs(**{"a?": "b"}), VALIDATION + "The Tag Key provided is invalid, Key: a?"),
        (pairs(**{"aws:a": "b"}), VALIDATION + "Tag Key cannot be prefixed with aws:, Key: aws:a"),
        (pairs(a="b*"), VALIDATION + "The Tag Value provided is invalid, Value: b*"),
        (
            pairs(**{f"k{n}": "v" for n in range(50)}),
            VALIDATION + "Number of Tags exceed the current limit for the provided ResourceArn",
        ),
    ],
)
def test_facts_20_2_20_4_20_5_and_20_10_bad_tags(
    bench: Bench, tags: list[dict[str, str]], expected: str
) -> None:
    bench.call("TagResource", {"ResourceArn": MUSIC, "Tags": pairs(here="1")})
    assert bench.error("TagResource", {"ResourceArn": MUSIC, "Tags": tags}) == expected
    assert bench.call("ListTagsOfResource", {"ResourceArn": MUSIC}) == {"Tags": pairs(here="1")}


def test_fact_20_1_fifty_tags_of_any_letters(bench: Bench) -> None:
    tags = pairs(**{f"clé {n} +-=._:/@": "größe" for n in range(50)})
    bench.call("TagResource", {"ResourceArn": MUSIC, "Tags": tags})
    assert bench.call("ListTagsOfResource", {"ResourceArn": MUSIC}) == {"Tags": tags}


def test_untagging_needs_a_key(bench: Bench) -> None:
    assert bench.error("UntagResource", {"ResourceArn": MUSIC, "TagKeys": []}) == (
        VALIDATION + "Atleast one Tag Key needs to be provided as Input."
    )


# -- time to live
def expiry(enabled: bool, name: str = "ttl") -> dict[str, Any]:
    return {"TableName": "music", "TimeToLiveSpecification": {"Enabled": enabled, "AttributeName": name}}


def described(bench: Bench) -> Any:
    return bench.call("DescribeTimeToLive", {"TableName": "music"})["TimeToLiveDescription"]


def test_facts_19_1_19_2_and_19_10_expiry_is_described(bench: Bench) -> None:
    assert described(bench) == {"TimeToLiveStatus": "DISABLED"}
    specification = expiry(True, "pk")["TimeToLiveSpecification"]
    assert bench.call("UpdateTimeToLive", expiry(True, "pk")) == {"TimeToLiveSpecification": specification}
    assert described(bench) == {"TimeToLiveStatus": "ENABLED", "AttributeName": "pk"}
    bench.clock.advance(30 * 60)
    bench.call("UpdateTimeToLive", expiry(False, "pk"))
    assert described(bench) == {"TimeToLiveStatus": "DISABLED"}


def test_facts_19_3_19_5_19_6_and_19_11_changes_that_are_refused(bench: Bench) -> None:
    assert bench.error("UpdateTimeToLive", expiry(False)) == VALIDATION + "TimeToLive is already disabled"
    bench.call("UpdateTimeToLive", expiry(True))
    assert bench.error("UpdateTimeToLive", expiry(True)) == VALIDATION + "TimeToLive is already enabled"
    assert bench.error("UpdateTimeToLive", expiry(True, "other")) == (
        VALIDATION + "TimeToLive is active on a different AttributeName: current AttributeName is ttl"
    )
    assert bench.error("UpdateTimeToLive", expiry(False)) == (
        VALIDATION + "Time to live has been modified multiple times within a fixed interval"
    )
    bench.clock.advance(30 * 60)
    bench.call("UpdateTimeToLive", expiry(False))


def test_expiry_changes_in_time_under_other_profiles() -> None:
    bench = Bench(table_transition_ms=50)
    bench.call("CreateTable", table())
    assert bench.error("DescribeTimeToLive", {"TableName": "music"}) == (
        VALIDATION
        + "Cannot describe time to live while table is in CREATING state: Current table state is CREATING"
    )
    bench.clock.advance(0.05)
    bench.call("UpdateTimeToLive", expiry(True))
    assert described(bench) == {"TimeToLiveStatus": "ENABLING", "AttributeName": "ttl"}
    bench.clock.advance(0.05)
    assert described(bench) == {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"}


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (
            "",
            "Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must"
            " have length greater than or equal to 1",
        ),
        (
            None,
            "Value null at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must"
            " not be null",
        ),
    ],
)
def test_fact_19_7_the_attribute_name(bench: Bench, name: str | None, expected: str) -> None:
    request = expiry(True)
    request["TimeToLiveSpecification"]["AttributeName"] = name
    assert bench.error("UpdateTimeToLive", request) == f"{VALIDATION}1 validation error detected: {expected}"


@pytest.mark.parametrize("operation", ["DescribeTimeToLive", "UpdateTimeToLive", "DescribeTable"])
def test_fact_2_26_missing_tables(operation: str) -> None:
    assert Bench().error(
        operation, expiry(True) if operation.startswith("Update") else {"TableName": "music"}
    ) == ("ResourceNotFoundException: Requested resource not found: Table: music not found")


# -- what is the same for everybody
def test_limits_endpoints_and_backups(bench: Bench) -> None:
    assert bench.call("DescribeLimits") == {
        "AccountMaxReadCapacityUnits": 80_000,
        "AccountMaxWriteCapacityUnits": 80_000,
        "TableMaxReadCapacityUnits": 40_000,
        "TableMaxWriteCapacityUnits": 40_000,
    }
    assert bench.call("DescribeEndpoints", {}, SCOPE._replace(region="local")) == {
        "Endpoints": [{"Address": "dynamodb.local.amazonaws.com", "CachePeriodInMinutes": 1440}]
    }
    assert bench.call("DescribeContinuousBackups", {"TableName": "music"}) == {
        "ContinuousBackupsDescription": {
            "ContinuousBackupsStatus": "ENABLED",
            "PointInTimeRecoveryDescription": {"PointInTimeRecoveryStatus": "DISABLED"},
        }
    }
    assert bench.error("DescribeContinuousBackups", {"TableName": "none"}) == (
        "TableNotFoundException: Table not found: none"
    )
