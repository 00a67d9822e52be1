"""Section 13: transactions."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from tests.facts.answers import any_text, items, length_at_least, matching, not_in, null, reasons, success
from tests.facts.descriptions import arn
from tests.facts.requests import (
    N,
    S,
    delete,
    get,
    item,
    key,
    put,
    scan,
    transact_get,
    transact_write,
    tx_check,
    tx_delete,
    tx_get,
    tx_put,
    tx_update,
    update,
)
from tests.facts.shapes import ABSENT, INDEXED, PAIRS, PLAIN
from tests.facts.table import Advance, Begin, Finish, case, fact, section

FAILED = ("ConditionalCheckFailed", "The conditional request failed")
CONFLICT = ("TransactionConflict", "Transaction is ongoing for the item")
INVALID = "One or more parameter values were invalid: "
MISSING_ATTRIBUTE = "The provided expression refers to an attribute that does not exist in the item"
WRONG_TYPE = "An operand in the update expression has an incorrect data type"
SIZE = 400_000
BIG = S("x" * (SIZE - 10))
ONE = {":n": N("1")}
COUNT_UP = tx_update(key("a"), "ADD n :n", values=ONE)

SECTION = section(
    13,
    "Transactions",
    fact(
        "13.1",
        "A",
        "Empty: `1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1`; since Oct 2026 three regions give the generic form `1 validation error detected: Value at 'TransactItems' failed to satisfy constraint: Member must have length greater than or equal to 1`. Accept the first.",
        transact_write().detects(
            "Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1"
        ),
        transact_get().detects(length_at_least("[]", "transactItems", 1)),
    ),
    fact(
        "13.2",
        "A",
        "Over 100: `1 validation error detected: Value '[<dump>]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100` (generic form in the regions of 13.1: `Value at 'TransactItems' …`). The dump cannot be reproduced: tests match everything but it.",
        *(
            request.fails(
                matching(
                    r"1 validation error detected: Value '\[.+\]' at 'transactItems' failed to satisfy constraint: "
                    r"Member must have length less than or equal to 100"
                )
            )
            for request in (
                transact_write(*(tx_put(key(str(i))) for i in range(101))),
                transact_get(*(tx_get(key(str(i))) for i in range(101))),
            )
        ),
        transact_write(*(tx_put(key(str(i))) for i in range(100))).gives({}),
        transact_get(*(tx_get(key(str(i))) for i in range(100))).gives({"Responses": [{}] * 100}),
    ),
    fact(
        "13.3",
        "A",
        "Two operations on one item: ValidationException `Transaction request cannot include multiple operations on one item`.",
        transact_write(tx_put(key("a")), tx_delete(key("a"))).fails(
            "Transaction request cannot include multiple operations on one item"
        ),
        transact_write(
            tx_check(key("a"), "attribute_exists(pk)"), tx_put(key("b")), tx_update(key("a"), "REMOVE c")
        ).fails("Transaction request cannot include multiple operations on one item"),
        transact_get(tx_get(key("a")), tx_get(key("a"))).fails(
            "Transaction request cannot include multiple operations on one item"
        ),
        transact_write(tx_put(key("a")), tx_delete(key("a"), arn(PLAIN))).fails(
            "Transaction request cannot include multiple operations on one item"
        ),
        transact_get(tx_get(key("a"), arn(PLAIN)), tx_get(key("a"))).fails(
            "Transaction request cannot include multiple operations on one item"
        ),
    ),
    fact(
        "13.4",
        "A",
        "Cancel message: `Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]`.",
        case(
            transact_write(tx_put(key("a")), tx_check(key("b"), "attribute_exists(pk)")).fails(
                "Transaction cancelled, please refer cancellation reasons for specific reasons [None, ConditionalCheckFailed]",
                "TransactionCanceledException",
                CancellationReasons=[
                    {"Code": "None"},
                    {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"},
                ],
            ),
            get(key("a")).gives({}),
        ),
    ),
    fact(
        "13.5",
        "A",
        'Reasons are by position, one per item; a good item has `Code: "None"` and no Message.',
        transact_write(
            tx_check(key("a"), "attribute_exists(pk)"),
            tx_put(key("b")),
            tx_update(key("c"), "SET v = :n", condition="attribute_exists(pk)", values=ONE),
            tx_delete(key("d")),
            tx_delete(key("e"), condition="attribute_exists(pk)"),
        ).answers(reasons(FAILED, "None", FAILED, "None", FAILED)),
    ),
    fact(
        "13.6",
        "A",
        "ConditionalCheckFailed reason message: `The conditional request failed`.",
        *(
            transact_write(action).answers(
                reasons(("ConditionalCheckFailed", "The conditional request failed"))
            )
            for action in (
                tx_put(key("a"), condition="attribute_exists(pk)"),
                tx_update(key("a"), "REMOVE v", condition="attribute_exists(pk)"),
                tx_delete(key("a"), condition="attribute_exists(pk)"),
                tx_check(key("a"), "attribute_exists(pk)"),
            )
        ),
    ),
    fact(
        "13.7",
        "A",
        "Action-level data errors surface as Code `ValidationError` within TransactionCanceledException: wrong or missing key attribute, key too long, index key type mismatch, reference to a missing attribute, wrong operand type.",
        *(
            transact_write(action).answers(reasons({"Code": "ValidationError", "Message": any_text()}))
            for action in (
                tx_put({"pk": N("1")}),
                tx_put({"v": S("a")}),
                tx_put(key("a"), PAIRS),
                tx_update({"pk": N("1")}, "REMOVE v"),
                tx_delete({"other": S("a")}),
                tx_check(key("a", "b"), "attribute_exists(pk)"),
            )
        ),
        transact_write(tx_put(key("a" * 2049))).answers(
            reasons(
                (
                    "ValidationError",
                    INVALID + "Size of hashkey has exceeded the maximum size limit of2048 bytes",
                )
            )
        ),
        transact_write(tx_put(item("a", "b", hn=S("x")), INDEXED)).answers(
            reasons(
                (
                    "ValidationError",
                    INVALID + "Type mismatch for Index Key hn Expected: N Actual: S IndexName: h_n",
                )
            )
        ),
        transact_write(tx_update(key("a"), "SET a = b")).answers(
            reasons(("ValidationError", MISSING_ATTRIBUTE))
        ),
        case(
            put(item("a", n=S("x"))).gives({}),
            transact_write(tx_put(key("b")), COUNT_UP).answers(
                reasons("None", ("ValidationError", WRONG_TYPE))
            ),
            get(key("b")).gives({}),
        ),
        case(
            put(item("a", f=S("x" * 300_000))).gives({}),
            transact_write(tx_update(key("a"), "SET g = :g", values={":g": S("x" * 200_000)})).answers(
                reasons(("ValidationError", "Item size to update has exceeded the maximum allowed size"))
            ),
        ),
        transact_get(tx_get(key("a")), tx_get({"pk": N("1")})).answers(
            reasons("None", {"Code": "ValidationError", "Message": any_text()})
        ),
    ),
    fact(
        "13.8",
        "A",
        "Only the first ValidationError is found; the other positions say None, and no conditions are evaluated.",
        transact_write(
            tx_check(key("a"), "attribute_exists(pk)"),
            tx_update(key("b"), "SET a = b"),
            tx_update(key("c"), "SET a = b"),
            tx_put(key("d"), condition="attribute_exists(pk)"),
        ).answers(reasons("None", ("ValidationError", MISSING_ATTRIBUTE), "None", "None")),
    ),
    fact(
        "13.9",
        "A",
        "Top-level ValidationException instead: empty-string keys, expression syntax, undefined or unused placeholders, oversize Put, ConditionCheck without ConditionExpression, bad enum.",
        transact_write(tx_put(key(""))).fails(
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
        ),
        transact_get(tx_get(key(""))).fails(
            "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: pk"
        ),
        transact_write(tx_put(key("a"), condition="a-b")).fails(
            'Invalid ConditionExpression: Syntax error; token: "-", near: "a-b"'
        ),
        transact_write(tx_put(key("a"), condition="#a = :v", values={":v": S("x")})).fails(
            "Invalid ConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #a"
        ),
        transact_write(tx_update(key("a"), "SET a = :v")).fails(
            "Invalid UpdateExpression: An expression attribute value used in expression is not defined; attribute value: :v"
        ),
        transact_write(tx_update(key("a"), "REMOVE a", names={"#a": "a"})).fails(
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a}"
        ),
        transact_write(tx_put(item("a", f=S("x" * 409_600)))).fails(
            "Item size has exceeded the maximum allowed size"
        ),
        transact_write(tx_check(key("a"))).detects(
            null("transactItems.1.member.conditionCheck.conditionExpression")
        ),
        transact_write(tx_put(key("a")), capacity="x").detects(
            not_in("x", "returnConsumedCapacity", "INDEXES, TOTAL, NONE")
        ),
    ),
    fact(
        "13.10",
        "A",
        "A missing table is top-level ResourceNotFoundException.",
        case(
            transact_write(tx_put(key("a")), tx_put(key("a"), ABSENT)).fails(
                "Requested resource not found", "ResourceNotFoundException"
            ),
            get(key("a")).gives({}),
        ),
        transact_get(tx_get(key("a")), tx_get(key("a"), ABSENT)).fails(
            "Requested resource not found", "ResourceNotFoundException"
        ),
    ),
    fact(
        "13.11",
        "D",
        "Conflict reason: Code `TransactionConflict`, message `Transaction is ongoing for the item`.",
        case(
            put(item("a", v=S("old"))).gives({}),
            Begin("first", transact_write(tx_update(key("a"), "SET v = :v", values={":v": S("new")}))),
            transact_write(tx_put(key("b")), tx_put(key("a"))).answers(
                reasons("None", ("TransactionConflict", "Transaction is ongoing for the item"))
            ),
            transact_get(tx_get(key("b")), tx_get(key("a"))).answers(reasons("None", CONFLICT)),
            Finish("first", success({})),
            get(key("b"), ConsistentRead=True).gives({}),
            get(key("a"), ConsistentRead=True).gives({"Item": item("a", v=S("new"))}),
            profile="aws",
        ),
    ),
    fact(
        "13.12",
        "D",
        "Other reason codes: ItemCollectionSizeLimitExceeded (`Collection size exceeded.`), ProvisionedThroughputExceeded, ThrottlingError, ValidationError.",
        reason="They need a collection of 10 GB or throttling; ValidationError is shown by 13.7.",
    ),
    fact(
        "13.13",
        "",
        "A single write hitting a running transaction gets TransactionConflictException (D) `Transaction is ongoing for the item` (I).",
        case(
            put(item("a", v=S("old"))).gives({}),
            Begin("running", transact_write(tx_update(key("a"), "SET v = :v", values={":v": S("new")}))),
            *(
                request.fails("Transaction is ongoing for the item", "TransactionConflictException")
                for request in (put(key("a")), delete(key("a")), update(key("a"), "REMOVE v"))
            ),
            put(key("b")).gives({}),
            Finish("running", success({})),
            get(key("a"), ConsistentRead=True).gives({"Item": item("a", v=S("new"))}),
            profile="aws",
        ),
    ),
    fact(
        "13.14",
        "A",
        "Total payload is limited to 4 MB; it counts what the request carries, not the items deleted.",
        case(
            transact_write(*(tx_put(item(str(i), f=BIG)) for i in range(11))).fails(any_text()),
            transact_write(*(tx_put(item(str(i), f=BIG)) for i in range(10))).gives({}),
            put(item("10", f=BIG)).gives({}),
            transact_get(*(tx_get(key(str(i))) for i in range(11))).fails(any_text()),
            transact_get(*(tx_get(key(str(i)), projection="pk") for i in range(11))).fails(any_text()),
            transact_get(*(tx_get(key(str(i)), projection="pk") for i in range(10))).gives(
                {"Responses": [{"Item": key(str(i))} for i in range(10)]}
            ),
            transact_write(*(tx_delete(key(str(i))) for i in range(11))).gives({}),
            scan().gives(items()),
        ),
    ),
    fact(
        "13.15",
        "D",
        "All conditions are evaluated against the state before the transaction; all or nothing.",
        case(
            put(item("a", n=N("1"))).gives({}),
            put(item("b", n=N("2"))).gives({}),
            transact_write(
                tx_update(
                    key("a"), "SET n = :two", condition="n = :one", values={":one": N("1"), ":two": N("2")}
                ),
                tx_update(
                    key("b"), "SET n = :one", condition="n = :two", values={":one": N("1"), ":two": N("2")}
                ),
                tx_check(key("c"), "attribute_not_exists(pk)"),
                tx_put(key("d"), condition="attribute_not_exists(pk)"),
            ).gives({}),
            transact_write(
                tx_delete(key("a")),
                tx_delete(key("b")),
                tx_put(key("c")),
                tx_put(key("d"), condition="attribute_not_exists(pk)"),
            ).answers(reasons("None", "None", "None", FAILED)),
            get(key("a")).gives({"Item": item("a", n=N("2"))}),
            get(key("b")).gives({"Item": item("b", n=N("1"))}),
            get(key("c")).gives({}),
        ),
    ),
    fact(
        "13.16",
        "A",
        "Same ClientRequestToken and same content within 10 minutes: success without a second application.",
        case(
            *([transact_write(COUNT_UP, ClientRequestToken="token").gives({})] * 3),
            get(key("a")).gives({"Item": item("a", n=N("1"))}),
            Advance(599),
            transact_write(COUNT_UP, ClientRequestToken="token").gives({}),
            get(key("a")).gives({"Item": item("a", n=N("1"))}),
            Advance(2),
            transact_write(COUNT_UP, ClientRequestToken="token").gives({}),
            get(key("a")).gives({"Item": item("a", n=N("2"))}),
            transact_write(COUNT_UP, ClientRequestToken="other").gives({}),
            transact_write(COUNT_UP).gives({}),
            transact_write(COUNT_UP).gives({}),
            get(key("a")).gives({"Item": item("a", n=N("5"))}),
        ),
    ),
    fact(
        "13.17",
        "",
        "Same token with other content: IdempotentParameterMismatchException. (A) Text not captured by any source; key `Message` (M).",
        case(
            transact_write(tx_put(item("a", v=S("1"))), ClientRequestToken="token").gives({}),
            transact_write(tx_put(item("a", v=S("2"))), ClientRequestToken="token").fails(
                any_text(), "IdempotentParameterMismatchException"
            ),
            get(key("a")).gives({"Item": item("a", v=S("1"))}),
        ),
    ),
    fact(
        "13.18",
        "",
        "A transaction element without Put/Update/Delete/ConditionCheck: `Invalid Request: TransactWriteRequest should contain Delete or Put or Update request` (us-east-1, Oct 2026) (A); eu-west-2 already says `1 validation error detected: Value '' at 'transactItems' failed to satisfy constraint: TransactWriteRequest should contain Delete or Put or Update or ConditionCheck` (A). With more than one: `TransactItems can only contain one of Check, Put, Update or Delete` (F).",
        transact_write({}).fails(
            "Invalid Request: TransactWriteRequest should contain Delete or Put or Update request"
        ),
        transact_write(tx_put(key("a")) | tx_delete(key("b"))).fails(
            "TransactItems can only contain one of Check, Put, Update or Delete"
        ),
    ),
    fact(
        "13.19",
        "A",
        "TransactGetItems returns Responses by position; a missing item is `{}`.",
        case(
            put(item("a", v=S("1"), w=S("2"))).gives({}),
            put(item("c", "d"), PAIRS).gives({}),
            transact_get(
                tx_get(key("b")), tx_get(key("a"), projection="w"), tx_get(key("c", "d"), PAIRS)
            ).gives({"Responses": [{}, {"Item": {"w": S("2")}}, {"Item": key("c", "d")}]}),
        ),
    ),
    fact(
        "13.20",
        "D",
        "Transactions work across tables in one account and region only.",
        case(
            transact_write(tx_put(item("a", v=S("1"))), tx_put(key("a", "b"), PAIRS)).gives({}),
            transact_get(tx_get(key("a")), tx_get(key("a", "b"), PAIRS)).gives(
                {"Responses": [{"Item": item("a", v=S("1"))}, {"Item": key("a", "b")}]}
            ),
            transact_write(
                tx_delete(key("a")), tx_check(key("a", "b"), "attribute_not_exists(pk)", PAIRS)
            ).answers(reasons("None", FAILED)),
            get(key("a")).gives({"Item": item("a", v=S("1"))}),
        ),
    ),
    fact(
        "13.21",
        "F",
        "A ClientRequestToken whose first request is still running: TransactionInProgressException `Transaction from previous request is still in progress`.",
        case(
            Begin("first", transact_write(tx_put(key("a")), ClientRequestToken="token")),
            transact_write(tx_put(key("a")), ClientRequestToken="token").fails(
                "Transaction from previous request is still in progress", "TransactionInProgressException"
            ),
            Finish("first", success({})),
            profile="aws",
        ),
    ),
    fact(
        "13.22",
        "F",
        "An empty value of an index key refuses a transaction as a whole: top-level ValidationException with the text of 5.14, in an UpdateExpression that of 5.24. Reported of the service in 2026; another type of it cancels (13.7).",
        transact_write(tx_put(key("a")), tx_put(item("a", "b", gk=S("")), INDEXED)).fails(
            "One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: g_r, IndexKey: gk"
        ),
        transact_write(tx_update(key("a", "b"), "SET gk = :v", INDEXED, values={":v": S("")})).fails(
            "One or more parameter values are not valid. The update expression attempted to update a secondary index key to a value that is not supported. The AttributeValue for a key attribute cannot contain an empty string value."
        ),
    ),
)
