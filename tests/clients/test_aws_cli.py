"""The AWS CLI: its commands reach the database by --endpoint-url and by AWS_ENDPOINT_URL_DYNAMODB."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.clients.aws_program import AWS
from tests.clients.server_process import Access

Run = Callable[..., Any]

CREATE = """
create-table --table-name songs --billing-mode PAY_PER_REQUEST
--attribute-definitions AttributeName=artist,AttributeType=S AttributeName=title,AttributeType=S
                        AttributeName=year,AttributeType=N
--key-schema AttributeName=artist,KeyType=HASH AttributeName=title,KeyType=RANGE
--global-secondary-indexes
    IndexName=by-year,KeySchema=[{AttributeName=year,KeyType=HASH}],Projection={ProjectionType=ALL}
"""


class Refused(Exception):
    """The CLI ended with an error; its text is what it wrote."""


@pytest.fixture
def aws(access: Access) -> Run:
    """`aws dynamodb …` as JSON, to the endpoint of the environment; dicts are given as JSON."""

    def run(*words: Any) -> Any:
        parameters = [json.dumps(word) if isinstance(word, (dict, list)) else word for word in words]
        done = subprocess.run(
            [AWS, "dynamodb", *parameters, "--output", "json"],
            env=access.variables,
            capture_output=True,
            text=True,
            timeout=60,
        )
        if done.returncode:
            raise Refused(done.stderr.strip())
        return json.loads(done.stdout) if done.stdout else None

    return run


@pytest.fixture
def songs(access: Access) -> Any:
    """A table with 25 items, made by boto3 to save time."""
    client = access.client()
    client.create_table(
        TableName="songs",
        BillingMode="PAY_PER_REQUEST",
        AttributeDefinitions=[{"AttributeName": name, "AttributeType": "S"} for name in ("artist", "title")],
        KeySchema=[
            {"AttributeName": "artist", "KeyType": "HASH"},
            {"AttributeName": "title", "KeyType": "RANGE"},
        ],
    )
    client.get_waiter("table_exists").wait(TableName="songs")
    for n in range(25):
        client.put_item(TableName="songs", Item=song(f"artist-{n % 2}", f"title-{n:02d}", year=2000 + n))
    return client


def song(artist: str, title: str, **numbers: int) -> dict[str, Any]:
    return {
        "artist": {"S": artist},
        "title": {"S": title},
        **{name: {"N": str(number)} for name, number in numbers.items()},
    }


def titles(answer: Any) -> list[str]:
    return [item["title"]["S"] for item in answer["Items"]]


@pytest.mark.timeout(300)
def test_a_table_from_its_creation_to_its_end(aws: Run, tmp_path: Path) -> None:
    assert aws(*CREATE.split())["TableDescription"]["TableStatus"] == "CREATING"
    aws("wait", "table-exists", "--table-name", "songs")

    aws("put-item", "--table-name", "songs", "--item", song("Bach", "Partita No. 2", year=1720))
    batch = tmp_path / "batch.json"
    more = [song("Bach", "Partita No. 3", year=1720), song("Bach", "Sonata No. 1", year=1720)]
    batch.write_text(json.dumps({"songs": [{"PutRequest": {"Item": item}} for item in more]}))
    assert aws("batch-write-item", "--request-items", f"file://{batch}") == {"UnprocessedItems": {}}

    updated = aws(
        "update-item",
        "--table-name",
        "songs",
        "--key",
        song("Bach", "Partita No. 2"),
        "--update-expression",
        "SET #y = #y + :one, movements = :m",
        "--expression-attribute-names",
        {"#y": "year"},
        "--expression-attribute-values",
        {":one": {"N": "1"}, ":m": {"SS": ["Allemanda", "Ciaccona"]}},
        "--return-values",
        "UPDATED_NEW",
    )["Attributes"]
    assert updated["year"] == {"N": "1721"}
    assert sorted(updated["movements"]["SS"]) == ["Allemanda", "Ciaccona"]

    new = song("Ysaÿe", "Sonata No. 2", year=1923)
    actions = [
        {
            "Put": {
                "TableName": "songs",
                "Item": new,
                "ConditionExpression": "attribute_not_exists(artist)",
            }
        },
        {"Delete": {"TableName": "songs", "Key": song("Bach", "Sonata No. 1")}},
    ]
    aws("transact-write-items", "--transact-items", actions)
    with pytest.raises(Refused, match=r"TransactionCanceledException.*\[ConditionalCheckFailed, None\]"):
        aws("transact-write-items", "--transact-items", actions)

    in_year = aws(
        "query",
        "--table-name",
        "songs",
        "--index-name",
        "by-year",
        "--key-condition-expression",
        "#y = :y",
        "--expression-attribute-names",
        {"#y": "year"},
        "--expression-attribute-values",
        {":y": {"N": "1720"}},
    )
    assert titles(in_year) == ["Partita No. 3"]
    assert aws("get-item", "--table-name", "songs", "--key", song("Ysaÿe", "Sonata No. 2"))["Item"] == new

    aws("delete-table", "--table-name", "songs")
    aws("wait", "table-not-exists", "--table-name", "songs")
    assert aws("list-tables") == {"TableNames": []}


def test_the_endpoint_can_be_an_option(access: Access, songs: Any) -> None:
    variables = access.variables
    del variables["AWS_ENDPOINT_URL_DYNAMODB"]
    command = [AWS, "dynamodb", "list-tables", "--output", "text", "--endpoint-url", access.url]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, timeout=60)
    assert (done.stdout, done.stderr, done.returncode) == ("TABLENAMES\tsongs\n", "", 0)


def test_the_cli_joins_the_pages_of_a_scan(aws: Run, songs: Any) -> None:
    whole = aws("scan", "--table-name", "songs", "--page-size", "4")
    assert (whole["Count"], whole["ScannedCount"]) == (25, 25)
    assert sorted(titles(whole)) == [f"title-{n:02d}" for n in range(25)]


def test_the_cli_goes_on_from_its_token(aws: Run, songs: Any) -> None:
    """Its own token, which says how far into a page it was."""
    options = ("--table-name", "songs", "--page-size", "4", "--max-items", "13")
    found: list[str] = []
    token: tuple[str, ...] = ()
    for _ in range(2):
        answer = aws("scan", *options, *token)
        found += titles(answer)
        token = ("--starting-token", answer["NextToken"]) if "NextToken" in answer else ()
    assert token == ()
    assert sorted(found) == [f"title-{n:02d}" for n in range(25)]


def test_a_query_backwards(aws: Run, songs: Any) -> None:
    answer = aws(
        "query",
        "--table-name",
        "songs",
        "--key-condition-expression",
        "artist = :a AND title BETWEEN :first AND :last",
        "--expression-attribute-values",
        {":a": {"S": "artist-0"}, ":first": {"S": "title-04"}, ":last": {"S": "title-10"}},
        "--no-scan-index-forward",
        "--page-size",
        "2",
    )
    assert titles(answer) == ["title-10", "title-08", "title-06", "title-04"]


def test_refusals_are_shown_as_of_amazon(aws: Run, songs: Any) -> None:
    with pytest.raises(Refused) as refused:
        aws(
            "put-item",
            "--table-name",
            "songs",
            "--item",
            song("artist-0", "title-00"),
            "--condition-expression",
            "attribute_not_exists(artist)",
        )
    assert str(refused.value).endswith(
        "An error occurred (ConditionalCheckFailedException) when calling the PutItem operation: "
        "The conditional request failed"
    )


def test_an_item_is_deleted(aws: Run, songs: Any) -> None:
    answer = aws(
        "delete-item",
        "--table-name",
        "songs",
        "--key",
        song("artist-0", "title-00"),
        "--return-values",
        "ALL_OLD",
    )
    assert answer == {"Attributes": song("artist-0", "title-00", year=2000)}
    assert songs.scan(TableName="songs", Select="COUNT")["Count"] == 24
