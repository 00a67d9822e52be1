"""Section 1: the wire protocol and its headers."""

# ruff: noqa: E501 - the service's texts stand whole on their lines

import gzip
import re
from collections.abc import Callable
from typing import Any

from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from tests.facts.answers import Answer, any_order, any_text, error, items, matching, reasons, success
from tests.facts.descriptions import table_description
from tests.facts.requests import (
    SS,
    S,
    batch_get,
    batch_write,
    binary,
    call,
    delete,
    describe,
    get,
    item,
    key,
    put,
    put_request,
    query,
    scan,
    transact_write,
    tx_check,
    tx_put,
    update,
)
from tests.facts.runner import compare
from tests.facts.shapes import PLAIN
from tests.facts.table import Begin, Finish, Request, Wire, case, fact, section
from tests.facts.wire import (
    ACCESS_KEY,
    AMZ_JSON,
    CREDENTIALS,
    SECRET_KEY,
    Address,
    Connection,
    Response,
    ask,
    crc32,
)

SERIALIZATION = "SerializationException"
UNKNOWN_PAGE = b"<UnknownOperationException/>\n"
STRING = "NUMBER_VALUE cannot be converted to String"
ANY_ORIGIN = ("--cors", "*")


def wire(request: Request, check: Callable[[Response], None], **how: Any) -> Wire:
    """A request whose response, bytes and headers, is looked at."""

    def run(address: Address) -> None:
        check(ask(address, request.operation, request.parameters, **how))

    return Wire(run)


def answers(request: Request, expected: Answer, options: tuple[str, ...] = (), **how: Any) -> Wire:
    """A request whose status and body are compared."""

    def run(address: Address) -> None:
        response = ask(address, request.operation, request.parameters, **how)
        compare(Answer(response.status, response.json), expected, request.operation)

    return Wire(run, options)


def body_is(expected: bytes, status: int = 200) -> Callable[[Response], None]:
    def check(response: Response) -> None:
        assert (response.status, response.body) == (status, expected)

    return check


def has_header(name: str, pattern: str) -> Callable[[Response], None]:
    def check(response: Response) -> None:
        value = response.headers.get(name)
        assert value is not None, f"no {name}"
        assert re.fullmatch(pattern, value), value

    return check


def unknown_page(response: Response) -> None:
    assert (response.status, response.body) == (404, UNKNOWN_PAGE)
    assert response.headers["x-amz-crc32"] == "3552371480"


LIST = call("ListTables")
EVERY_KIND = (LIST, put(key("a")), put({}), call("DescribeTable", table="absent"), call("Unknown"))


def request_ids_differ(address: Address) -> None:
    ids = [ask(address, "ListTables").headers["x-amzn-requestid"] for _ in range(3)]
    assert all(re.fullmatch("[0-9A-Z]{52}", each) for each in ids), ids
    assert len(set(ids)) == 3


def checksums_are_of_the_bytes_sent(address: Address) -> None:
    big = item("big", f=S("x" * 20_000))
    for operation, body in (
        ("PutItem", put(big).parameters),
        ("GetItem", get(key("big")).parameters),
        ("PutItem", put({}).parameters),
    ):
        plain = ask(address, operation, body)
        assert plain.headers["x-amz-crc32"] == crc32(plain.body)
    packed = ask(address, "GetItem", get(key("big")).parameters, accept_encoding="gzip")
    assert packed.headers["content-encoding"] == "gzip"
    assert packed.headers["x-amz-crc32"] == crc32(packed.body)


def only_big_answers_are_packed(address: Address) -> None:
    small, big = item("small"), item("large", f=S("x" * 100_000))
    for each in (small, big):
        ask(address, "PutItem", put(each).parameters)
    for stored, offered, is_packed in (
        (small, "gzip", False),
        (big, "gzip, deflate", True),
        (big, None, False),
        (big, "identity", False),
    ):
        response = ask(address, "GetItem", get({"pk": stored["pk"]}).parameters, accept_encoding=offered)
        assert ("content-encoding" in response.headers) is is_packed
        body = gzip.decompress(response.body) if is_packed else response.body
        compare(Answer(response.status, Response(200, {}, body).json), success({"Item": stored}), "GetItem")


def requests_may_be_packed(address: Address) -> None:
    body = gzip.compress(b'{"TableName": "absent"}')
    response = ask(address, "DescribeTable", body, content_encoding="gzip")
    assert response.json["message"] == "Requested resource not found: Table: absent not found"
    limit = 16 << 20
    padding = b'{"TableName": "absent", "Padding": "'
    for size, status in ((limit, 400), (limit + 1, 413)):
        packed = gzip.compress(padding + b"x" * (size - len(padding) - 2) + b'"}', 1)
        assert ask(address, "DescribeTable", packed, content_encoding="gzip").status == status


def too_big_requests(address: Address) -> None:
    padding = b'{"TableName": "absent", "Padding": "'
    limit = 16 << 20
    for size, status in ((limit, 400), (limit + 1, 413)):
        body = padding + b"x" * (size - len(padding) - 2) + b'"}'
        assert ask(address, "DescribeTable", body).status == status
    assert ask(address, url="/" + "u" * (16 * 1024 + 1)).status == 400
    assert ask(address, x_long="h" * (16 * 1024 + 1)).status == 400
    assert ask(address, x_long="h" * (15 * 1024)).status == 200


def connections_stay_open(address: Address) -> None:
    connection = Connection(address)
    for operation in ("ListTables", "Unknown", "ListTables", "DescribeEndpoints", "ListTables"):
        response = connection.ask(operation)
        assert response.headers.get("connection", "keep-alive").lower() == "keep-alive"
    connection.close()


def web_pages_are_answered(address: Address) -> None:
    response = ask(address, origin="https://app.example")
    assert response.status == 200
    assert response.headers["access-control-allow-origin"] == "*"
    preflight = ask(
        address,
        method="OPTIONS",
        body=b"",
        origin="https://app.example",
        access_control_request_method="POST",
        access_control_request_headers="content-type,x-amz-target",
        content_type=None,
        x_amz_target=None,
        authorization=None,
    )
    assert preflight.status == 200
    assert preflight.headers["access-control-allow-origin"] == "*"
    assert preflight.headers["access-control-max-age"] == "172800"


def signed_twice(address: Address) -> None:
    response = ask(address, url="/?X-Amz-Algorithm=AWS4-HMAC-SHA256&X-Amz-Credential=x")
    compare(
        Answer(response.status, response.json),
        error(
            "InvalidSignatureException",
            "Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.",
        ),
        "two signatures",
    )


def incomplete(header: str, text: str, **how: Any) -> Wire:
    return answers(
        LIST, error("IncompleteSignatureException", text), (CREDENTIALS,), authorization=header, **how
    )


def good_signature(address: Address) -> None:
    """With a right signature the same server answers."""
    url = f"http://{address[0]}:{address[1]}/"
    headers = {"X-Amz-Target": "DynamoDB_20120810.ListTables", "Content-Type": AMZ_JSON}
    request = AWSRequest("POST", url, data=b"{}", headers=headers)
    SigV4Auth(Credentials(ACCESS_KEY, SECRET_KEY), "dynamodb", "eu-central-1").add_auth(request)
    response = ask(
        address,
        "ListTables",
        b"{}",
        authorization=request.headers["Authorization"],
        x_amz_date=request.headers["X-Amz-Date"],
    )
    assert (response.status, response.json) == (200, {"TableNames": []})


def health(address: Address) -> None:
    response = ask(
        address,
        method="GET",
        body=b"",
        content_type=None,
        x_amz_target=None,
        authorization=None,
        content_length=None,
    )
    assert (response.status, response.body) == (200, b"healthy: dynamodb.us-east-1.amazonaws.com ")
    assert response.headers["content-type"].startswith("text/")


def _is(actual: object, expected: object) -> None:
    assert actual == expected


def _is_serialization_error(response: Response) -> None:
    assert response.status == 400
    assert response.json["__type"] == "com.amazon.coral.service#SerializationException"


SECTION = section(
    1,
    "Wire protocol and headers",
    fact(
        "1.1",
        "A",
        "Requests are POST /, target header `X-Amz-Target: DynamoDB_20120810.<Op>`; streams use `DynamoDBStreams_20120810.<Op>`.",
        wire(put(key("a")), body_is(b"{}"), x_amz_target="DynamoDB_20120810.PutItem"),
        answers(LIST, error("UnknownOperationException", None), x_amz_target="DynamoDB_20111205.ListTables"),
        answers(LIST, error("UnknownOperationException", None), x_amz_target="ListTables"),
    ),
    fact(
        "1.2",
        "A, older capture; an HTML page was also seen",
        "Request Content-Type is `application/x-amz-json-1.0`; plain `application/json` is also taken; anything else, `application/x-amz-json-1.1` and none at all included, is HTTP 404 with the 29 bytes `<UnknownOperationException/>` and a line feed (crc32 3552371480). PUT, DELETE, and OPTIONS without an Origin give the same.",
        wire(put(key("a")), body_is(b"{}"), content_type="application/x-amz-json-1.0"),
        wire(put(key("a")), body_is(b"{}"), content_type="application/json"),
        *(
            wire(LIST, unknown_page, content_type=content_type)
            for content_type in (
                "application/x-amz-json-1.1",
                "text/plain",
                "application/x-www-form-urlencoded",
                None,
            )
        ),
        wire(LIST, unknown_page, method="PUT"),
        wire(LIST, unknown_page, method="DELETE"),
        wire(LIST, unknown_page, method="OPTIONS"),
    ),
    fact(
        "1.3",
        "A",
        "Responses, errors included, carry Content-Type `application/x-amz-json-1.0`.",
        *(wire(request, has_header("content-type", "application/x-amz-json-1.0")) for request in EVERY_KIND),
    ),
    fact(
        "1.4",
        "A",
        'An error body is `{"__type":"<namespace>#<Name>","message":"..."}`; the key is lower-case `message` for almost all errors.',
        wire(
            put({}),
            body_is(
                b'{"__type":"com.amazon.coral.validate#ValidationException","message":"One or more parameter values were invalid: Missing the key pk in the item"}',
                400,
            ),
        ),
        wire(
            get(key("a"), "absent"),
            body_is(
                b'{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException","message":"Requested resource not found"}',
                400,
            ),
        ),
    ),
    fact(
        "1.5",
        "A",
        "Namespace for ValidationException is `com.amazon.coral.validate#`.",
        put({}).answers(
            Answer(
                400,
                {
                    "__type": "com.amazon.coral.validate#ValidationException",
                    "message": "One or more parameter values were invalid: Missing the key pk in the item",
                },
            )
        ),
    ),
    fact(
        "1.6",
        "A",
        "Namespace for SerializationException, UnknownOperationException, MissingAuthenticationTokenException, IncompleteSignatureException, InvalidSignatureException, UnrecognizedClientException, AccessDeniedException and InternalFailure is `com.amazon.coral.service#`.",
        put(key("a"), 5).answers(
            Answer(400, {"__type": "com.amazon.coral.service#SerializationException", "message": STRING})
        ),
        answers(
            call("Unknown"), Answer(400, {"__type": "com.amazon.coral.service#UnknownOperationException"})
        ),
        answers(
            LIST,
            Answer(
                400,
                {
                    "__type": "com.amazon.coral.service#MissingAuthenticationTokenException",
                    "message": "Request is missing Authentication Token",
                },
            ),
            (CREDENTIALS,),
            authorization=None,
        ),
        answers(
            LIST,
            Answer(
                400,
                {"__type": "com.amazon.coral.service#IncompleteSignatureException", "message": any_text()},
            ),
            (CREDENTIALS,),
            authorization="AWS4-HMAC-SHA256",
        ),
        answers(
            LIST,
            Answer(
                400, {"__type": "com.amazon.coral.service#InvalidSignatureException", "message": any_text()}
            ),
            (CREDENTIALS,),
        ),
        answers(
            LIST,
            Answer(
                400, {"__type": "com.amazon.coral.service#UnrecognizedClientException", "message": any_text()}
            ),
            (CREDENTIALS,),
            authorization=f"AWS4-HMAC-SHA256 Credential=AKIAUNKNOWN/20261130/eu-central-1/dynamodb/aws4_request, SignedHeaders=host;x-amz-date, Signature={'0' * 64}",
        ),
        answers(
            LIST,
            Answer(403, {"__type": "com.amazon.coral.service#AccessDeniedException", "Message": any_text()}),
            host="database.example",
        ),
    ),
    fact(
        "1.7",
        "",
        "Every other error that the service model declares uses `com.amazonaws.dynamodb.v20120810#` (A). One exception: the throttle of control-plane calls was seen as `com.amazon.coral.availability#ThrottlingException` (A).",
        get(key("a"), "absent").answers(
            Answer(
                400,
                {
                    "__type": "com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",
                    "message": "Requested resource not found",
                },
            )
        ),
        put(key("a"), condition="attribute_exists(pk)").answers(
            Answer(
                400,
                {
                    "__type": "com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",
                    "message": "The conditional request failed",
                },
            )
        ),
        transact_write(tx_check(key("a"), "attribute_exists(pk)")).answers(
            Answer(
                400,
                {
                    "__type": "com.amazonaws.dynamodb.v20120810#TransactionCanceledException",
                    "Message": "Transaction cancelled, please refer cancellation reasons for specific reasons [ConditionalCheckFailed]",
                    "CancellationReasons": [
                        {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
                    ],
                },
            )
        ),
        case(
            call("UpdateTable", table=PLAIN, DeletionProtectionEnabled=True).succeeds(),
            describe(PLAIN).succeeds(),
            call("UpdateTable", table=PLAIN, DeletionProtectionEnabled=False).answers(
                Answer(
                    400,
                    {"__type": "com.amazon.coral.availability#ThrottlingException", "message": any_text()},
                )
            ),
        ),
    ),
    fact(
        "1.8",
        "",
        "TransactionCanceledException spells the key `Message` with a capital M and adds `CancellationReasons` (A). By the model TransactionInProgressException and IdempotentParameterMismatchException also spell `Message` (M); AccessDeniedException was captured with `Message` (A). TransactionConflictException has `message` (M).",
        transact_write(tx_check(key("a"), "attribute_exists(pk)")).answers(
            reasons(("ConditionalCheckFailed", "The conditional request failed"))
        ),
        case(
            transact_write(tx_put(key("a")), ClientRequestToken="token").gives({}),
            transact_write(tx_put(key("b")), ClientRequestToken="token").answers(
                Answer(
                    400,
                    {
                        "__type": "com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException",
                        "Message": any_text(),
                    },
                )
            ),
        ),
        case(
            put(key("a")).gives({}),
            Begin("first", transact_write(tx_put(key("a")), ClientRequestToken="token")),
            transact_write(tx_put(key("a")), ClientRequestToken="token").answers(
                Answer(
                    400,
                    {
                        "__type": "com.amazonaws.dynamodb.v20120810#TransactionInProgressException",
                        "Message": any_text(),
                    },
                )
            ),
            put(key("a")).answers(
                Answer(
                    400,
                    {
                        "__type": "com.amazonaws.dynamodb.v20120810#TransactionConflictException",
                        "message": "Transaction is ongoing for the item",
                    },
                )
            ),
            Finish("first", success({})),
            profile="aws",
        ),
    ),
    fact(
        "1.9",
        "D",
        "Client errors are HTTP 400, including ResourceNotFoundException and ConditionalCheckFailedException; server faults are 500/503.",
        wire(get(key("a"), "absent"), lambda response: _is(response.status, 400)),
        wire(
            put(key("a"), condition="attribute_exists(pk) AND attribute_not_exists(pk)"),
            lambda response: _is(response.status, 400),
        ),
        wire(put({}), lambda response: _is(response.status, 400)),
        wire(call("Unknown"), lambda response: _is(response.status, 400)),
    ),
    fact(
        "1.10",
        "A",
        "Every response has `x-amzn-RequestId`: 52 characters out of 0-9 and A-Z.",
        Wire(request_ids_differ),
        *(wire(request, has_header("x-amzn-requestid", "[0-9A-Z]{52}")) for request in EVERY_KIND),
    ),
    fact(
        "1.11",
        "A",
        "Every response has `x-amz-crc32`, the decimal CRC32 of the body bytes as sent; with gzip the checksum is of the compressed bytes.",
        Wire(checksums_are_of_the_bytes_sent),
        wire(
            LIST,
            lambda response: _is(response.headers["x-amz-crc32"], crc32(response.body)),
            content_type="text/plain",
        ),
    ),
    fact(
        "1.12",
        "A",
        "Responses also carry Content-Length, Date and `Server: Server`.",
        *(
            wire(request, has_header(name, pattern))
            for request in EVERY_KIND
            for name, pattern in (
                ("content-length", r"\d+"),
                ("date", r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT"),
                ("server", "Server"),
            )
        ),
    ),
    fact(
        "1.13",
        "A",
        "GET / gives 200 with the text body `healthy: dynamodb.<region>.amazonaws.com ` (with the trailing space).",
        Wire(health),
    ),
    fact(
        "1.14",
        "A",
        "A body that is not JSON gives SerializationException 400 with no message key.",
        *(
            answers(
                Request("PutItem", body),
                Answer(400, {"__type": "com.amazon.coral.service#SerializationException"}),
            )
            for body in (b"", b"{", b"not json", b'{"TableName": "plain"', b"\xff\xfe")
        ),
    ),
    fact(
        "1.15",
        "A",
        "A JSON body that is not an object (`null`, `[]`, a string) is rejected.",
        *(
            wire(Request("PutItem", body), _is_serialization_error)
            for body in (b"null", b"[]", b'"text"', b"5", b"true", b'[{"TableName": "plain"}]')
        ),
    ),
    fact(
        "1.16",
        "A",
        "An unknown operation after the right target prefix gives UnknownOperationException 400.",
        *(
            answers(call(operation), error("UnknownOperationException", None))
            for operation in ("Unknown", "listtables", "", "SearchVectors", "ExecuteStatement")
        ),
    ),
    fact(
        "1.17",
        "A",
        "No authentication information at all gives MissingAuthenticationTokenException `Request is missing Authentication Token`.",
        answers(
            LIST,
            error("MissingAuthenticationTokenException", "Request is missing Authentication Token"),
            (CREDENTIALS,),
            authorization=None,
        ),
        Wire(good_signature, (CREDENTIALS,)),
    ),
    fact(
        "1.18",
        "A",
        "Authorization header and query-string signature together give InvalidSignatureException `Found both 'X-Amz-Algorithm' as a query-string param and 'Authorization' as HTTP header.`",
        Wire(signed_twice, (CREDENTIALS,)),
    ),
    fact(
        "1.19",
        "A",
        "An Authorization header lacking parts gives IncompleteSignatureException listing each missing one: `Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. ...` and the header echoed at the end.",
        incomplete(
            "AWS4-HMAC-SHA256 SignedHeaders=host",
            "Authorization header requires 'Credential' parameter. Authorization header requires 'Signature' parameter. Authorization=AWS4-HMAC-SHA256 SignedHeaders=host",
        ),
        incomplete(
            "AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host",
            "Authorization header requires 'Signature' parameter. Authorization=AWS4-HMAC-SHA256 Credential=a/b/c/d/e, SignedHeaders=host",
        ),
        answers(
            LIST,
            error(
                "IncompleteSignatureException",
                matching(
                    r"Authorization header requires 'Credential' parameter\. Authorization header requires 'Signature' parameter\. "
                    r"Authorization header requires 'SignedHeaders' parameter\. .*AWS4-HMAC-SHA256"
                ),
            ),
            (CREDENTIALS,),
            authorization="AWS4-HMAC-SHA256",
        ),
    ),
    fact(
        "1.20",
        "A",
        "A request body over 16 MB gives HTTP 413; a URL or one header over 16 KB gives 400.",
        Wire(too_big_requests),
    ),
    fact(
        "1.21",
        "A",
        "Request bodies may be gzip-compressed (`Content-Encoding: gzip`); the 16 MB limit also applies to the size after decompression.",
        Wire(requests_may_be_packed),
    ),
    fact(
        "1.22",
        "A",
        "Response gzip is only applied when the request offers it in Accept-Encoding and the body is big enough; small bodies stay plain.",
        Wire(only_big_answers_are_packed),
    ),
    fact(
        "1.23",
        "A",
        "Connections are kept alive.",
        Wire(connections_stay_open),
    ),
    fact(
        "1.24",
        "A",
        "With an Origin header the answer has `Access-Control-Allow-Origin: *`; OPTIONS preflight answers with max-age 172800.",
        Wire(web_pages_are_answered, ANY_ORIGIN),
    ),
    fact(
        "1.25",
        "A",
        'Numbers go as JSON strings: `{"N": 3}` gives SerializationException (not ValidationException).',
        put(item("a", n={"N": 3})).fails("NUMBER_VALUE cannot be converted to String", SERIALIZATION),
        get({"pk": {"N": 1.5}}).fails(any_text(), SERIALIZATION),
        update(key("a"), "SET n = :n", values={":n": {"N": 3}}).fails(STRING, SERIALIZATION),
        put(item("a", n={"NS": [1]})).fails(STRING, SERIALIZATION),
    ),
    fact(
        "1.26",
        "A",
        "A wrong JSON type for any modelled member (TableName a number, a list where a map is expected) gives SerializationException.",
        *(
            request.fails(any_text(), SERIALIZATION)
            for request in (
                get(key("a"), 5),
                get(key("a"), ["plain"]),
                get(key("a"), {"name": "plain"}),
                get([key("a")]),
                get("a"),
                put([key("a")]),
                put({"pk": "a"}),
                put({"pk": {"S": "a"}, "l": {"L": {"S": "x"}}}),
                get(key("a"), ConsistentRead="true"),
                scan(Limit="10"),
                scan(filter=True),
                call("BatchGetItem", RequestItems=[{}]),
                transact_write("text"),
            )
        ),
    ),
    fact(
        "1.27",
        "A",
        "SerializationException texts name the types, e.g. `NUMBER_VALUE cannot be converted to String`, `Unexpected value type in payload`, `Start of structure or map found where not expected` (older capture, final full stop uncertain), `Unrecognized collection type class ...`.",
        get(key("a"), 5).fails("NUMBER_VALUE cannot be converted to String", SERIALIZATION),
        put({"pk": "a"}).fails("Unexpected value type in payload", SERIALIZATION),
        get(key("a"), {}).fails(
            matching(r"Start of structure or map found where not expected\.?"), SERIALIZATION
        ),
        put({"pk": ["a"]}).fails(matching(r"Unrecognized collection type class .+"), SERIALIZATION),
    ),
    fact(
        "1.28",
        "A",
        "A non-string value within ExpressionAttributeNames gives SerializationException.",
        get(key("a"), projection="#a", names={"#a": 5}).fails(STRING, SERIALIZATION),
        get(key("a"), projection="#a", names={"#a": {"S": "a"}}).fails(any_text(), SERIALIZATION),
    ),
    fact(
        "1.29",
        "A",
        "Bad base64, or base64 without its padding, in B or BS gives SerializationException.",
        *(
            put(item("a", b=value)).fails(any_text(), SERIALIZATION)
            for value in (
                {"B": "YQ"},
                {"B": "YQ="},
                {"B": "Y!=="},
                {"B": "%%%%"},
                {"BS": ["YQ==", "YQ"]},
                {"B": "YR=="},
            )
        ),
        case(
            put(item("a", b=binary(b"a"))).gives({}), get(key("a")).gives({"Item": item("a", b=binary(b"a"))})
        ),
    ),
    fact(
        "1.30",
        "A",
        "Unknown extra members of a request are ignored.",
        case(
            put(key("a"), Unknown=1, unknown={"x": []}).gives({}),
            get(key("a"), Unknown=None).gives({"Item": key("a")}),
            scan(Unknown=["x"]).gives(items(key("a"))),
        ),
    ),
    fact(
        "1.31",
        "A",
        "PutItem with nothing to return answers exactly `{}`.",
        wire(put(key("a")), body_is(b"{}")),
        wire(delete(key("b")), body_is(b"{}")),
        wire(update(key("a")), body_is(b"{}")),
    ),
    fact(
        "1.32",
        "A",
        "TagResource and UntagResource succeed with an entirely empty body.",
        wire(
            call(
                "TagResource",
                ResourceArn="arn:aws:dynamodb:eu-central-1:000000000000:table/plain",
                Tags=[{"Key": "a", "Value": "b"}],
            ),
            body_is(b""),
        ),
        wire(
            call(
                "UntagResource",
                ResourceArn="arn:aws:dynamodb:eu-central-1:000000000000:table/plain",
                TagKeys=["a"],
            ),
            body_is(b""),
        ),
    ),
    fact(
        "1.33",
        "A",
        "Members without a value are left out, never sent as null: `Item` of a missing item, `Attributes`, `LastEvaluatedKey`, `ConsumedCapacity`, `ItemCollectionMetrics`. Sent even when empty: `Items: []` (but not with Select COUNT, 11.27), `Count: 0`, `ScannedCount: 0`, `UnprocessedItems: {}`, `UnprocessedKeys: {}`, `TableNames: []`, `Tags: []` (20.8), and `Item: {}` when the item exists and the projection matches nothing (10.2).",
        get(key("a")).gives({}),
        put(key("a"), ReturnValues="ALL_OLD").gives({}),
        query("pk = :p", values={":p": S("a")}).gives({"Items": [], "Count": 0, "ScannedCount": 0}),
        scan().gives({"Items": [], "Count": 0, "ScannedCount": 0}),
        scan(Select="COUNT").gives({"Count": 0, "ScannedCount": 0}),
        batch_write([put_request(key("a"))]).gives({"UnprocessedItems": {}}),
        batch_get([key("a")]).gives({"Responses": {PLAIN: []}, "UnprocessedKeys": {}}),
        call("ListTables").gives({"TableNames": []}),
        call(
            "ListTagsOfResource", ResourceArn="arn:aws:dynamodb:eu-central-1:000000000000:table/plain"
        ).gives({"Tags": []}),
        case(put(item("a", v=SS("x"))).gives({}), get(key("a"), projection="w").gives({"Item": {}})),
        case(
            put(item("a", v=SS("y", "x"))).gives({}),
            get(key("a")).gives({"Item": item("a", v=any_order(SS("x", "y")))}),
        ),
    ),
    fact(
        "1.34",
        "A",
        "Timestamps (CreationDateTime and so on) are JSON numbers: epoch seconds with fraction.",
        describe(PLAIN).gives({"Table": table_description(PLAIN)}),
        wire(describe(PLAIN), lambda response: _is(b'"CreationDateTime":"' in response.body, False)),
        wire(
            describe(PLAIN),
            lambda response: _is(
                bool(re.search(rb'"CreationDateTime":\d{10}\.\d+[,}]', response.body)), True
            ),
        ),
    ),
)
