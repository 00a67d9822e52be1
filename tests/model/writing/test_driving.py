"""Both drivers: requests, pauses and answers; what each exception of a client means to a flow."""

from __future__ import annotations

import asyncio
import io
import threading
import time
import zlib
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import boto3
import pytest
from botocore.awsrequest import AWSResponse, HTTPHeaders
from botocore.config import Config
from botocore.exceptions import (
    ConnectTimeoutError,
    HTTPClientError,
    NoCredentialsError,
    ParamValidationError,
    SSLError,
)
from tests.model.writing.scripted import (
    ScriptedAsyncClient,
    ScriptedClient,
    broken_off,
    cancelled,
    refused,
    timed_out,
    unreachable,
)

import partita
from partita.model.errors import ServiceError, Unreachable
from partita.model.flows.consumption import Consumed, Request
from partita.model.flows.flow import Call, Flow, NoAnswer, NotSent, Pause, Refused, Together
from partita.model.flows.retries import Retries, ask, ask_together
from partita.model.sessions.async_session import AsyncSession
from partita.model.sessions.clients import method_name
from partita.model.sessions.session import Session

GET = Call("GetItem", {"TableName": "app", "Key": {"PK": {"S": "a"}}})
Run = Callable[..., Any]


class Both:
    """Runs a flow on a scripted client, through either session."""

    def __init__(self, is_async: bool) -> None:
        self._async = is_async
        self.slept: list[float] = []

    def run(self, flow: Flow[Any], script: list[Any], **options: Any) -> Any:
        options = {"chance": Random(1), "timer": iter(range(10**6)).__next__, **options}
        if not self._async:
            self.client: Any = ScriptedClient(script)
            self.session: Any = Session(self.client, sleep=self.slept.append, **options)
            with self.session:
                return self.session.run(lambda _: flow)
        self.client = ScriptedAsyncClient(script)

        async def sleep(seconds: float) -> None:
            self.slept.append(seconds)

        self.session = AsyncSession(self.client, sleep=sleep, **options)
        return asyncio.run(self.session.run(lambda _: flow))


@pytest.fixture(params=[False, True], ids=["sync", "async"])
def both(request: pytest.FixtureRequest) -> Both:
    return Both(request.param)


def one(call: Call = GET) -> Flow[Any]:
    return (yield call)


def caught(call: Call = GET) -> Flow[Any]:
    try:
        yield call
    except (Refused, NoAnswer, NotSent) as failure:
        return failure


@pytest.mark.parametrize(
    ("operation", "method"),
    [
        ("GetItem", "get_item"),
        ("Query", "query"),
        ("TransactWriteItems", "transact_write_items"),
        ("UpdateTimeToLive", "update_time_to_live"),
    ],
)
def test_an_operation_is_a_method_of_the_client(operation: str, method: str) -> None:
    assert method_name(operation) == method


def test_a_flow_gets_the_answers_to_its_calls(both: Both) -> None:
    def flow() -> Flow[list[Any]]:
        first = yield GET
        second = yield Call("Query", {"TableName": "app"})
        return [first, second]

    assert both.run(flow(), [{"a": 1}, {"b": 2}]) == [{"a": 1}, {"b": 2}]
    assert [method for method, _ in both.client.requests] == ["get_item", "query"]
    assert both.client.requests[0][1] == GET.parameters


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (refused("ConditionalCheckFailedException"), Refused),
        (refused("ThrottlingException"), Refused),
        (refused("InternalServerError", status=500), NoAnswer),
        (refused("ServiceUnavailable", status=503), NoAnswer),
        (refused("502", status=502), NoAnswer),
        (timed_out(), NoAnswer),
        (broken_off(), NoAnswer),
        (HTTPClientError(error="odd"), NoAnswer),
        (SSLError(endpoint_url="x", error=OSError("cut")), NoAnswer),
        (TimeoutError(), NoAnswer),
        (ConnectionResetError(), NoAnswer),
        (unreachable(), NotSent),
        (ConnectTimeoutError(endpoint_url="x"), NotSent),
    ],
)
def test_what_an_exception_means(both: Both, error: Exception, kind: type) -> None:
    assert type(both.run(caught(), [error])) is kind


def test_a_refusal_carries_the_item_and_the_reasons(both: Both) -> None:
    item = {"PK": {"S": "a"}}
    refusal = both.run(caught(), [refused("ConditionalCheckFailedException", message="why", Item=item)])
    assert (refusal.code, refusal.message) == ("ConditionalCheckFailedException", "why")
    assert refusal.item == item
    refusal = both.run(caught(), [cancelled("None", "ConditionalCheckFailed", items={1: item})])
    assert [reason["Code"] for reason in refusal.reasons] == ["None", "ConditionalCheckFailed"]
    assert refusal.reasons[1]["Item"] == item


@pytest.mark.parametrize("error", [ParamValidationError(report="bad"), NoCredentialsError(), KeyError("x")])
def test_mistakes_are_let_through(both: Both, error: Exception) -> None:
    with pytest.raises(type(error)):
        both.run(caught(), [error])


def test_what_no_flow_handled_is_an_error_of_the_model(both: Both) -> None:
    with pytest.raises(ServiceError, match="ResourceNotFoundException: no") as refusal:
        both.run(one(), [refused("ResourceNotFoundException")])
    assert refusal.value.code == "ResourceNotFoundException"
    with pytest.raises(Unreachable):
        both.run(one(), [timed_out()])
    with pytest.raises(Unreachable):
        both.run(one(), [unreachable()])


def test_a_pause_is_a_random_part_of_itself(both: Both) -> None:
    def flow() -> Flow[None]:
        for _ in range(100):
            yield Pause(2.0)

    both.run(flow(), [])
    assert all(0 <= seconds < 2 for seconds in both.slept)
    assert min(both.slept) < 0.1
    assert max(both.slept) > 1.9
    chance = Random(1)
    assert both.slept == [chance.random() * 2 for _ in range(100)]


def test_together_answers_in_the_order_of_the_calls(both: Both) -> None:
    calls = [Call("GetItem", {"TableName": "app", "n": n}) for n in range(40)]

    def flow() -> Flow[Any]:
        return (yield Together(calls))

    def answer(_: str, parameters: Any) -> Any:
        return {"n": parameters["n"]}

    assert both.run(flow(), [answer] * 40) == [{"n": n} for n in range(40)]


def test_of_several_failures_the_first_is_thrown_unless_each_is_asked_for(both: Both) -> None:
    calls = [Call("GetItem", {"TableName": "app", "n": n}) for n in range(4)]

    def answer(_: str, parameters: Any) -> Any:
        return {1: refused("One"), 3: timed_out()}.get(parameters["n"], {})

    def thrown() -> Flow[Any]:
        try:
            yield Together(calls)
        except Refused as refusal:
            return refusal.code

    def each() -> Flow[Any]:
        return (yield Together(calls, each=True))

    assert both.run(thrown(), [answer] * 4) == "One"
    assert [type(outcome) for outcome in both.run(each(), [answer] * 4)] == [dict, Refused, dict, NoAnswer]


def test_a_mistake_is_raised_even_where_each_is_asked_for(both: Both) -> None:
    def flow() -> Flow[Any]:
        return (yield Together([GET, GET], each=True))

    with pytest.raises(ParamValidationError):
        both.run(flow(), [{}, ParamValidationError(report="bad")])


def test_requests_of_one_together_overlap_and_are_bounded() -> None:
    under_way = most = 0
    lock = threading.Lock()
    meeting = threading.Barrier(3, timeout=60)
    others = threading.enumerate()

    def answer(_: str, parameters: Any) -> Any:
        nonlocal under_way, most
        with lock:
            under_way += 1
            most = max(most, under_way)
        meeting.wait()
        with lock:
            under_way -= 1
        return {}

    def flow() -> Flow[Any]:
        return (yield Together([GET] * 12))

    with Session(ScriptedClient([answer] * 12), threads=3) as session:
        session.run(lambda _: flow())
    assert most == 3
    assert not [
        thread
        for thread in threading.enumerate()
        if thread.name.startswith("partita-session") and thread not in others
    ]


def test_requests_of_an_async_session_overlap_and_are_bounded() -> None:
    under_way = most = 0

    class Client:
        async def get_item(self, **_: Any) -> Any:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            for _ in range(5):
                await asyncio.sleep(0)
            under_way -= 1
            return {}

    def flow() -> Flow[Any]:
        return (yield Together([GET] * 12))

    async def main() -> None:
        async with AsyncSession(Client(), threads=3) as session:
            assert await session.run(lambda _: flow()) == [{}] * 12
        await session.close()

    for _ in range(2):
        asyncio.run(main())
    assert most == 3


def test_ask_repeats_what_may_pass_with_growing_pauses(both: Both) -> None:
    script = [
        refused("ThrottlingException"),
        timed_out(),
        unreachable(),
        refused("InternalServerError", status=500),
        {},
    ]
    chance = Random(1)
    assert both.run(ask(Retries(first_seconds=1, most_seconds=4), GET), script) == {}
    assert both.slept == [chance.random() * most for most in (1, 2, 4, 4)]


def test_ask_gives_up_after_its_attempts_and_at_once_on_other_errors(both: Both) -> None:
    with pytest.raises(ServiceError, match="ThrottlingException"):
        both.run(ask(Retries(attempts=3), GET), [refused("ThrottlingException")] * 4)
    assert len(both.client.requests) == 3
    with pytest.raises(ServiceError, match="ValidationException"):
        both.run(ask(Retries(attempts=3), GET), [refused("ValidationException"), {}])
    assert len(both.client.requests) == 1


def test_ask_together_repeats_only_what_failed(both: Both) -> None:
    calls = [Call("GetItem", {"TableName": "app", "n": n}) for n in range(3)]
    failing = [1]

    def answer(_: str, parameters: Any) -> Any:
        if parameters["n"] in failing:
            failing.remove(parameters["n"])
            return refused("ThrottlingException")
        return {"n": parameters["n"]}

    assert both.run(ask_together(Retries(), calls), [answer] * 4) == [{"n": 0}, {"n": 1}, {"n": 2}]
    assert both.client.requests[-1][1]["n"] == 1
    with pytest.raises(ServiceError, match="Throttling"):
        both.run(ask_together(Retries(attempts=1), calls), [refused("ThrottlingException"), {}, {}])


def test_capacity_is_summed_per_pattern_and_each_request_logged(both: Both) -> None:
    log: list[Request] = []

    def flow() -> Flow[None]:
        yield GET
        yield Call("PutItem", {"TableName": "app"}, pattern="put one")
        yield Call(
            "TransactWriteItems",
            {"TransactItems": [{"Put": {"TableName": "b"}}, {"Put": {"TableName": "a"}}]},
        )
        yield Call("DescribeTable", {"TableName": "app"})

    answers = [
        {"ConsumedCapacity": {"TableName": "app", "CapacityUnits": 0.5}},
        {"ConsumedCapacity": {"TableName": "app", "CapacityUnits": 1.0}},
        {
            "ConsumedCapacity": [
                {"CapacityUnits": 4.0, "WriteCapacityUnits": 4.0},
                {"CapacityUnits": 2.0, "ReadCapacityUnits": 2.0},
            ]
        },
        {},
    ]
    both.run(flow(), answers, measure=True, log=log.append)
    assert both.session.consumed == {
        None: Consumed(3, 2.5, 4.0),
        "put one": Consumed(1, 0.0, 1.0),
    }
    assert [(line.pattern, line.operation, line.tables, line.consumed.units, line.ms) for line in log] == [
        (None, "GetItem", ("app",), 0.5, 1000),
        ("put one", "PutItem", ("app",), 1.0, 1000),
        (None, "TransactWriteItems", ("b", "a"), 6.0, 1000),
        (None, "DescribeTable", ("app",), 0, 1000),
    ]
    asked = [parameters.get("ReturnConsumedCapacity") for _, parameters in both.client.requests]
    assert asked == ["TOTAL", "TOTAL", "TOTAL", None]


def test_a_failed_request_is_logged_with_its_error(both: Both) -> None:
    log: list[Request] = []
    both.run(caught(), [refused("Odd")], log=log.append)
    assert "Odd" in str(log[0].error)


def test_pattern_and_measuring_reach_the_requests_of_threads() -> None:
    def flow() -> Flow[Any]:
        return (yield Together([GET] * 5))

    client = ScriptedClient([{"ConsumedCapacity": {"CapacityUnits": 1.0}}] * 10)
    with Session(client) as session:
        with session.pattern("five"), session.measuring() as total:
            session.run(lambda _: flow())
        session.run(lambda _: flow())
        assert total.consumed == Consumed(5, 5.0, 0.0)
        assert session.consumed["five"] == Consumed(5, 5.0, 0.0)
    asked = ["ReturnConsumedCapacity" in parameters for _, parameters in client.requests]
    assert asked == [True] * 5 + [False] * 5


def test_the_client_of_a_resource_is_refused() -> None:
    with partita.Database() as database:
        Session(database.client())
        with pytest.raises(TypeError, match="client of a boto3 resource"):
            Session(database.resource().meta.client)


def test_handlers_of_others_are_not_asked_about_the_client() -> None:
    seen: list[Any] = []

    def handler(params: Any, model: Any, **_: Any) -> None:
        seen.append(model.name)

    with partita.Database() as database:
        client = database.client()
        client.meta.events.register("provide-client-params.dynamodb", handler)
        Session(client)
        assert seen == []
        client.list_tables()
        assert seen == ["ListTables"]


class Streamed(io.BytesIO):
    """A body as botocore reads it from urllib3."""

    def stream(self) -> Iterator[bytes]:
        yield self.getvalue()


class TestBotocoresOwnRetries:
    """botocore repeats requests by itself; a session decides about those that were not answered."""

    PUT = Call("PutItem", {"TableName": "app", "Item": {"pk": {"S": "a"}}})

    @pytest.fixture
    def client(self, monkeypatch: pytest.MonkeyPatch) -> Any:
        monkeypatch.setattr(time, "sleep", lambda seconds: None)
        with partita.Database() as database:
            database.create_table(
                TableName="app",
                BillingMode="PAY_PER_REQUEST",
                KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
                AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
            )
            client = database.client()
            client.describe_table(TableName="app")
            yield client

    @staticmethod
    def lose(client: Any, *outcomes: Any) -> list[Any]:
        """The next attempts end as `outcomes` say (None: as they do)."""
        left = list(outcomes)

        def before_send(request: Any, **_: Any) -> Any:
            outcome = left.pop(0) if left else None
            if isinstance(outcome, Exception):
                raise outcome
            return outcome

        client.meta.events.register_first("before-send.dynamodb", before_send)
        return left

    def test_an_unanswered_attempt_reaches_the_flow(self, client: Any) -> None:
        session = Session(client)
        left = self.lose(client, timed_out(), timed_out())
        assert type(session.run(lambda _: caught(self.PUT))) is NoAnswer
        assert len(left) == 1

    def test_a_request_that_was_not_sent_is_botocores_to_repeat(self, client: Any) -> None:
        session = Session(client)
        left = self.lose(client, unreachable())
        assert "ResponseMetadata" in session.run(lambda _: one(self.PUT))
        assert not left

    def test_other_users_of_the_client_are_left_alone(self, client: Any) -> None:
        Session(client)
        left = self.lose(client, timed_out())
        client.put_item(**self.PUT.parameters)
        assert not left

    @pytest.mark.parametrize("mode", ["legacy", "standard"])
    def test_a_damaged_answer_reaches_the_flow(self, mode: str) -> None:
        ours = boto3.client(
            "dynamodb",
            region_name="us-east-1",
            aws_access_key_id="x",
            aws_secret_access_key="x",
            config=Config(retries={"mode": mode, "max_attempts": 3}),
        )
        sent: list[Any] = []

        def answer(request: Any, **_: Any) -> AWSResponse:
            sent.append(request)
            headers = {"x-amz-crc32": "1" if len(sent) == 1 else str(zlib.crc32(b"{}"))}
            return AWSResponse(request.url, 200, HTTPHeaders.from_dict(headers), Streamed(b"{}"))

        ours.meta.events.register_first("before-send.dynamodb", answer)
        session = Session(ours)
        assert type(session.run(lambda _: caught(self.PUT))) is NoAnswer
        assert len(sent) == 1
        assert "ResponseMetadata" in session.run(lambda _: one(self.PUT))
        assert len(sent) == 2
