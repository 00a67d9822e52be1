"""A signup whose email and username must both be unique: the account and a lock for each, as one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from tests.clients.app_table import attributes
from tests.clients.errors import answer_of, codes_of, error_of
from tests.clients.server_process import Access

SLOTS = ("account", "email", "username")
IS_NEW = "attribute_not_exists(PK)"
ADA = {"account": "a1f9c3", "email": "ada@lovelace.io", "username": "ada"}


@pytest.fixture
def client(any_profile: Access) -> Any:
    client = any_profile.client()
    client.create_table(
        TableName="accounts",
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=attributes(PK="S", SK="S"),
        KeySchema=[{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}],
    )
    waiter = client.get_waiter("table_exists")
    waiter.wait(TableName="accounts", WaiterConfig={"Delay": 0.05, "MaxAttempts": 200})
    return client


def keys(account: str, email: str, username: str) -> list[dict[str, Any]]:
    """Of the account and its two locks, in the order of the slots."""
    return [
        {"PK": {"S": f"ACCT#{account}"}, "SK": {"S": "PROFILE"}},
        {"PK": {"S": f"UNIQ#EMAIL#{email}"}, "SK": {"S": "LOCK"}},
        {"PK": {"S": f"UNIQ#HANDLE#{username}"}, "SK": {"S": "LOCK"}},
    ]


def sign_up(client: Any, account: str, email: str, username: str, **parameters: Any) -> None:
    items = keys(account, email, username)
    items[0] |= {"email": {"S": email}, "username": {"S": username}}
    client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": "accounts", "Item": item, "ConditionExpression": IS_NEW}} for item in items
        ],
        **parameters,
    )


def delete(client: Any, account: str, email: str, username: str) -> None:
    client.transact_write_items(
        TransactItems=[
            {"Delete": {"TableName": "accounts", "Key": key, "ConditionExpression": "attribute_exists(PK)"}}
            for key in keys(account, email, username)
        ]
    )


def change_email(client: Any, account: str, old: str, new: str) -> None:
    """The new lock, the old one, and the account, as one."""
    _, new_lock, _ = keys(account, new, "")
    profile, old_lock, _ = keys(account, old, "")
    client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": "accounts", "Item": new_lock, "ConditionExpression": IS_NEW}},
            {"Delete": {"TableName": "accounts", "Key": old_lock}},
            {
                "Update": {
                    "TableName": "accounts",
                    "Key": profile,
                    "UpdateExpression": "SET email = :new",
                    "ConditionExpression": "email = :old",
                    "ExpressionAttributeValues": {":new": {"S": new}, ":old": {"S": old}},
                }
            },
        ]
    )


def taken(client: Any, **signup: str) -> list[str]:
    """The fields that a signup is refused for, by the positions of the reasons."""
    codes = codes_of(sign_up, client=client, **signup)
    assert set(codes) <= {"None", "ConditionalCheckFailed"}
    return [slot for slot, code in zip(SLOTS, codes, strict=True) if code != "None"]


def partitions(client: Any) -> set[str]:
    answer = client.scan(TableName="accounts", ConsistentRead=True)
    return {item["PK"]["S"] for item in answer["Items"]}


def test_a_signup_is_an_account_and_two_locks(client: Any) -> None:
    sign_up(client, **ADA)
    assert partitions(client) == {"ACCT#a1f9c3", "UNIQ#EMAIL#ada@lovelace.io", "UNIQ#HANDLE#ada"}


@pytest.mark.parametrize(
    ("signup", "fields"),
    [
        ({"account": "b2", "email": "ada@lovelace.io", "username": "byron"}, ["email"]),
        ({"account": "b2", "email": "byron@lovelace.io", "username": "ada"}, ["username"]),
        ({"account": "b2", "email": "ada@lovelace.io", "username": "ada"}, ["email", "username"]),
        ({"account": "a1f9c3", "email": "byron@lovelace.io", "username": "byron"}, ["account"]),
    ],
    ids=["email", "username", "both", "account"],
)
def test_the_reasons_of_a_refusal_name_the_field_by_position(
    client: Any, signup: dict[str, str], fields: list[str]
) -> None:
    sign_up(client, **ADA)
    before = partitions(client)
    assert taken(client, **signup) == fields
    assert partitions(client) == before


def test_a_refusal_tells_which_slot_in_its_text_too(client: Any) -> None:
    sign_up(client, **ADA)
    answer = answer_of(sign_up, client=client, account="b2", email="ada@lovelace.io", username="byron")
    assert answer["Error"]["Message"] == (
        "Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[None, ConditionalCheckFailed, None]"
    )


def test_of_signups_at_the_same_moment_one_succeeds(client: Any) -> None:
    def attempt(number: int) -> str:
        try:
            sign_up(client, account=f"n{number}", email="ada@lovelace.io", username=f"ada{number}")
        except client.exceptions.TransactionCanceledException as cancelled:
            return str(cancelled.response["CancellationReasons"][1]["Code"])
        return "signed up"

    with ThreadPoolExecutor(8) as people:
        outcomes = list(people.map(attempt, range(8)))
    assert outcomes.count("signed up") == 1
    assert set(outcomes) <= {"signed up", "ConditionalCheckFailed", "TransactionConflict"}
    assert len(partitions(client)) == 3


def test_a_change_of_email_frees_the_old_one(client: Any) -> None:
    sign_up(client, **ADA)
    change_email(client, "a1f9c3", "ada@lovelace.io", "countess@lovelace.io")
    assert partitions(client) == {"ACCT#a1f9c3", "UNIQ#EMAIL#countess@lovelace.io", "UNIQ#HANDLE#ada"}
    sign_up(client, account="b2", email="ada@lovelace.io", username="byron")


def test_a_deleted_account_leaves_no_lock(client: Any) -> None:
    sign_up(client, **ADA)
    delete(client, **ADA)
    assert partitions(client) == set()
    sign_up(client, **ADA)
    assert len(partitions(client)) == 3


def test_a_delete_that_lacks_a_lock_deletes_nothing(client: Any) -> None:
    sign_up(client, **ADA)
    wrong = ADA | {"username": "lovelace"}
    assert codes_of(delete, client=client, **wrong) == ["None", "None", "ConditionalCheckFailed"]
    assert len(partitions(client)) == 3


def test_a_signup_sent_again_with_its_token_succeeds_once(client: Any) -> None:
    sign_up(client, **ADA, ClientRequestToken="signup-1")
    sign_up(client, **ADA, ClientRequestToken="signup-1")
    assert len(partitions(client)) == 3
    other = ADA | {"username": "lovelace"}
    name, _ = error_of(sign_up, client=client, **other, ClientRequestToken="signup-1")
    assert name == "IdempotentParameterMismatchException"
    assert taken(client, **ADA) == list(SLOTS)
