"""Section 2: request validation and its order."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

from collections.abc import Callable
from typing import Any

from tests.facts.answers import (
    constraint,
    error,
    items,
    joined,
    length_at_least,
    length_at_most,
    not_in,
    null,
)
from tests.facts.client import ACCOUNT, REGION
from tests.facts.requests import (
    NULL,
    SS,
    N,
    S,
    batch_get,
    batch_write,
    call,
    delete,
    delete_request,
    describe,
    get,
    item,
    key,
    nested,
    put,
    put_request,
    query,
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
from tests.facts.shapes import ABSENT, PAIRS, PLAIN, SPARSE, definitions, key_schema, secondary_index
from tests.facts.table import Request, Step, case, fact, section

RETURN_VALUES = "ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW"
CAPACITY = "INDEXES, TOTAL, NONE"
METRICS = "SIZE, NONE"
NAME_PATTERN = "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
MAP_KEYS = (
    "Map keys must satisfy constraint: [Member must have length less than or equal to 255, "
    "Member must have length greater than or equal to 3, " + NAME_PATTERN + "]"
)
NOT_FOUND = "Requested resource not found"
LONG = "a" * 256
TOKEN = "t" * 37
KEY_VALUES = {":p": S("a")}

# Each data operation on one table, complete but for the table's name.
ON_ONE_TABLE: dict[str, dict[str, Any]] = {
    "PutItem": {"Item": key("a")},
    "GetItem": {"Key": key("a")},
    "UpdateItem": {"Key": key("a")},
    "DeleteItem": {"Key": key("a")},
    "Query": {"KeyConditionExpression": "pk = :p", "ExpressionAttributeValues": {":p": S("a")}},
    "Scan": {},
}


def create(**changes: object) -> dict[str, object]:
    """A good CreateTable request but for the changes."""
    return {
        "TableName": "made",
        "KeySchema": key_schema(["pk"]),
        "AttributeDefinitions": definitions(pk="S"),
        "BillingMode": "PAY_PER_REQUEST",
    } | changes


def without(request: dict[str, object], member: str) -> dict[str, object]:
    return {name: value for name, value in request.items() if name != member}


EMPTY_VALUE = "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"
REPEATED = "Provided list of item keys contains duplicates"
WRONG_RETURN = "ReturnValues can only be ALL_OLD or NONE"
MIXED = "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}"


def first_faults(request: Callable[..., Request]) -> tuple[Step, ...]:
    """What a PutItem or DeleteItem with several faults is told."""
    bad, good = {"pk": {}}, key("a")
    return (
        request(bad, ABSENT, ConditionExpression="", Expected={}).detects(MIXED),
        request(bad, ABSENT, ConditionExpression="", ReturnValues="ALL_NEW").fails(EMPTY_VALUE),
        request(bad, ABSENT, ConditionExpression="").fails(EMPTY_VALUE),
        request(bad, ABSENT, Expected={"a": {}}).fails(EMPTY_VALUE),
        request(good, ABSENT, ConditionExpression="", Expected={}, ReturnValues="ALL_NEW").detects(MIXED),
        request(good, ABSENT, ConditionExpression="", ReturnValues="ALL_NEW").detects(WRONG_RETURN),
        request(good, ABSENT, Expected={"a": {}}, ReturnValues="ALL_NEW").detects(WRONG_RETURN),
    )


FAULTY: dict[str, Any] = {"pk": {}}
BAD_FILTER = {"a": {"ComparisonOperator": "EQ"}}
BAD_START = "The provided starting key is invalid"
BAD_START_VALUE = f"{BAD_START}: {EMPTY_VALUE}"
BAD_ARGUMENTS = (
    "One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"
)
NO_KEY_CONDITION = (
    "Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."
)
WRONG_TYPE = "One or more parameter values were invalid: Condition parameter type does not match schema type"
REPEATED_NAME = "One or more parameter values were invalid: Duplicate value in attribute name: a"
OUTSIDE = "The provided starting key is outside query boundaries based on provided conditions"


def missed(name: str) -> str:
    return f"Query condition missed key schema element: {name}"


def compared(**conditions: tuple[Any, ...]) -> dict[str, Any]:
    """KeyConditions: operator and values by attribute."""
    return {
        name: {"ComparisonOperator": operator, "AttributeValueList": values}
        for name, (operator, *values) in conditions.items()
    }


SECTION = section(
    2,
    "Request validation and its order",
    fact(
        "2.1",
        "A",
        "Order: JSON/type decoding, then constraint checks (null, length, pattern, enum), then parameter-combination and expression checks, then table existence, then key-against-schema checks, then item state.",
        put(key("a"), 5, ReturnValues="x").fails(
            "NUMBER_VALUE cannot be converted to String", "SerializationException"
        ),
        put(key("a"), ABSENT, ReturnValues="x", condition="").detects(
            not_in("x", "returnValues", RETURN_VALUES)
        ),
        put(key("a"), ABSENT, condition="a-b").detects(
            'Invalid ConditionExpression: Syntax error; token: "-", near: "a-b"'
        ),
        get({"other": S("a")}, ABSENT).fails(NOT_FOUND, "ResourceNotFoundException"),
        delete({"other": S("a")}, condition="attribute_exists(a)").fails(
            "The provided key element does not match the schema"
        ),
        delete(key("a"), condition="attribute_exists(a)").fails(
            "The conditional request failed", "ConditionalCheckFailedException"
        ),
    ),
    fact(
        "2.2",
        "A",
        "Expression syntax errors are reported even when the table does not exist.",
        put(key("a"), ABSENT, condition="a-b").detects(
            'Invalid ConditionExpression: Syntax error; token: "-", near: "a-b"'
        ),
        get(key("a"), ABSENT, projection="a-b").fails(
            'Invalid ProjectionExpression: Syntax error; token: "-", near: "a-b"'
        ),
        update(key("a"), "SET a-b", ABSENT).detects(
            'Invalid UpdateExpression: Syntax error; token: "-", near: "a-b"'
        ),
        query("a-b", ABSENT).fails('Invalid KeyConditionExpression: Syntax error; token: "-", near: "a-b"'),
        scan(ABSENT, filter="a-b").fails('Invalid FilterExpression: Syntax error; token: "-", near: "a-b"'),
    ),
    fact(
        "2.3",
        "A",
        "Missing TableName on a data operation: `1 validation error detected: Value null at 'tableName' failed to satisfy constraint: Member must not be null`.",
        *(call(operation, **more).detects(null("tableName")) for operation, more in ON_ONE_TABLE.items()),
    ),
    fact(
        "2.4",
        "A",
        "Empty TableName on a data operation: `1 validation error detected: Value '' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 1`.",
        *(
            call(operation, TableName="", **more).detects(length_at_least("", "tableName", 1))
            for operation, more in ON_ONE_TABLE.items()
        ),
    ),
    fact(
        "2.5",
        "A",
        "Data operations accept names of 1 and 2 characters at this stage (they then fail as not found) because TableName may be an ARN; CreateTable's minimum is 3. The map keys of BatchGetItem and BatchWriteItem still have minimum 3 (12.13).",
        *(
            call(operation, TableName=name, **more).fails(NOT_FOUND, "ResourceNotFoundException")
            for operation, more in ON_ONE_TABLE.items()
            for name in ("a", "ab")
        ),
        transact_write(tx_put(key("a"), "ab")).fails(NOT_FOUND, "ResourceNotFoundException"),
        call("CreateTable", **create(TableName="ab")).detects(length_at_least("ab", "tableName", 3)),
        batch_get([key("a")], "ab").detects(
            constraint('{"ab":{"Keys":[{"pk":{"S":"a"}}]}}', "requestItems", MAP_KEYS)
        ),
    ),
    fact(
        "2.6",
        "A",
        "CreateTable with a 2-character name: `1 validation error detected: Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3`.",
        call("CreateTable", **create(TableName="ab")).detects(
            "Value 'ab' at 'tableName' failed to satisfy constraint: Member must have length greater than or equal to 3"
        ),
    ),
    fact(
        "2.7",
        "A",
        "CreateTable without TableName: `The parameter 'TableName' is required but was not present in the request`.",
        call("CreateTable", **without(create(), "TableName")).fails(
            "The parameter 'TableName' is required but was not present in the request"
        ),
    ),
    fact(
        "2.8",
        "",
        "Name over 255: `1 validation error detected: Value '<name>' at 'tableName' failed to satisfy constraint: Member must have length less than or equal to 255`. Captured on PutItem (2026) and on CreateTable, GetItem, Query (older) (A). The model now gives TableName a maximum of 1024 (an ARN) on every operation, CreateTable included, and 3 to 255 only for ListTables' ExclusiveStartTableName (M); so use 255 for plain names everywhere and 1024 for values that are ARNs (I).",
        *(
            call(operation, TableName=LONG, **more).detects(length_at_most(LONG, "tableName", 255))
            for operation, more in ON_ONE_TABLE.items()
        ),
        call("CreateTable", **create(TableName=LONG)).detects(length_at_most(LONG, "tableName", 255)),
        get(key("a"), f"arn:aws:dynamodb:{REGION}:{ACCOUNT}:table/" + "a" * 255).fails(
            NOT_FOUND, "ResourceNotFoundException"
        ),
        get(key("a"), "a" * 255).fails(NOT_FOUND, "ResourceNotFoundException"),
    ),
    fact(
        "2.9",
        "A",
        "Bad characters: `1 validation error detected: Value 'bad table!@#' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+`.",
        *(
            call(operation, TableName="bad table!@#", **more).detects(
                "Value 'bad table!@#' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
            )
            for operation, more in ON_ONE_TABLE.items()
        ),
        call("CreateTable", **create(TableName="bad table!@#")).detects(
            constraint("bad table!@#", "tableName", NAME_PATTERN)
        ),
    ),
    fact(
        "2.10",
        "A",
        "Several constraint failures are joined: `2 validation errors detected: <first>; <second>`.",
        put(key("a"), ReturnValues="x", capacity="y").fails(
            joined(
                "2 validation errors detected: ",
                not_in("x", "returnValues", RETURN_VALUES),
                not_in("y", "returnConsumedCapacity", CAPACITY),
            )
        ),
        call("GetItem", TableName=PLAIN, ReturnConsumedCapacity="y").fails(
            joined(
                "2 validation errors detected: ", null("key"), not_in("y", "returnConsumedCapacity", CAPACITY)
            )
        ),
    ),
    fact(
        "2.11",
        "A",
        "A bad TableName is reported by itself; bad enum values in the same request are then not mentioned.",
        put(key("a"), "bad table!@#", ReturnValues="x", capacity="y").detects(
            constraint("bad table!@#", "tableName", NAME_PATTERN)
        ),
        get(key("a"), "", capacity="y").detects(length_at_least("", "tableName", 1)),
        delete(key("a"), LONG, ReturnValues="x").detects(length_at_most(LONG, "tableName", 255)),
    ),
    fact(
        "2.12",
        "A",
        "PutItem and DeleteItem report all bad enum members of one request together; UpdateItem stops at the first, returnValues. BatchWriteItem and TransactWriteItems report both, returnConsumedCapacity before returnItemCollectionMetrics.",
        *(
            request.fails(
                joined(
                    "3 validation errors detected: ",
                    not_in("x", "returnValues", RETURN_VALUES),
                    not_in("y", "returnConsumedCapacity", CAPACITY),
                    not_in("z", "returnItemCollectionMetrics", METRICS),
                )
            )
            for request in (
                put(key("a"), ReturnValues="x", capacity="y", ReturnItemCollectionMetrics="z"),
                delete(key("a"), ReturnValues="x", capacity="y", ReturnItemCollectionMetrics="z"),
            )
        ),
        update(key("a"), ReturnValues="x", capacity="y", ReturnItemCollectionMetrics="z").detects(
            not_in("x", "returnValues", RETURN_VALUES)
        ),
        *(
            request.fails(
                "2 validation errors detected: "
                + not_in("y", "returnConsumedCapacity", CAPACITY)
                + "; "
                + not_in("z", "returnItemCollectionMetrics", METRICS)
            )
            for request in (
                batch_write([put_request(key("a"))], ReturnItemCollectionMetrics="z", capacity="y"),
                transact_write(tx_put(key("a")), ReturnItemCollectionMetrics="z", capacity="y"),
            )
        ),
    ),
    fact(
        "2.13",
        "A",
        "Enum set text for returnConsumedCapacity: `Member must satisfy enum value set: [INDEXES, TOTAL, NONE]`.",
        *(
            call(operation, TableName=PLAIN, ReturnConsumedCapacity="x", **more).detects(
                "Value 'x' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: [INDEXES, TOTAL, NONE]"
            )
            for operation, more in ON_ONE_TABLE.items()
        ),
        batch_get([key("a")], capacity="x").detects(not_in("x", "returnConsumedCapacity", CAPACITY)),
        batch_write([put_request(key("a"))], capacity="x").detects(
            not_in("x", "returnConsumedCapacity", CAPACITY)
        ),
        transact_write(tx_put(key("a")), capacity="x").detects(
            not_in("x", "returnConsumedCapacity", CAPACITY)
        ),
        transact_get(tx_get(key("a")), capacity="x").detects(not_in("x", "returnConsumedCapacity", CAPACITY)),
    ),
    fact(
        "2.14",
        "A",
        "Enum set text for returnItemCollectionMetrics: `[SIZE, NONE]`.",
        *(
            request.detects(
                "Value 'x' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: [SIZE, NONE]"
            )
            for request in (
                put(key("a"), ReturnItemCollectionMetrics="x"),
                update(key("a"), ReturnItemCollectionMetrics="x"),
                delete(key("a"), ReturnItemCollectionMetrics="x"),
                batch_write([put_request(key("a"))], ReturnItemCollectionMetrics="x"),
                transact_write(tx_put(key("a")), ReturnItemCollectionMetrics="x"),
            )
        ),
    ),
    fact(
        "2.15",
        "A",
        "Enum set text for returnValues: `[ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]`.",
        *(
            request.detects(
                "Value 'x' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"
            )
            for request in (
                put(key("a"), ReturnValues="x"),
                update(key("a"), ReturnValues="x"),
                delete(key("a"), ReturnValues="x"),
            )
        ),
    ),
    fact(
        "2.16",
        "A",
        "Enum set text for select: `[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]`.",
        *(
            request.detects(
                "Value 'x' at 'select' failed to satisfy constraint: Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]"
            )
            for request in (scan(Select="x"), query("pk = :p", values={":p": S("a")}, Select="x"))
        ),
    ),
    fact(
        "2.17",
        "A",
        "Enum set text for keyType `[HASH, RANGE]`, attributeType `[B, N, S]`, billingMode `[PROVISIONED, PAY_PER_REQUEST]`, projectionType `[ALL, INCLUDE, KEYS_ONLY]`.",
        call("CreateTable", **create(KeySchema=[{"AttributeName": "pk", "KeyType": "x"}])).detects(
            not_in("x", "keySchema.1.member.keyType", "HASH, RANGE")
        ),
        call("CreateTable", **create(AttributeDefinitions=definitions(pk="x"))).detects(
            not_in("x", "attributeDefinitions.1.member.attributeType", "B, N, S")
        ),
        call("CreateTable", **create(BillingMode="x")).detects(
            not_in("x", "billingMode", "PROVISIONED, PAY_PER_REQUEST")
        ),
        call(
            "CreateTable", **create(GlobalSecondaryIndexes=[secondary_index("g_s", ["pk"], None, "x")])
        ).detects(
            not_in(
                "x", "globalSecondaryIndexes.1.member.projection.projectionType", "ALL, INCLUDE, KEYS_ONLY"
            )
        ),
    ),
    fact(
        "2.18",
        "A",
        "Enum set text for comparisonOperator: `[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]`; conditionalOperator `[OR, AND]`.",
        scan(ScanFilter={"a": {"ComparisonOperator": "x"}}).detects(
            not_in(
                "x",
                "scanFilter.a.member.comparisonOperator",
                "IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS",
            )
        ),
        scan(ConditionalOperator="x").detects(not_in("x", "conditionalOperator", "OR, AND")),
    ),
    fact(
        "2.19",
        "A",
        "Enum set text for tableClass: `[STANDARD, STANDARD_INFREQUENT_ACCESS]`.",
        reason="A wrong TableClass is answered as 15.32 says, which is the newer capture of the same cause.",
    ),
    fact(
        "2.20",
        "A",
        "Member paths in such messages are lower-camel with `.N.member.` and N counting from 1: `keySchema.1.member.keyType`, `attributeDefinitions.1.member.attributeType`; the type of a transaction's action is part of it: `transactItems.2.member.update.tableName`. A second, generic form is being rolled out: the member with a capital, no echoed value, `Value at 'Limit' …`, `Value at 'TransactItems' …`, `Value at 'ClientRequestToken' …`; a fact that shows that form is not a misprint.",
        call(
            "CreateTable",
            **create(
                KeySchema=[
                    {"AttributeName": "pk", "KeyType": "HASH"},
                    {"AttributeName": "sk", "KeyType": "y"},
                ],
                AttributeDefinitions=definitions(pk="S", sk="S"),
            ),
        ).detects(not_in("y", "keySchema.2.member.keyType", "HASH, RANGE")),
        call("CreateTable", **create(AttributeDefinitions=definitions(pk="x"))).detects(
            not_in("x", "attributeDefinitions.1.member.attributeType", "B, N, S")
        ),
        transact_write(tx_put(key("a")), tx_update(key("b"), "REMOVE a", "bad!")).detects(
            constraint("bad!", "transactItems.2.member.update.tableName", NAME_PATTERN)
        ),
        transact_write(tx_delete(key("a"), "bad!")).detects(
            constraint("bad!", "transactItems.1.member.delete.tableName", NAME_PATTERN)
        ),
        transact_write(tx_check(key("a"), "attribute_exists(a)", "bad!")).detects(
            constraint("bad!", "transactItems.1.member.conditionCheck.tableName", NAME_PATTERN)
        ),
        query("pk = :p", values=KEY_VALUES, Limit=0).detects(
            "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
        ),
    ),
    fact(
        "2.21",
        "A",
        "Enum values are case-sensitive (`all_old` fails).",
        put(key("a"), ReturnValues="all_old").detects(not_in("all_old", "returnValues", RETURN_VALUES)),
        scan(capacity="total").detects(not_in("total", "returnConsumedCapacity", CAPACITY)),
    ),
    fact(
        "2.22",
        "A",
        "PutItem or DeleteItem with a legal enum value other than the two allowed: `ReturnValues can only be ALL_OLD or NONE`.",
        *(
            request.detects("ReturnValues can only be ALL_OLD or NONE")
            for value in ("ALL_NEW", "UPDATED_OLD", "UPDATED_NEW")
            for request in (put(key("a"), ReturnValues=value), delete(key("a"), ReturnValues=value))
        ),
        case(
            put(key("a"), ReturnValues="NONE").gives({}),
            delete(key("a"), ReturnValues="ALL_OLD").gives({"Attributes": key("a")}),
        ),
    ),
    fact(
        "2.23",
        "A",
        "Query Limit 0 (generic form of 2.20): `1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1` (capital L, no echoed value).",
        query("pk = :p", values=KEY_VALUES, Limit=0).detects(
            "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
        ),
    ),
    fact(
        "2.24",
        "A",
        "Scan Limit 0 is worded differently: `1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1`.",
        scan(Limit=0).detects(
            "Value '0' at 'limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
        ),
    ),
    fact(
        "2.25",
        "A",
        "Missing table on item operations: ResourceNotFoundException `Requested resource not found`.",
        *(
            call(operation, TableName=ABSENT, **more).fails(NOT_FOUND, "ResourceNotFoundException")
            for operation, more in ON_ONE_TABLE.items()
        ),
        batch_get([key("a")], ABSENT).fails(NOT_FOUND, "ResourceNotFoundException"),
        batch_write([put_request(key("a"))], ABSENT).fails(NOT_FOUND, "ResourceNotFoundException"),
        transact_get(tx_get(key("a"), ABSENT)).fails(NOT_FOUND, "ResourceNotFoundException"),
        transact_write(tx_put(key("a"), ABSENT)).fails(NOT_FOUND, "ResourceNotFoundException"),
    ),
    fact(
        "2.26",
        "A",
        "Missing table on DescribeTable, UpdateTable, DeleteTable, TTL calls: `Requested resource not found: Table: X not found`.",
        *(
            request.fails(
                "Requested resource not found: Table: absent not found", "ResourceNotFoundException"
            )
            for request in (
                describe(ABSENT),
                call("UpdateTable", table=ABSENT, BillingMode="PAY_PER_REQUEST"),
                call("DeleteTable", table=ABSENT),
                call("DescribeTimeToLive", table=ABSENT),
                call(
                    "UpdateTimeToLive",
                    table=ABSENT,
                    TimeToLiveSpecification={"AttributeName": "ttl", "Enabled": True},
                ),
            )
        ),
    ),
    fact(
        "2.27",
        "A",
        "Mixing old and new styles: `Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}`.",
        *(
            request.detects(
                "Can not use both expression and non-expression parameters in the same request: "
                "Non-expression parameters: {Expected} Expression parameters: {ConditionExpression}"
            )
            for request in (
                put(key("a"), Expected={"a": {"Exists": False}}, condition="attribute_exists(a)"),
                delete(key("a"), Expected={"a": {"Exists": False}}, condition="attribute_exists(a)"),
                update(key("a"), Expected={"a": {"Exists": False}}, condition="attribute_exists(a)"),
            )
        ),
        get(key("a"), AttributesToGet=["a"], projection="a").fails(
            "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"
        ),
        update(key("a"), "REMOVE a", AttributeUpdates={"a": {"Action": "DELETE"}}).detects(
            "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {AttributeUpdates} Expression parameters: {UpdateExpression}"
        ),
        batch_get([key("a")], AttributesToGet=["a"], projection="a").fails(
            "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {AttributesToGet} Expression parameters: {ProjectionExpression}"
        ),
        scan(ScanFilter={"a": {"ComparisonOperator": "NULL"}}, filter="attribute_exists(a)").fails(
            "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {ScanFilter} Expression parameters: {FilterExpression}"
        ),
    ),
    fact(
        "2.28",
        "A",
        "Several in one of those brace lists are comma-space separated, in a fixed order, e.g. `Non-expression parameters: {AttributesToGet} Expression parameters: {FilterExpression, KeyConditionExpression}`.",
        query("pk = :p", AttributesToGet=["a"], filter="attribute_exists(a)", values=KEY_VALUES).fails(
            "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {AttributesToGet} Expression parameters: {FilterExpression, KeyConditionExpression}"
        ),
        query("pk = :p", filter="attribute_exists(a)", AttributesToGet=["a"], values=KEY_VALUES).fails(
            "Can not use both expression and non-expression parameters in the same request: "
            "Non-expression parameters: {AttributesToGet} Expression parameters: {FilterExpression, KeyConditionExpression}"
        ),
    ),
    fact(
        "2.29",
        "A",
        "ExpressionAttributeValues without any expression, PutItem/DeleteItem: `ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null`.",
        put(key("a"), values={":v": S("x")}).detects(
            "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null"
        ),
        delete(key("a"), values={":v": S("x")}).detects(
            "ExpressionAttributeValues can only be specified when using expressions: ConditionExpression is null"
        ),
    ),
    fact(
        "2.30",
        "A",
        "Same on UpdateItem: `ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null`.",
        update(key("a"), values={":v": S("x")}).detects(
            "ExpressionAttributeValues can only be specified when using expressions: UpdateExpression and ConditionExpression are null"
        ),
    ),
    fact(
        "2.31",
        "A",
        "Same on Query with KeyConditions: `ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null`.",
        query(
            KeyConditions={"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [S("a")]}},
            values={":v": S("x")},
        ).fails(
            "ExpressionAttributeValues can only be specified when using expressions: FilterExpression and KeyConditionExpression are null"
        ),
    ),
    fact(
        "2.32",
        "A",
        "Same on Scan: `ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null`.",
        scan(values={":v": S("x")}).fails(
            "ExpressionAttributeValues can only be specified when using expressions: FilterExpression is null"
        ),
    ),
    fact(
        "2.33",
        "A",
        "ExpressionAttributeNames without any expression: `ExpressionAttributeNames can only be specified when using expressions` (no suffix).",
        *(
            request.detects("ExpressionAttributeNames can only be specified when using expressions")
            for request in (
                put(key("a"), names={"#a": "a"}),
                update(key("a"), names={"#a": "a"}),
                delete(key("a"), names={"#a": "a"}),
            )
        ),
        *(
            request.fails("ExpressionAttributeNames can only be specified when using expressions")
            for request in (
                get(key("a"), names={"#a": "a"}),
                scan(names={"#a": "a"}),
                batch_get([key("a")], names={"#a": "a"}),
            )
        ),
    ),
    fact(
        "2.34",
        "A",
        "Empty map given: `ExpressionAttributeValues must not be empty` / `ExpressionAttributeNames must not be empty`.",
        put(key("a"), condition="attribute_exists(a)", values={}).detects(
            "ExpressionAttributeValues must not be empty"
        ),
        update(key("a"), "REMOVE a", values={}).detects("ExpressionAttributeValues must not be empty"),
        update(key("a"), "REMOVE a", names={}).detects("ExpressionAttributeNames must not be empty"),
        scan(filter="attribute_exists(a)", values={}).fails("ExpressionAttributeValues must not be empty"),
        scan(filter="attribute_exists(a)", names={}).fails("ExpressionAttributeNames must not be empty"),
        batch_get([key("a")], projection="a", names={}).fails("ExpressionAttributeNames must not be empty"),
        transact_write(tx_put(key("a"), condition="attribute_exists(a)", values={})).fails(
            "ExpressionAttributeValues must not be empty"
        ),
    ),
    fact(
        "2.35",
        "A",
        'A value placeholder without colon: `ExpressionAttributeValues contains invalid key: Syntax error; key: "a"`.',
        scan(filter="a = :a", values={"a": S("x")}).fails(
            'ExpressionAttributeValues contains invalid key: Syntax error; key: "a"'
        ),
        put(key("a"), condition="a = :a", values={"a": S("x")}).detects(
            'ExpressionAttributeValues contains invalid key: Syntax error; key: "a"'
        ),
    ),
    fact(
        "2.36",
        "A",
        "Unused values: `Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}`.",
        update(key("a"), "SET a = :v", values={":v": S("x"), ":unused": S("y")}).detects(
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}"
        ),
        scan(filter="a = :v", values={":v": S("x"), ":unused": S("y")}).fails(
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:unused}"
        ),
    ),
    fact(
        "2.37",
        "A",
        "Unused names: `Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}`.",
        put(key("a"), condition="attribute_exists(a)", names={"#a": "a", "#b": "b"}).detects(
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}"
        ),
        get(key("a"), projection="a, #c", names={"#a": "a", "#b": "b", "#c": "c"}).fails(
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}"
        ),
    ),
    fact(
        "2.38",
        "A",
        "Unused placeholders are found at parse time, even if the condition would fail or short-circuit.",
        put(key("a"), condition="attribute_exists(a)", values={":v": S("x")}).detects(
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}"
        ),
        case(
            put(item("a", n=N("1"))).gives({}),
            delete(
                key("a"),
                condition="n = :one OR #n = :two",
                names={"#n": "n", "#m": "m"},
                values={":one": N("1"), ":two": N("2")},
            ).detects("Value provided in ExpressionAttributeNames unused in expressions: keys: {#m}"),
            get(key("a")).gives({"Item": item("a", n=N("1"))}),
        ),
    ),
    fact(
        "2.39",
        "A",
        "A placeholder used in any one of the request's expressions counts as used.",
        case(
            put(item("a", "1", x=S("x"), y=S("y")), PAIRS).gives({}),
            query(
                "pk = :p",
                PAIRS,
                filter="#x = :x",
                projection="#y",
                names={"#x": "x", "#y": "y"},
                values={":p": S("a"), ":x": S("x")},
            ).gives(items({"y": S("y")})),
            update(
                key("a", "1"),
                "SET z = :z",
                PAIRS,
                condition="#x = :x",
                names={"#x": "x"},
                values={":x": S("x"), ":z": S("z")},
                ReturnValues="UPDATED_NEW",
            ).gives({"Attributes": {"z": S("z")}}),
        ),
    ),
    fact(
        "2.40",
        "A",
        "Duplicates in AttributesToGet: `One or more parameter values were invalid: Duplicate value in attribute name: a`.",
        *(
            request.fails("One or more parameter values were invalid: Duplicate value in attribute name: a")
            for request in (
                get(key("a"), AttributesToGet=["a", "b", "a"]),
                scan(AttributesToGet=["a", "a"]),
                query(
                    KeyConditions={"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [S("a")]}},
                    AttributesToGet=["a", "a"],
                ),
                batch_get([key("a")], AttributesToGet=["a", "a"]),
            )
        ),
    ),
    fact(
        "2.41",
        "A, older capture",
        "Empty AttributesToGet list: `1 validation error detected: Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1` (a constraint failure, so with the prefix on every operation).",
        *(
            request.detects(
                "Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal to 1"
            )
            for request in (
                get(key("a"), AttributesToGet=[]),
                scan(AttributesToGet=[]),
                query(
                    KeyConditions={"pk": {"ComparisonOperator": "EQ", "AttributeValueList": [S("a")]}},
                    AttributesToGet=[],
                ),
            )
        ),
    ),
    fact(
        "2.42",
        "A",
        "TransactWriteItems, TransactGetItems, BatchWriteItem and BatchGetItem check all constraints (enums, lengths, table-name pattern) first and report them in one message; a missing table, duplicate targets and key-schema errors come after. BatchWriteItem alone reports a bad enum without the bad table name beside it.",
        transact_write(tx_put(key("a"), "bad!"), capacity="x").fails(
            joined(
                "2 validation errors detected: ",
                constraint("bad!", "transactItems.1.member.put.tableName", NAME_PATTERN),
                not_in("x", "returnConsumedCapacity", CAPACITY),
            )
        ),
        transact_get(tx_get(key("a"), "bad!"), capacity="x").fails(
            joined(
                "2 validation errors detected: ",
                constraint("bad!", "transactItems.1.member.get.tableName", NAME_PATTERN),
                not_in("x", "returnConsumedCapacity", CAPACITY),
            )
        ),
        batch_get([key("a")], "bad!", capacity="x").fails(
            joined(
                "2 validation errors detected: ",
                constraint('{"bad!":{"Keys":[{"pk":{"S":"a"}}]}}', "requestItems", MAP_KEYS),
                not_in("x", "returnConsumedCapacity", CAPACITY),
            )
        ),
        batch_write([put_request(key("a"))], "bad!", capacity="x").detects(
            not_in("x", "returnConsumedCapacity", CAPACITY)
        ),
        transact_write(tx_put(key("a"), ABSENT), tx_put({"wrong": S("a")}), capacity="x").detects(
            not_in("x", "returnConsumedCapacity", CAPACITY)
        ),
        transact_write(tx_put(key("a")), tx_delete(key("a")), capacity="x").detects(
            not_in("x", "returnConsumedCapacity", CAPACITY)
        ),
        transact_get(tx_get(key("a"), ABSENT), capacity="x").detects(
            not_in("x", "returnConsumedCapacity", CAPACITY)
        ),
        batch_get([key("a"), key("a")], ABSENT, capacity="x").detects(
            not_in("x", "returnConsumedCapacity", CAPACITY)
        ),
        batch_write([delete_request(key("a")), delete_request(key("a"))], ABSENT, capacity="x").detects(
            not_in("x", "returnConsumedCapacity", CAPACITY)
        ),
    ),
    fact(
        "2.43",
        "A",
        "In a transaction, malformed expressions, unused values and too deep items are found before tables are looked up and before any action runs; between two bad actions the first in request order is reported.",
        transact_write(tx_put(key("a"), ABSENT, condition="a-b")).fails(
            'Invalid ConditionExpression: Syntax error; token: "-", near: "a-b"'
        ),
        transact_write(
            tx_put(key("a"), ABSENT), tx_update(key("b"), "REMOVE a", values={":v": S("x")})
        ).fails("Value provided in ExpressionAttributeValues unused in expressions: keys: {:v}"),
        transact_write(tx_put(key("a"), ABSENT), tx_put(item("b", deep=nested(32)))).fails(
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit"
        ),
        transact_get(tx_get(key("a"), ABSENT), tx_get(key("b"), projection="a-b")).fails(
            'Invalid ProjectionExpression: Syntax error; token: "-", near: "a-b"'
        ),
        transact_write(tx_put(key("a"), condition="a-b"), tx_put(key("b"), condition="c-d")).fails(
            'Invalid ConditionExpression: Syntax error; token: "-", near: "a-b"'
        ),
        transact_write(tx_put(item("a", s=SS("x", "x"))), tx_put(key("b"), condition="c-d")).fails(
            "One or more parameter values were invalid: Input collection [x, x] contains duplicates."
        ),
        transact_write(tx_put(key("b"), condition="c-d"), tx_put(item("a", s=SS("x", "x")))).fails(
            'Invalid ConditionExpression: Syntax error; token: "-", near: "c-d"'
        ),
        case(
            put(key("c")).gives({}),
            transact_write(
                tx_update(key("c"), "SET a = :v", values={":v": S("x")}),
                tx_check(key("d"), "foo", values={":v": NULL}),
            ).fails('Invalid ConditionExpression: Syntax error; token: "<EOF>", near: "foo"'),
            get(key("c")).gives({"Item": key("c")}),
        ),
    ),
    fact(
        "2.44",
        "A",
        "ClientRequestToken over 36 characters is reported first: `Value '<token>' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal to 36` (generic form of 2.20 in eu-west-2, then alone).",
        transact_write(tx_put(key("a")), ClientRequestToken=TOKEN).detects(
            length_at_most(TOKEN, "clientRequestToken", 36)
        ),
        transact_write(tx_put(key("a")), ClientRequestToken=TOKEN, capacity="x").fails(
            "2 validation errors detected: "
            + length_at_most(TOKEN, "clientRequestToken", 36)
            + "; "
            + not_in("x", "returnConsumedCapacity", CAPACITY)
        ),
    ),
    fact(
        "2.45",
        "I",
        "Where a fact gives an echoing and a generic form (2.20), use the one printed first; a test that must also hold on AWS accepts exactly these two.",
        transact_write().detects(length_at_least("[]", "transactItems", 1)),
        call("BatchGetItem", RequestItems={}).answers(
            error("ValidationException", "The requestItems parameter is required for BatchGetItem")
        ),
    ),
    fact(
        "2.46",
        "F",
        "Of several faults in one request on items: first which parameters may stand together (2.27–2.33), then the values of the item or key, then (PutItem, DeleteItem) ReturnValues (2.22), then (PutItem) the item's size, then the legacy parameters, then the expressions with their names and values. BatchGetItem, table by table: parameters, values, one key given twice (12.5), AttributesToGet, expressions; then the tables are looked up. So has it another implementation that was written against the service. Each action of a transaction has the order of the operation that is named like it, and is judged whole before the next one (I).",
        *(step for request in (put, delete) for step in first_faults(request)),
        *(
            put(key("a") | {"v": S("x" * 409_600)}, ABSENT, **more).fails(
                "Item size has exceeded the maximum allowed size"
            )
            for more in ({"ConditionExpression": ""}, {"Expected": {"a": {}}})
        ),
        put(key("a") | {"v": S("x" * 409_600)}, ABSENT, ReturnValues="ALL_NEW").detects(WRONG_RETURN),
        update({"pk": {}}, "", ABSENT).fails(EMPTY_VALUE),
        update({"pk": {}}, None, ABSENT, AttributeUpdates={"a": {}}).fails(EMPTY_VALUE),
        update({"pk": {}}, None, ABSENT, AttributeUpdates={"a": {}}, ConditionExpression="").detects(
            "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributeUpdates} Expression parameters: {ConditionExpression}"
        ),
        get({"pk": {}}, ABSENT, projection="").fails(EMPTY_VALUE),
        get({"pk": {}}, ABSENT, AttributesToGet=["a", "a"]).fails(EMPTY_VALUE),
        *(
            batch_get(keys, ABSENT, **more).fails(text)
            for keys, more, text in (
                ([{"pk": {}}], {"ProjectionExpression": ""}, EMPTY_VALUE),
                ([{"pk": {}}, key("a"), key("a")], {"AttributesToGet": ["a", "a"]}, EMPTY_VALUE),
                ([key("a"), key("a")], {"ProjectionExpression": ""}, REPEATED),
                ([key("a"), key("a")], {"AttributesToGet": ["a", "a"]}, REPEATED),
                ([key("a"), key("a")], {}, REPEATED),
                ([{"n": N("1")}, {"n": N("1.0")}], {}, REPEATED),
            )
        ),
        batch_get([{"other": S("a")}, {"other": S("a")}]).fails(REPEATED),
        *(
            transact_write(action({"pk": {}}, ABSENT, ConditionExpression="")).fails(EMPTY_VALUE)
            for action in (tx_put, tx_delete, tx_check)
        ),
        transact_write(tx_update({"pk": {}}, "", ABSENT)).fails(EMPTY_VALUE),
        transact_write(tx_put(key("a") | {"v": S("x" * 409_600)}, ABSENT, ConditionExpression="")).fails(
            "Item size has exceeded the maximum allowed size"
        ),
        transact_get(tx_get({"pk": {}}, ABSENT, projection="")).fails(EMPTY_VALUE),
        transact_get(tx_get(key("a"), ABSENT, projection=""), tx_get({"pk": {}})).fails(
            "Invalid ProjectionExpression: The expression can not be empty;"
        ),
    ),
    fact(
        "2.47",
        "F",
        "Of several faults in one Query or Scan: which parameters may stand together (2.27–2.33); a Query's QueryFilter, AttributesToGet, a Scan's ScanFilter; the values of ExclusiveStartKey (11.47); a Query without any key condition (11.13), the segments of a Scan (11.36, 11.37, 11.44); the expressions with their names and values; KeyConditions; the number of key conditions (11.10, with an IndexName only after the table (I)). Then the table is looked up, and there follow the index (11.25, 11.26); the shape of the start key (11.24); the key conditions, first the hash key's, then the range key's, each of them missing (11.1, 11.2), not indexable (22.11), of another type (11.9), the hash key's not by equality (11.3); the start key against the conditions (11.48, 11.22); the filter (11.14); ALL_ATTRIBUTES (11.32). A Scan of an unknown index with a start key has the text of 11.24. So has it another implementation that was written against the service. Select (11.28–11.31) comes directly before the table (I).",
        query("", ABSENT, start=FAULTY, AttributesToGet=["a", "a"]).fails(
            "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {AttributesToGet} Expression parameters: {KeyConditionExpression}"
        ),
        query(table=ABSENT, start=FAULTY, AttributesToGet=["a", "a"], QueryFilter=BAD_FILTER).fails(
            BAD_ARGUMENTS
        ),
        query(table=ABSENT, start=FAULTY, AttributesToGet=["a", "a"]).fails(REPEATED_NAME),
        query("", ABSENT, start=FAULTY).fails(BAD_START_VALUE),
        query("", ABSENT, projection="a", Select="COUNT").fails(
            "Invalid KeyConditionExpression: The expression can not be empty;"
        ),
        scan(ABSENT, start=FAULTY, AttributesToGet=["a", "a"], ScanFilter=BAD_FILTER).fails(REPEATED_NAME),
        scan(ABSENT, start=FAULTY, ScanFilter=BAD_FILTER).fails(BAD_ARGUMENTS),
        scan(ABSENT, start=FAULTY, filter="").fails(BAD_START_VALUE),
        *(
            query(table=ABSENT, **more).fails(text)
            for more, text in (
                ({"start": FAULTY}, BAD_START_VALUE),
                ({"QueryFilter": BAD_FILTER}, BAD_ARGUMENTS),
                ({"projection": ""}, NO_KEY_CONDITION),
                (
                    {"filter": "", "KeyConditions": BAD_FILTER},
                    "Invalid FilterExpression: The expression can not be empty;",
                ),
                ({"filter": "a = b", "KeyConditions": BAD_FILTER}, BAD_ARGUMENTS),
                ({"KeyConditions": {}}, "Conditions can be of length 1 or 2 only"),
            )
        ),
        query("a = :p AND b = :p AND c = :p", ABSENT, values=KEY_VALUES).fails(
            "Conditions can be of length 1 or 2 only"
        ),
        query(table=ABSENT, KeyConditions=compared(pk=("NULL",))).fails(
            NOT_FOUND, "ResourceNotFoundException"
        ),
        scan(ABSENT, Segment=1, filter="").fails(
            "The TotalSegments parameter is required but was not present in the request when Segment parameter is present"
        ),
        scan(ABSENT, Segment=1, start=FAULTY).fails(BAD_START_VALUE),
        scan(PAIRS, index="other", start=key("a", "1")).fails(BAD_START),
        *(
            query(condition, PAIRS, values=values, **more).fails(text)
            for condition, values, more, text in (
                ("a = :p", KEY_VALUES, {"start": key("a")}, BAD_START),
                ("a = :p", KEY_VALUES, {"start": key("b", "1")}, missed("pk")),
                ("a = :p AND pk > :n", {":p": S("a"), ":n": N("1")}, {}, WRONG_TYPE),
                ("pk > :p AND a = :n", {":p": S("a"), ":n": N("1")}, {}, "Query key condition not supported"),
                ("pk = :p", KEY_VALUES, {"start": key("b", "1"), "filter": "sk = :p"}, OUTSIDE),
            )
        ),
        query("a = :p AND b = :p", values=KEY_VALUES).fails("Query key condition not supported"),
        query("a = :p", values=KEY_VALUES).fails(missed("pk")),
        query(table=PAIRS, KeyConditions=compared(a=("NULL",))).fails(missed("pk")),
        query(table=PAIRS, KeyConditions=compared(pk=("EQ", S("a")), a=("NULL",))).fails(missed("sk")),
        query(table=PAIRS, KeyConditions=compared(pk=("IN", N("1")))).fails(
            "Attempted conditional constraint is not an indexable operation"
        ),
        query(
            "gk = :p", SPARSE, index="g_keys", values=KEY_VALUES, filter="gk = :p", Select="ALL_ATTRIBUTES"
        ).fails("Filter Expression can only contain non-primary key attributes: Primary key attribute: gk"),
        query(
            "gk = :p",
            SPARSE,
            index="g_keys",
            values=KEY_VALUES,
            start=key("a"),
            Select="ALL_ATTRIBUTES",
        ).fails(BAD_START),
        scan(SPARSE, index="g_keys", start=key("a"), Select="ALL_ATTRIBUTES").fails(BAD_START),
    ),
    fact(
        "2.48",
        "A, June 2026",
        "A Put, Delete or Get of a transaction takes ExpressionAttributeNames and ExpressionAttributeValues without any expression. Where there is an expression, 2.36 and 2.37 hold.",
        case(
            transact_write(
                tx_put(key("a"), names={"#n": "n"}, values={":v": S("x")}),
                tx_delete(key("b"), names={}, values={"v": S("x")}),
            ).gives({}),
            transact_get(tx_get(key("a"), names={"#n": "n"})).gives({"Responses": [{"Item": key("a")}]}),
        ),
        transact_write(tx_put(key("a"), condition="attribute_exists(pk)", names={"#n": "n"})).fails(
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#n}"
        ),
    ),
)
