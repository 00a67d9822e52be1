"""Operations that let others run find their table or index gone: an error of the API, never a failure."""

from __future__ import annotations

from typing import Any

import pytest
from tests.engine.tables.harness import SCOPE, Bench, defined, index, table

from partita.errors import DynamoDBError

QUERY = {
    "TableName": "music",
    "KeyConditionExpression": "pk = :p",
    "ExpressionAttributeValues": {":p": {"S": "p"}},
}
WRITE = {"TransactItems": [{"Put": {"TableName": "music", "Item": {"pk": {"S": "p"}, "sk": {"S": "x"}}}}]}


def go_on(bench: Bench, coroutine: Any) -> str:
    """Drives an operation to its end: the error that it raises."""
    try:
        while True:
            wait = coroutine.send(None)
            bench.clock.advance(max(0, wait.until_us - bench.clock.now_us()) / 1_000_000)
    except DynamoDBError as error:
        return f"{error.name}: {error.message}"
    finally:
        bench.engine.flush()


@pytest.mark.parametrize("operation", ["Scan", "Query", "TransactWriteItems", "Scan of an index"])
def test_a_table_or_index_that_goes_meanwhile(operation: str) -> None:
    bench = Bench(transaction_hold_ms=(10, 10))
    bench.call(
        "CreateTable",
        table(
            "pk",
            "sk",
            AttributeDefinitions=defined("pk", "sk"),
            GlobalSecondaryIndexes=[index("idx", "pk")],
        ),
    )
    for n in range(500):
        bench.call("PutItem", {"TableName": "music", "Item": {"pk": {"S": "p"}, "sk": {"S": str(n)}}})
    on_index = operation.endswith("index")
    request = {"Query": QUERY, "TransactWriteItems": WRITE}.get(operation, {"TableName": "music"})
    request = {**request, "IndexName": "idx"} if on_index else request
    coroutine = bench.engine.call(operation.split()[0], request, SCOPE)
    coroutine.send(None)
    if on_index:
        deletion = {"TableName": "music", "GlobalSecondaryIndexUpdates": [{"Delete": {"IndexName": "idx"}}]}
        bench.call("UpdateTable", deletion)
    else:
        bench.call("DeleteTable", {"TableName": "music"})
    bench.run_due(100)
    assert go_on(bench, coroutine) == (
        "ValidationException: The table does not have the specified index: idx"
        if on_index
        else "ResourceNotFoundException: Requested resource not found"
    )
