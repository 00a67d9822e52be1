"""Section 19: time to live, as a setting of a table."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from typing import Any

from tests.facts.answers import length_at_most, null
from tests.facts.requests import N, call, get, item, key, put
from tests.facts.shapes import PLAIN, table
from tests.facts.table import Advance, Await, Request, Step, case, fact, later, section

TWICE = "Time to live has been modified multiple times within a fixed interval"
HOUR = 3600


def change(attribute: Any, enabled: bool, table: str = PLAIN) -> Request:
    return call(
        "UpdateTimeToLive",
        table=table,
        TimeToLiveSpecification={"AttributeName": attribute, "Enabled": enabled},
    )


def changed(attribute: str, enabled: bool) -> Step:
    return change(attribute, enabled).gives(
        {"TimeToLiveSpecification": {"AttributeName": attribute, "Enabled": enabled}}
    )


def described(status: Any, attribute: str | None = None) -> Step:
    description = {"TimeToLiveStatus": status}
    if attribute is not None:
        description["AttributeName"] = attribute
    return call("DescribeTimeToLive", table=PLAIN).gives({"TimeToLiveDescription": description})


SECTION = section(
    19,
    "TTL",
    fact(
        "19.1",
        "A",
        "DescribeTimeToLive by default: TimeToLiveStatus DISABLED with no AttributeName.",
        call("DescribeTimeToLive", table=PLAIN).gives(
            {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}
        ),
    ),
    fact(
        "19.2",
        "A",
        "UpdateTimeToLive echoes TimeToLiveSpecification.",
        change("ttl", True).gives({"TimeToLiveSpecification": {"AttributeName": "ttl", "Enabled": True}}),
        case(
            changed("ttl", True),
            Advance(2 * HOUR),
            described("ENABLED", "ttl"),
            changed("ttl", False),
            Advance(2 * HOUR),
            described("DISABLED"),
        ),
    ),
    fact(
        "19.3",
        "A",
        "Enabling again: ValidationException `TimeToLive is already enabled`; disabling when off: `TimeToLive is already disabled`.",
        case(
            changed("ttl", True),
            Advance(2 * HOUR),
            change("ttl", True).fails("TimeToLive is already enabled"),
        ),
        change("ttl", False).fails("TimeToLive is already disabled"),
    ),
    fact(
        "19.4",
        "A",
        "DescribeTimeToLive on a table in creation: `Cannot describe time to live while table is in CREATING state: Current table state is CREATING`.",
        case(
            call("CreateTable", **table("made", "pk", None, {"pk": "S"})).succeeds(),
            call("DescribeTimeToLive", table="made").fails(
                "Cannot describe time to live while table is in CREATING state: Current table state is CREATING"
            ),
            Await("made"),
            call("DescribeTimeToLive", table="made").gives(
                {"TimeToLiveDescription": {"TimeToLiveStatus": "DISABLED"}}
            ),
            profile="aws",
        ),
    ),
    fact(
        "19.5",
        "A",
        "After a change no further one is taken for about 30 minutes; nothing in DescribeTimeToLive shows this.",
        case(
            changed("ttl", True),
            Advance(25 * 60),
            change("ttl", False).fails(TWICE),
            described("ENABLED", "ttl"),
            Advance(10 * 60),
            changed("ttl", False),
            Advance(60),
            change("ttl", True).fails(TWICE),
        ),
    ),
    fact(
        "19.6",
        "A",
        "Changing it twice in short time: `Time to live has been modified multiple times within a fixed interval`.",
        case(
            changed("ttl", True),
            change("ttl", False).fails(
                "Time to live has been modified multiple times within a fixed interval"
            ),
        ),
    ),
    fact(
        "19.7",
        "A for the path, the rest I",
        "AttributeName is 1 to 255 characters; empty: `1 validation error detected: Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1`; missing: the null form of it (2.3).",
        change("", True).detects(
            "Value '' at 'timeToLiveSpecification.attributeName' failed to satisfy constraint: Member must have length greater than or equal to 1"
        ),
        change("n" * 256, True).detects(
            length_at_most("n" * 256, "timeToLiveSpecification.attributeName", 255)
        ),
        call("UpdateTimeToLive", table=PLAIN, TimeToLiveSpecification={"Enabled": True}).detects(
            null("timeToLiveSpecification.attributeName")
        ),
        changed("n" * 255, True),
    ),
    later(
        "19.8",
        "D",
        "Only N values holding epoch seconds count; other types are ignored; values more than five years in the past are ignored.",
    ),
    later("19.9", "D", "Expired items remain readable until removed, usually within a few days."),
    fact(
        "19.10",
        "A",
        "The table need not have the attribute; it may even be a key.",
        changed("pk", True),
        case(
            put(item("a", other=N("1"))).gives({}),
            changed("ttl", True),
            get(key("a")).gives({"Item": item("a", other=N("1"))}),
        ),
    ),
    fact(
        "19.11",
        "A",
        "Enabling on another attribute while enabled: `TimeToLive is active on a different AttributeName: current AttributeName is ttl`.",
        case(
            changed("ttl", True),
            Advance(2 * HOUR),
            change("other", True).fails(
                "TimeToLive is active on a different AttributeName: current AttributeName is ttl"
            ),
        ),
    ),
    fact(
        "19.12",
        "A, Oct 2026",
        "A table that has just been created is not known yet to UpdateTimeToLive (`Requested resource not found: Table: X not found`) and to DescribeContinuousBackups (TableNotFoundException `Table not found: X`). What is wrong with a change (19.3, 19.11) comes before that it is too soon (19.6).",
        case(
            call("CreateTable", **table("made", "pk", None, {"pk": "S"})).succeeds(),
            change("ttl", True, "made").fails(
                "Requested resource not found: Table: made not found", "ResourceNotFoundException"
            ),
            call("DescribeContinuousBackups", table="made").fails(
                "Table not found: made", "TableNotFoundException"
            ),
            Await("made"),
            change("ttl", True, "made").succeeds(),
            change("ttl", True, "made").fails("TimeToLive is already enabled"),
            change("x", True, "made").fails(
                "TimeToLive is active on a different AttributeName: current AttributeName is ttl"
            ),
            change("ttl", False, "made").fails(
                "Time to live has been modified multiple times within a fixed interval"
            ),
            profile="aws",
        ),
    ),
)
