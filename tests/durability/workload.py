"""Clients that write: each on items of its own, by all operations, and transfers between accounts of all."""

from __future__ import annotations

import random
from collections.abc import Iterable
from itertools import count
from typing import Any, Final

from .ledger import Items, Ledger, Request
from .tables import ORDERS, PLAIN, Item, Key, wire_key

COLORS: Final = ("red", "green", "blue")
PADDING_BYTES: Final = (0, 0, 0, 40, 40, 300, 1500, 2500, 12_000)
"""Some items are too large for a row of their own."""
ACCOUNTS: Final = 5
BALANCE: Final = 1000
CANCELLED: Final = "TransactionCanceledException"
FAILED: Final = "ConditionalCheckFailedException"


def account(number: int) -> Key:
    return (PLAIN, f"account {number}", "")


def opening() -> Iterable[Request]:
    """What stands in the tables before the clients begin."""
    for number in range(ACCOUNTS):
        item = wire_key(account(number)) | {"balance": {"N": str(BALANCE)}}
        yield Request("PutItem", {"TableName": PLAIN, "Item": item})


def problems_of_accounts(found: Items) -> list[str]:
    """Balances against the records of the transfers, each of which was written with its two updates."""
    balances = [BALANCE] * ACCOUNTS
    for item in found.values():
        if "transferred" in item:
            amount = int(item["transferred"]["N"])
            balances[int(item["from"]["N"])] -= amount
            balances[int(item["to"]["N"])] += amount
    held = [int(found[account(number)]["balance"]["N"]) for number in range(ACCOUNTS)]
    return [] if held == balances else [f"accounts hold {held}, and the transfers make {balances}"]


def is_of(name: str, key: Key) -> bool:
    """Whether an item is the client's."""
    return key[1].startswith(f"{name}/")


class Client:
    """Requests of one connection. Its items are those whose partition key begins with its name."""

    def __init__(self, name: str, ledger: Ledger, chance: random.Random, *, sort_keys: int = 6) -> None:
        self.name = name
        self.ledger = ledger
        self._chance = chance
        self._numbers = count(1)
        self._orders: list[Key] = [
            (ORDERS, f"{name}/{pk}", f"{sk:02}") for pk in range(3) for sk in range(sort_keys)
        ]
        self._plain: list[Key] = [(PLAIN, f"{name}/{pk}", "") for pk in range(6)]

    def next(self) -> Request:
        """The next request; it counts as sent."""
        kinds = {
            self._put: 5,
            self._update: 5,
            self._delete: 3,
            self._batch: 3,
            self._transaction: 4,
            self._transfer: 2,
            self._refused: 1,
            self._refused_transaction: 1,
        }
        kind = self._chance.choices(list(kinds), list(kinds.values()))[0]
        return self.ledger.send(kind(self.ledger.expected))

    # -- items
    def _key(self) -> Key:
        return self._chance.choice(self._orders if self._chance.random() < 0.7 else self._plain)

    def _keys(self, number: int) -> list[Key]:
        return self._chance.sample(self._orders + self._plain, number)

    def _item(self, key: Key) -> Item:
        chance = self._chance
        item: Item = {
            **wire_key(key),
            "owner": {"S": self.name},
            "version": {"N": str(next(self._numbers))},
            "count": {"N": "0"},
            "padding": {"S": "x" * chance.choice(PADDING_BYTES)},
        }
        if chance.random() < 0.8:
            item["color"] = {"S": chance.choice(COLORS)}
        if chance.random() < 0.8:
            item["weight"] = {"N": str(chance.randrange(-5, 20))}
        if chance.random() < 0.3:
            item["tag"] = {"S": f"tag {chance.randrange(4)}"}
        return item

    # -- requests
    def _put(self, items: Items) -> Request:
        key = self._key()
        item = self._item(key)
        return Request("PutItem", {"TableName": key[0], "Item": item}, {key: item})

    def _update(self, items: Items) -> Request:
        key = self._key()
        body, item = self._update_of(key, items)
        return Request("UpdateItem", body, {key: item})

    def _update_of(self, key: Key, items: Items) -> tuple[dict[str, Any], Item]:
        """An update that counts what it met, so that one that is lost or done twice shows."""
        before = items.get(key)
        version, color = str(next(self._numbers)), self._chance.choice(COLORS)
        counted = int(before["count"]["N"]) + 1 if before is not None else 1
        item = (before or wire_key(key)) | {
            "owner": {"S": self.name},
            "version": {"N": version},
            "color": {"S": color},
            "count": {"N": str(counted)},
        }
        item.pop("tag", None)
        body = {
            "TableName": key[0],
            "Key": wire_key(key),
            "UpdateExpression": "SET #o = :o, version = :v, color = :c ADD #n :one REMOVE tag",
            "ExpressionAttributeNames": {"#o": "owner", "#n": "count"},
            "ExpressionAttributeValues": {
                ":o": {"S": self.name},
                ":v": {"N": version},
                ":c": {"S": color},
                ":one": {"N": "1"},
            },
        }
        return body, item

    def _delete(self, items: Items) -> Request:
        held = sorted(key for key, item in items.items() if "transferred" not in item)
        key = self._chance.choice(held) if held else self._key()
        return Request("DeleteItem", {"TableName": key[0], "Key": wire_key(key)}, {key: None})

    def _batch(self, items: Items) -> Request:
        changes: dict[Key, Item | None] = {}
        parts: dict[str, list[Any]] = {}
        for key in self._keys(self._chance.randrange(2, 10)):
            if key in items and self._chance.random() < 0.3:
                changes[key] = None
                part: dict[str, Any] = {"DeleteRequest": {"Key": wire_key(key)}}
            else:
                changes[key] = item = self._item(key)
                part = {"PutRequest": {"Item": item}}
            parts.setdefault(key[0], []).append(part)
        return Request("BatchWriteItem", {"RequestItems": parts}, changes)

    def _transaction(self, items: Items) -> Request:
        changes: dict[Key, Item | None] = {}
        actions: list[dict[str, Any]] = []
        for key in self._keys(self._chance.randrange(2, 7)):
            kind = self._chance.choice(["Put", "Update", "Delete", "ConditionCheck"])
            parameters: dict[str, Any] = {"TableName": key[0]}
            if kind == "Put":
                changes[key] = parameters["Item"] = self._item(key)
            elif kind == "Update":
                parameters, changes[key] = self._update_of(key, items)
            else:
                parameters["Key"] = wire_key(key)
                parameters["ConditionExpression"] = (
                    "attribute_exists(pk)" if key in items else "attribute_not_exists(pk)"
                )
                if kind == "Delete":
                    changes[key] = None
            actions.append({kind: parameters})
        body = {"TransactItems": actions, "ClientRequestToken": self._token()}
        return Request("TransactWriteItems", body, changes)

    def _transfer(self, items: Items) -> Request:
        """Between accounts that all clients use; it may collide, and then it has not happened."""
        number = next(self._numbers)
        key = (PLAIN, f"{self.name}/transfer {number % 40}", "")
        source, target = self._chance.sample(range(ACCOUNTS), 2)
        amount = str(self._chance.randrange(1, 50))
        record = wire_key(key) | {
            "transferred": {"N": amount},
            "from": {"N": str(source)},
            "to": {"N": str(target)},
        }
        if key in items:
            return self._put(items)
        actions: list[dict[str, Any]] = [{"Put": {"TableName": PLAIN, "Item": record}}]
        for at, sign in ((source, "-"), (target, "+")):
            update = {
                "TableName": PLAIN,
                "Key": wire_key(account(at)),
                "UpdateExpression": f"SET balance = balance {sign} :a",
                "ExpressionAttributeValues": {":a": {"N": amount}},
            }
            actions.append({"Update": update})
        body = {"TransactItems": actions, "ClientRequestToken": self._token()}
        return Request("TransactWriteItems", body, {key: record}, errors=frozenset({CANCELLED}))

    def _refused(self, items: Items) -> Request:
        key = self._key()
        condition = "attribute_not_exists(pk)" if key in items else "attribute_exists(pk)"
        body = {"TableName": key[0], "Item": self._item(key), "ConditionExpression": condition}
        return Request("PutItem", body, errors=frozenset({FAILED}), must_fail=True)

    def _refused_transaction(self, items: Items) -> Request:
        """Its last check fails, so that its puts must not show."""
        *puts, checked = self._keys(4)
        condition = "attribute_not_exists(pk)" if checked in items else "attribute_exists(pk)"
        actions: list[dict[str, Any]] = [
            {"Put": {"TableName": key[0], "Item": self._item(key)}} for key in puts
        ]
        check = {"TableName": checked[0], "Key": wire_key(checked), "ConditionExpression": condition}
        actions.append({"ConditionCheck": check})
        body = {"TransactItems": actions, "ClientRequestToken": self._token()}
        return Request("TransactWriteItems", body, errors=frozenset({CANCELLED}), must_fail=True)

    def _token(self) -> str:
        return f"{self.name}-{next(self._numbers)}-{self._chance.randrange(1 << 30)}"
