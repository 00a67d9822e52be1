"""Section 20: tags."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from typing import Any

from tests.facts.answers import any_text, unordered
from tests.facts.client import REGION
from tests.facts.descriptions import arn
from tests.facts.requests import call
from tests.facts.shapes import ABSENT, PLAIN, table
from tests.facts.table import Await, Step, case, fact, section

INVALID = "One or more parameter values were invalid: "
HERE = arn(PLAIN)


def tags(**pairs: str) -> list[dict[str, str]]:
    return [{"Key": key, "Value": value} for key, value in pairs.items()]


def tag(given: list[dict[str, str]], resource: str = HERE) -> Any:
    return call("TagResource", ResourceArn=resource, Tags=given)


def untag(*keys: str) -> Any:
    return call("UntagResource", ResourceArn=HERE, TagKeys=list(keys))


def listed(**pairs: str) -> Step:
    return call("ListTagsOfResource", ResourceArn=HERE).gives({"Tags": unordered(*tags(**pairs))})


def created(given: list[dict[str, str]]) -> Any:
    return call("CreateTable", **(table("made", "pk", None, {"pk": "S"}) | {"Tags": given}))


CHANGES_OF_MADE = (
    call("TagResource", ResourceArn=arn("made"), Tags=tags(b="2")),
    call("UntagResource", ResourceArn=arn("made"), TagKeys=["a"]),
)
IN_USE = "Attempt to change a resource which is still in use: Table is being "
FIFTY = {f"k{i}": "v" for i in range(50)}

SECTION = section(
    20,
    "Tags",
    fact(
        "20.1",
        "D",
        "Up to 50 tags per table; key 1 to 128, value 0 to 256 Unicode characters.",
        case(tag(tags(**FIFTY)).succeeds(), listed(**FIFTY)),
        case(
            tag(tags(**{"k" * 128: "v" * 256, "é": ""})).succeeds(), listed(**{"k" * 128: "v" * 256, "é": ""})
        ),
        tag(tags(**{"k" * 129: "v"})).fails(any_text()),
        tag(tags(k="v" * 257)).fails(any_text()),
    ),
    fact(
        "20.2",
        "A",
        "Empty Tags list: ValidationException `Atleast one Tag needs to be provided as Input.`",
        tag([]).fails("Atleast one Tag needs to be provided as Input."),
    ),
    fact(
        "20.3",
        "A",
        "Bad ARN, older captures only: ValidationException `Invalid TableArn: Invalid ResourceArn provided as input X`, and `Invalid TableArn` without ResourceArn; one older form was AccessDeniedException. 20.6 replaces them.",
        reason="These are texts of older captures, which those of 20.6 replace.",
    ),
    fact(
        "20.4",
        "A",
        "Too many tags: ValidationException (not LimitExceeded) `Number of Tags exceed the current limit for the provided ResourceArn`.",
        tag(tags(**FIFTY, k50="v")).fails(
            "Number of Tags exceed the current limit for the provided ResourceArn"
        ),
        case(
            tag(tags(**FIFTY)).succeeds(),
            tag(tags(k50="v")).fails("Number of Tags exceed the current limit for the provided ResourceArn"),
            tag(tags(k1="new")).succeeds(),
            listed(**FIFTY | {"k1": "new"}),
        ),
    ),
    fact(
        "20.5",
        "A",
        "An invalid key or value character: `The Tag Key provided is invalid, Key: X` / `The Tag Value provided is invalid, Value: X`.",
        tag(tags(**{"a!b": "v"})).fails("The Tag Key provided is invalid, Key: a!b"),
        tag(tags(a="v!w")).fails("The Tag Value provided is invalid, Value: v!w"),
        case(tag(tags(**{"a b_c.d:e/f=g+h-i@j1": "k l_m.n:o/p=q+r-s@t2"})).succeeds()),
    ),
    fact(
        "20.6",
        "A, Oct 2026",
        "Bad ARN, use these: not starting so: `One or more parameter values were invalid: ARNs must start with 'arn:': X`; of another service: `One or more parameter values were invalid: Provided Arn is not a DynamoDB resource arn: X`; of an index: `One or more parameter values were invalid: Invalid resource arn provided, only table or stream is accepted. Provided resource arn: X`.",
        tag(tags(a="b"), PLAIN).fails(INVALID + "ARNs must start with 'arn:': plain"),
        tag(tags(a="b"), "arn:aws:s3:::bucket").fails(
            INVALID + "Provided Arn is not a DynamoDB resource arn: arn:aws:s3:::bucket"
        ),
        tag(tags(a="b"), arn("indexed", "g_s")).fails(
            INVALID
            + f"Invalid resource arn provided, only table or stream is accepted. Provided resource arn: {arn('indexed', 'g_s')}"
        ),
        call("ListTagsOfResource", ResourceArn="plain").fails(INVALID + "ARNs must start with 'arn:': plain"),
        call("UntagResource", ResourceArn="plain", TagKeys=["a"]).fails(
            INVALID + "ARNs must start with 'arn:': plain"
        ),
    ),
    fact(
        "20.7",
        "A",
        "Well-formed ARN of an absent table: ResourceNotFoundException `Requested resource not found: ResourcArn: X not found` (sic).",
        tag(tags(a="b"), arn(ABSENT)).fails(
            f"Requested resource not found: ResourcArn: {arn(ABSENT)} not found", "ResourceNotFoundException"
        ),
        call("ListTagsOfResource", ResourceArn=arn(ABSENT)).fails(
            f"Requested resource not found: ResourcArn: {arn(ABSENT)} not found", "ResourceNotFoundException"
        ),
    ),
    fact(
        "20.8",
        "A, older capture",
        "ListTagsOfResource for a table without tags gives `Tags: []`.",
        call("ListTagsOfResource", ResourceArn=HERE).gives({"Tags": []}),
    ),
    fact(
        "20.9",
        "A",
        "Tagging an existing key overwrites; untagging an absent key is fine.",
        case(
            tag(tags(a="1", b="2")).succeeds(),
            tag(tags(b="3", c="4")).succeeds(),
            listed(a="1", b="3", c="4"),
            untag("a", "absent").succeeds(),
            listed(b="3", c="4"),
        ),
    ),
    fact(
        "20.10",
        "D",
        "Key prefix `aws:` is reserved.",
        tag(tags(**{"aws:mine": "v"})).fails(any_text()),
    ),
    fact(
        "20.11",
        "A",
        "Tags can be given in CreateTable.",
        case(
            call(
                "CreateTable", **(table("made", "pk", None, {"pk": "S"}) | {"Tags": tags(a="1", b="2")})
            ).succeeds(),
            Await("made"),
            call("ListTagsOfResource", ResourceArn=arn("made")).gives(
                {"Tags": unordered(*tags(a="1", b="2"))}
            ),
        ),
    ),
    fact(
        "20.12",
        "A, Jul and Oct 2026",
        "More bad ARNs: of a backup, or of any resource of DynamoDB that is no table's, the text of another service (20.6); of another account AccessDeniedException `Access is denied`, whatever the region; of another region `Invalid TableArn: Invalid ResourceArn provided as input X`; of a stream the text of an absent table (20.7).",
        tag(tags(a="b"), HERE + "/backup/0170").fails(
            INVALID + f"Provided Arn is not a DynamoDB resource arn: {HERE}/backup/0170"
        ),
        tag(tags(a="b"), HERE.replace("table/", "export/")).fails(
            INVALID + f"Provided Arn is not a DynamoDB resource arn: {HERE.replace('table/', 'export/')}"
        ),
        *(
            call(
                "ListTagsOfResource", ResourceArn=f"arn:aws:dynamodb:{region}:999988887777:table/plain"
            ).fails("Access is denied", "AccessDeniedException")
            for region in (REGION, "elsewhere")
        ),
        call("ListTagsOfResource", ResourceArn=HERE.replace(REGION, "elsewhere")).fails(
            f"Invalid TableArn: Invalid ResourceArn provided as input {HERE.replace(REGION, 'elsewhere')}"
        ),
        tag(tags(a="b"), HERE + "/stream/2023-11-14T22:13:20.000").fails(
            f"Requested resource not found: ResourcArn: {HERE}/stream/2023-11-14T22:13:20.000 not found",
            "ResourceNotFoundException",
        ),
    ),
    fact(
        "20.13",
        "A, Oct 2026",
        "More of tags: a key that begins with `aws:` in any case, UntagResource included: `Tag Key cannot be prefixed with aws:, Key: AWS:x`; one key twice: `Duplicate Tag Keys provided as input: Duplicate Tag Key found a`; a tag without its key or value: the texts of 20.5 with `null`; UntagResource of more than 50 keys: the text of 20.4, of none: `Atleast one Tag Key needs to be provided as Input.` A request with one bad tag changes none. ListTagsOfResource takes no notice of a NextToken that it has not given. Changes of tags while the table is being made or deleted are ResourceInUseException.",
        *(
            request.fails(f"Tag Key cannot be prefixed with aws:, Key: {name}")
            for name in ("aws:x", "AWS:x", "aWs:")
            for request in (tag(tags(**{name: "v"})), untag("a", name), created(tags(**{name: "v"})))
        ),
        *(
            request.fails("Duplicate Tag Keys provided as input: Duplicate Tag Key found a")
            for request in (tag(tags(a="1") + tags(a="1")), created(tags(a="1") + tags(b="2", a="3")))
        ),
        tag([{"Value": "v"}]).fails("The Tag Key provided is invalid, Key: null"),
        tag([{"Key": "k"}]).fails("The Tag Value provided is invalid, Value: null"),
        untag(*(f"k{i}" for i in range(51))).fails(
            "Number of Tags exceed the current limit for the provided ResourceArn"
        ),
        untag().fails("Atleast one Tag Key needs to be provided as Input."),
        case(
            tag(tags(good="1", **{"aws:bad": "2"})).fails(
                "Tag Key cannot be prefixed with aws:, Key: aws:bad"
            ),
            listed(),
            tag(tags(**{"myaws:x": "1"})).succeeds(),
            call("ListTagsOfResource", ResourceArn=HERE, NextToken="of nobody").gives(
                {"Tags": tags(**{"myaws:x": "1"})}
            ),
        ),
        case(
            created(tags(a="1")).succeeds(),
            *(
                request.fails(IN_USE + "created: made", "ResourceInUseException")
                for request in CHANGES_OF_MADE
            ),
            Await("made"),
            call("DeleteTable", table="made").succeeds(),
            *(
                request.fails(IN_USE + "deleted: made", "ResourceInUseException")
                for request in CHANGES_OF_MADE
            ),
            profile="aws",
        ),
    ),
)
