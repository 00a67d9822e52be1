"""What `partita serve` prints once it answers."""

from __future__ import annotations

import json

import click

from partita import __version__

_EXAMPLES = """
With boto3:

    import boto3
    dynamodb = boto3.resource("dynamodb", endpoint_url="{url}", region_name="{region}",
                              aws_access_key_id="local", aws_secret_access_key="local")
    music = dynamodb.create_table(
        TableName="music", BillingMode="PAY_PER_REQUEST",
        KeySchema=[{{"AttributeName": "artist", "KeyType": "HASH"}}],
        AttributeDefinitions=[{{"AttributeName": "artist", "AttributeType": "S"}}])
    music.wait_until_exists()
    music.put_item(Item={{"artist": "J. S. Bach", "piece": "Partita No. 2"}})
    print(music.get_item(Key={{"artist": "J. S. Bach"}})["Item"])

With the AWS command line:

    export AWS_ENDPOINT_URL_DYNAMODB={url} AWS_DEFAULT_REGION={region} \\
           AWS_ACCESS_KEY_ID=local AWS_SECRET_ACCESS_KEY=local
    aws dynamodb list-tables
"""


_OPEN = "open to other machines, which need a name that --allow-host lists"


def show(url: str, place: str, region: str, *, needs_names: bool, as_json: bool, with_examples: bool) -> None:
    """`place` says where the data is; `needs_names`: other machines can reach a server that no name is
    allowed for. As JSON, for whoever reads the access lines."""
    if as_json:
        click.echo(json.dumps({"event": "listening", "url": url, "data": place}))
        return
    click.echo(f"Partita {__version__} answers at {url}")
    click.echo(place)
    if needs_names:
        click.echo(_OPEN)
    if with_examples:
        click.echo(_EXAMPLES.format(url=url, region=region))
