"""An email address belongs to one user: a marker item beside the profile, written in one transaction."""

from __future__ import annotations

from typing import Any

import pytest
from tests.clients import app_table
from tests.clients.errors import answer_of, codes_of
from tests.clients.server_process import Access

IS_NEW = "attribute_not_exists(PK)"


@pytest.fixture
def client(any_profile: Access) -> Any:
    client = any_profile.resource().meta.client
    app_table.create(client)
    return client


def register(client: Any, email: str, user: str) -> None:
    profile = {"PK": f"USER#{user}", "SK": "PROFILE", "email": email}
    marker = {"PK": f"EMAIL#{email}", "SK": "UNIQUE", "userId": user}
    client.transact_write_items(
        TransactItems=[
            {"Put": {"TableName": "app", "Item": item, "ConditionExpression": IS_NEW}}
            for item in (profile, marker)
        ]
    )


def change_email(client: Any, user: str, old: str, new: str) -> None:
    marker = {"PK": f"EMAIL#{new}", "SK": "UNIQUE", "userId": user}
    client.transact_write_items(
        TransactItems=[
            {
                "Delete": {
                    "TableName": "app",
                    "Key": {"PK": f"EMAIL#{old}", "SK": "UNIQUE"},
                    "ConditionExpression": "userId = :user",
                    "ExpressionAttributeValues": {":user": user},
                }
            },
            {"Put": {"TableName": "app", "Item": marker, "ConditionExpression": IS_NEW}},
            {
                "Update": {
                    "TableName": "app",
                    "Key": {"PK": f"USER#{user}", "SK": "PROFILE"},
                    "UpdateExpression": "SET email = :new",
                    "ConditionExpression": "email = :old",
                    "ExpressionAttributeValues": {":new": new, ":old": old},
                }
            },
        ]
    )


def read(client: Any, partition: str, sort: str) -> Any:
    """The item, or None."""
    key = {"PK": partition, "SK": sort}
    return client.get_item(TableName="app", Key=key, ConsistentRead=True).get("Item")


def test_the_second_user_of_an_address_is_refused_and_has_no_profile(client: Any) -> None:
    register(client, "a@b.com", "u1")
    answer = answer_of(register, client=client, email="a@b.com", user="u2")
    assert answer["Error"] == {
        "Code": "TransactionCanceledException",
        "Message": "Transaction cancelled, please refer cancellation reasons for specific reasons "
        "[None, ConditionalCheckFailed]",
    }
    assert answer["CancellationReasons"] == [
        {"Code": "None"},
        {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"},
    ]
    assert read(client, "USER#u2", "PROFILE") is None
    assert read(client, "EMAIL#a@b.com", "UNIQUE")["userId"] == "u1"


def test_a_change_of_address_is_three_actions(client: Any) -> None:
    register(client, "a@b.com", "u1")
    change_email(client, "u1", "a@b.com", "new@b.com")

    assert read(client, "USER#u1", "PROFILE")["email"] == "new@b.com"
    assert read(client, "EMAIL#a@b.com", "UNIQUE") is None
    register(client, "a@b.com", "u2")
    assert read(client, "EMAIL#a@b.com", "UNIQUE")["userId"] == "u2"


def test_a_change_to_a_taken_address_changes_nothing(client: Any) -> None:
    register(client, "a@b.com", "u1")
    register(client, "c@d.com", "u2")
    taken = {"client": client, "user": "u2", "old": "c@d.com", "new": "a@b.com"}
    assert codes_of(change_email, **taken) == ["None", "ConditionalCheckFailed", "None"]
    assert read(client, "USER#u2", "PROFILE")["email"] == "c@d.com"
    assert read(client, "EMAIL#c@d.com", "UNIQUE")["userId"] == "u2"


def test_a_change_of_somebody_elses_address_is_refused(client: Any) -> None:
    register(client, "a@b.com", "u1")
    register(client, "c@d.com", "u2")
    theirs = {"client": client, "user": "u2", "old": "a@b.com", "new": "e@f.com"}
    assert codes_of(change_email, **theirs) == ["ConditionalCheckFailed", "None", "ConditionalCheckFailed"]
