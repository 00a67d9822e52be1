"""`partita.testing.mock_aws`, used as moto's is."""

from __future__ import annotations

import asyncio
import os
import unittest
from collections.abc import AsyncGenerator, AsyncIterator, Iterator
from io import BytesIO
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSResponse
from tests.local.tables import ORDERS

from partita.testing import MockAWS, ServiceNotMocked, mock_aws

REGION = "us-east-1"


@pytest.fixture(autouse=True)
def no_credentials(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN", "AWS_PROFILE"):
        monkeypatch.delenv(name, raising=False)


def create() -> Any:
    boto3.client("dynamodb", REGION).create_table(**ORDERS)


def tables() -> list[str]:
    names: list[str] = boto3.client("dynamodb", REGION).list_tables()["TableNames"]
    return names


@mock_aws
def test_decorates_a_function() -> None:
    create()
    assert tables() == ["orders"]


@mock_aws()
def test_decorates_with_parentheses_and_starts_empty() -> None:
    assert tables() == []


@mock_aws(config={"core": {"mock_credentials": True}})
@pytest.mark.parametrize("number", [1, 2])
def test_keeps_the_signature(number: int, tmp_path: object) -> None:
    """With a docstring."""
    assert number in (1, 2)
    assert tmp_path
    assert tables() == []


def test_keeps_name_docstring_and_result() -> None:
    @mock_aws
    def function(a: int, *, b: int = 2) -> int:
        """Adds."""
        return a + b

    assert (function.__name__, function.__doc__, function(1, b=3)) == ("function", "Adds.", 4)


def test_decorates_a_coroutine() -> None:
    @mock_aws
    async def use() -> list[str]:
        create()
        await asyncio.sleep(0)
        return tables()

    assert asyncio.iscoroutinefunction(use)
    assert asyncio.run(use()) == ["orders"]


@pytest.fixture
@mock_aws
def generated() -> Iterator[str]:
    create()
    yield "orders"
    assert tables() == ["orders"]


def test_decorates_a_generator_for_as_long_as_it_runs(generated: str) -> None:
    assert tables() == [generated]


def test_decorates_an_async_generator() -> None:
    @mock_aws
    async def generate() -> AsyncIterator[str]:
        create()
        yield "orders"

    async def use() -> None:
        async for name in generate():
            assert tables() == [name]

    asyncio.run(use())


@pytest.mark.parametrize("ending", ["closed", "thrown at"])
def test_an_async_generator_cleans_up_while_it_is_mocked(ending: str) -> None:
    seen: list[tuple[str, list[str]]] = []

    @mock_aws
    async def generate() -> AsyncGenerator[int, int]:
        create()
        try:
            seen.append((f"sent {(yield 1)}", tables()))
            yield 2
        except KeyError:
            seen.append(("thrown at", tables()))
        finally:
            seen.append(("closed", tables()))

    async def use() -> None:
        generator = generate()
        assert await anext(generator) == 1
        assert await generator.asend(5) == 2
        if ending == "closed":
            await generator.aclose()
        else:
            with pytest.raises(StopAsyncIteration):
                await generator.athrow(KeyError())

    asyncio.run(use())
    steps = ["sent 5", "closed"] if ending == "closed" else ["sent 5", "thrown at", "closed"]
    assert seen == [(step, ["orders"]) for step in steps]


def test_is_a_context_manager() -> None:
    with mock_aws() as mock:
        assert isinstance(mock, MockAWS)
        create()
        assert mock.database.list_tables() == {"TableNames": ["orders"]}
    with pytest.raises(RuntimeError, match="has not been started"):
        _ = mock.database


def test_starts_and_stops() -> None:
    mock = mock_aws()
    mock.start()
    create()
    assert tables() == ["orders"]
    mock.stop()
    with pytest.raises(RuntimeError, match=r"stop\(\) was called more often"):
        mock.stop()
    mock.start(reset=False)
    assert tables() == []
    mock.stop()


def test_inner_uses_share_the_outer_database() -> None:
    @mock_aws
    def inner() -> None:
        assert tables() == ["orders"]
        boto3.client("dynamodb", REGION).create_table(**ORDERS | {"TableName": "more"})

    with mock_aws():
        create()
        inner()
        with mock_aws():
            assert tables() == ["more", "orders"]
        assert tables() == ["more", "orders"]


def test_ends_when_the_function_raises() -> None:
    @mock_aws
    def fail() -> None:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        fail()
    with mock_aws():
        assert tables() == []


def test_sets_credentials_where_there_are_none() -> None:
    before = dict(os.environ)
    with mock_aws():
        assert boto3.session.Session().get_credentials().access_key == "testing"
    assert dict(os.environ) == before


def test_leaves_credentials_that_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ACCESS_KEY_ID", "111122223333")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "mine")
    with mock_aws():
        create()
        described = boto3.client("dynamodb", REGION).describe_table(TableName="orders")
        assert described["Table"]["TableArn"].startswith(f"arn:aws:dynamodb:{REGION}:111122223333:")
    assert os.environ["AWS_ACCESS_KEY_ID"] == "111122223333"


def test_any_other_key_is_the_account_that_tests_expect() -> None:
    with mock_aws():
        create()
        described = boto3.client("dynamodb", REGION).describe_table(TableName="orders")
        assert described["Table"]["TableArn"].startswith(f"arn:aws:dynamodb:{REGION}:123456789012:")


def test_the_default_session_is_another_one_outside() -> None:
    boto3.setup_default_session(region_name="eu-west-1")
    before = boto3.DEFAULT_SESSION
    with mock_aws():
        tables()
        assert boto3.DEFAULT_SESSION is not before
    assert boto3.DEFAULT_SESSION is before


def test_clients_made_outside_talk_to_it_too() -> None:
    client = boto3.client("dynamodb", REGION)
    with mock_aws():
        create()
        assert client.list_tables()["TableNames"] == ["orders"]


@pytest.mark.parametrize(
    ("service", "operation"),
    [("s3", "list_buckets"), ("sqs", "list_queues"), ("sts", "get_caller_identity")],
)
def test_other_services_are_refused(service: str, operation: str) -> None:
    with mock_aws():
        client = boto3.client(service, REGION)
        name = client.meta.method_to_api_mapping[operation]
        with pytest.raises(ServiceNotMocked, match=rf"answers DynamoDB only, .* called {name} of {service}"):
            getattr(client, operation)()


def test_another_mock_may_answer_other_services() -> None:
    def answer(request: Any, **_: Any) -> AWSResponse:
        body = BytesIO(b"<R><GetCallerIdentityResult><Account>7</Account></GetCallerIdentityResult></R>")
        body.stream = lambda: iter([body.read()])  # type: ignore[attr-defined]
        return AWSResponse(request.url, 200, {}, body)  # type: ignore[arg-type]

    with mock_aws():
        client = boto3.client("sts", REGION)
        client.meta.events.register("before-send.sts", answer)
        assert client.get_caller_identity()["Account"] == "7"


def test_profiles_can_be_chosen() -> None:
    with mock_aws(profile="aws", seed=3, table_transition_ms=60_000) as mock:
        create()
        client = boto3.client("dynamodb", REGION)
        assert client.describe_table(TableName="orders")["Table"]["TableStatus"] == "CREATING"
        mock.database.clock.advance(61)
        assert client.describe_table(TableName="orders")["Table"]["TableStatus"] == "ACTIVE"


@mock_aws
class TestPlainClass:
    def test_one(self) -> None:
        create()
        assert tables() == ["orders"]

    def test_two(self) -> None:
        assert tables() == []
        assert self.helper() == 3

    def helper(self) -> int:
        return 3

    @staticmethod
    def test_static() -> None:
        """Static tests are left as they are."""

    class TestNested:
        def test_one(self) -> None:
            create()
            assert tables() == ["orders"]

    of_another_place = BytesIO


def test_every_public_method_of_a_class_is_mocked() -> None:
    """A test runner may be configured to take other names for tests than those that begin with `test`."""

    @mock_aws
    class Suite:
        def check_orders(self) -> list[str]:
            create()
            return tables()

    assert Suite().check_orders() == ["orders"]


@mock_aws
class TestWithSetupMethod:
    def setup_method(self) -> None:
        create()

    def test_one(self) -> None:
        boto3.client("dynamodb", REGION).create_table(**ORDERS | {"TableName": "more"})
        assert tables() == ["more", "orders"]

    def test_two(self) -> None:
        assert tables() == ["orders"]


@mock_aws
class TestWithTeardownMethod:
    def setup_method(self, method: Any) -> None:
        assert callable(method)
        create()

    def teardown_method(self) -> None:
        assert tables() == ["orders"]

    def test_one(self) -> None:
        assert tables() == ["orders"]


@mock_aws
class UnitTests(unittest.TestCase):
    def setUp(self) -> None:
        assert tables() == []
        create()
        self.addCleanup(tables)

    def tearDown(self) -> None:
        assert tables() == ["orders"]

    def test_one(self) -> None:
        assert tables() == ["orders"]

    def test_two(self) -> None:
        assert tables() == ["orders"]


class InheritingUnitTests(UnitTests):
    def test_three(self) -> None:
        assert tables() == ["orders"]


@mock_aws
class AsyncUnitTests(unittest.IsolatedAsyncioTestCase):
    async def asyncSetUp(self) -> None:
        create()

    async def test_one(self) -> None:
        assert tables() == ["orders"]


class DecoratedMethods(unittest.TestCase):
    mock = mock_aws()

    def setUp(self) -> None:
        self.mock.start()
        create()

    def tearDown(self) -> None:
        self.mock.stop()

    def test_one(self) -> None:
        assert tables() == ["orders"]

    @mock_aws
    def test_two(self) -> None:
        assert tables() == ["orders"]


def test_nothing_is_left_over() -> None:
    with pytest.raises(RuntimeError, match="has not been started"):
        _ = mock_aws().database
