"""Requests and attribute values in few words. Tables are those of shapes.py."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Callable
from typing import Any

from tests.facts.shapes import PLAIN
from tests.facts.table import Request

Value = dict[str, Any]
Item = dict[str, Value]

_SHORT = {
    "table": "TableName",
    "values": "ExpressionAttributeValues",
    "names": "ExpressionAttributeNames",
    "condition": "ConditionExpression",
    "filter": "FilterExpression",
    "projection": "ProjectionExpression",
    "capacity": "ReturnConsumedCapacity",
    "index": "IndexName",
    "start": "ExclusiveStartKey",
}
_LEFT_OUT = object()


def _scalar(kind: str) -> Callable[[Any], Value]:
    return lambda content: {kind: content}


def _collection(kind: str) -> Callable[..., Value]:
    return lambda *members: {kind: list(members)}


S, N, BOOL = _scalar("S"), _scalar("N"), _scalar("BOOL")
SS, NS, L = _collection("SS"), _collection("NS"), _collection("L")
NULL: Value = {"NULL": True}


def _base64(content: bytes) -> str:
    return b64encode(content).decode()


def binary(content: bytes) -> Value:
    return {"B": _base64(content)}


def binaries(*members: bytes) -> Value:
    return {"BS": [_base64(member) for member in members]}


def mapping(entries: Item | None = None, **more: Value) -> Value:
    return {"M": {**(entries or {}), **more}}


def nested(levels: int, core: Value | None = None) -> Value:
    """`core` (a string) within that many maps, each with the one key `m`."""
    value = core or S("core")
    for _ in range(levels):
        value = mapping(m=value)
    return value


def key(pk: str, sk: str | None = None) -> Item:
    return {"pk": S(pk)} if sk is None else {"pk": S(pk), "sk": S(sk)}


def item(pk: str, sk: str | None = None, /, **attributes: Value) -> Item:
    return key(pk, sk) | attributes


def call(operation: str, /, **parameters: Any) -> Request:
    """A request; a few parameters have short names (`table`, `values`, `names`, `condition`, …)."""
    return Request(
        operation,
        {_SHORT.get(name, name): value for name, value in parameters.items() if value is not _LEFT_OUT},
    )


def put(item: Any, table: Any = PLAIN, **parameters: Any) -> Request:
    return call("PutItem", table=table, Item=item, **parameters)


def get(key: Any, table: Any = PLAIN, **parameters: Any) -> Request:
    return call("GetItem", table=table, Key=key, **parameters)


def delete(key: Any, table: Any = PLAIN, **parameters: Any) -> Request:
    return call("DeleteItem", table=table, Key=key, **parameters)


def update(key: Any, expression: Any = _LEFT_OUT, table: Any = PLAIN, **parameters: Any) -> Request:
    return call("UpdateItem", table=table, Key=key, UpdateExpression=expression, **parameters)


def query(key_condition: Any = _LEFT_OUT, table: Any = PLAIN, **parameters: Any) -> Request:
    return call("Query", table=table, KeyConditionExpression=key_condition, **parameters)


def scan(table: Any = PLAIN, **parameters: Any) -> Request:
    return call("Scan", table=table, **parameters)


def batch_get(keys: list[Any], table: str = PLAIN, /, **parameters: Any) -> Request:
    """A BatchGetItem of one table; the parameters of the table's entry stand beside `Keys`."""
    outer = {
        _SHORT.get(name, name): parameters.pop(name)
        for name in ("capacity", "ReturnConsumedCapacity")
        if name in parameters
    }
    entry = {_SHORT.get(name, name): value for name, value in parameters.items()}
    return call("BatchGetItem", RequestItems={table: {"Keys": keys, **entry}}, **outer)


def put_request(item: Any) -> dict[str, Any]:
    return {"PutRequest": {"Item": item}}


def delete_request(key: Any) -> dict[str, Any]:
    return {"DeleteRequest": {"Key": key}}


def batch_write(writes: list[Any], table: str = PLAIN, /, **parameters: Any) -> Request:
    return call("BatchWriteItem", RequestItems={table: writes}, **parameters)


def _action(kind: str, table: Any, **parameters: Any) -> dict[str, Any]:
    return {kind: call("", table=table, **parameters).parameters}


def tx_put(item: Any, table: Any = PLAIN, **parameters: Any) -> dict[str, Any]:
    return _action("Put", table, Item=item, **parameters)


def tx_update(key: Any, expression: Any = _LEFT_OUT, table: Any = PLAIN, **parameters: Any) -> dict[str, Any]:
    return _action("Update", table, Key=key, UpdateExpression=expression, **parameters)


def tx_delete(key: Any, table: Any = PLAIN, **parameters: Any) -> dict[str, Any]:
    return _action("Delete", table, Key=key, **parameters)


def tx_check(key: Any, condition: Any = _LEFT_OUT, table: Any = PLAIN, **parameters: Any) -> dict[str, Any]:
    return _action("ConditionCheck", table, Key=key, condition=condition, **parameters)


def tx_get(key: Any, table: Any = PLAIN, **parameters: Any) -> dict[str, Any]:
    return _action("Get", table, Key=key, **parameters)


def transact_write(*actions: Any, **parameters: Any) -> Request:
    return call("TransactWriteItems", TransactItems=list(actions), **parameters)


def transact_get(*gets: Any, **parameters: Any) -> Request:
    return call("TransactGetItems", TransactItems=list(gets), **parameters)


def describe(table: Any) -> Request:
    return call("DescribeTable", table=table)
