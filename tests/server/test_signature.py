"""Signatures, made by botocore and verified by the server."""

from __future__ import annotations

import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from botocore.auth import SigV4Auth, SigV4QueryAuth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from partita.errors import DynamoDBError
from partita.server.credentials import Credential, CredentialsUnusable, read
from partita.server.signature import Signatures

KEYS = {
    "123456789012": Credential("first secret", ""),
    "AKIATEMPORARY": Credential("second secret", "a token"),
}
BODY = b'{"TableName": "music"}'


class QueryAuth(SigV4QueryAuth):  # type: ignore[misc]
    """Signs JSON; botocore's own takes a body for parameters of the query."""

    def payload(self, request: Any) -> str:
        return sha256(BODY).hexdigest()


def signed(
    *,
    key: str = "123456789012",
    secret: str = "first secret",
    token: str | None = None,
    url: str = "http://localhost:8000/",
    region: str = "eu-west-1",
    service: str = "dynamodb",
    signer: Callable[..., Any] = SigV4Auth,
) -> tuple[bytes, dict[bytes, bytes]]:
    """URL and headers of a signed request, as the server sees them."""
    request = AWSRequest(
        "POST",
        url,
        data=BODY if signer is SigV4Auth else b"",
        headers={"X-Amz-Target": "DynamoDB_20120810.GetItem"},
    )
    signer(Credentials(key, secret, token), service, region).add_auth(request)
    prepared = request.prepare()
    headers = {
        name.lower().encode(): value if isinstance(value, bytes) else value.encode()
        for name, value in prepared.headers.items()
    }
    headers[b"host"] = b"localhost:8000"
    return prepared.url.removeprefix("http://localhost:8000").encode(), headers


def verify(
    url: bytes, headers: dict[bytes, bytes], body: bytes = BODY, shift_s: float = 0
) -> tuple[str, str]:
    return Signatures(KEYS, lambda: time.time() + shift_s).scope(b"POST", url, headers, body)


@pytest.mark.parametrize("url", ["", "/", "/?b=2&a=1", "/a%20b/c?x=%20y%2F&empty", "/~-_.?~-_.=%C3%A9"])
@pytest.mark.parametrize("signer", [SigV4Auth, QueryAuth])
def test_good_signatures(url: str, signer: Callable[..., Any]) -> None:
    url = url or "/"
    path, headers = signed(url="http://localhost:8000" + url, signer=signer)
    assert verify(path, headers) == ("123456789012", "eu-west-1")


def test_session_tokens() -> None:
    path, headers = signed(key="AKIATEMPORARY", secret="second secret", token="a token")
    assert verify(path, headers) == ("000000000000", "eu-west-1")
    path, headers = signed(key="AKIATEMPORARY", secret="second secret", token="another")
    with pytest.raises(DynamoDBError, match="The security token included"):
        verify(path, headers)


def refusal(
    url: bytes, headers: dict[bytes, bytes], body: bytes = BODY, shift_s: float = 0
) -> tuple[str, str]:
    with pytest.raises(DynamoDBError) as caught:
        verify(url, headers, body, shift_s)
    return caught.value.name, str(caught.value)


WRONG = (
    "InvalidSignatureException",
    "The request signature we calculated does not match the signature you provided. Check your AWS Secret "
    "Access Key and signing method. Consult the service documentation for details.",
)


def test_wrong_secrets_bodies_and_headers() -> None:
    assert refusal(*signed(secret="guessed")) == WRONG
    path, headers = signed()
    assert refusal(path, headers, b"{}") == WRONG
    assert refusal(path, {**headers, b"x-amz-target": b"DynamoDB_20120810.DeleteTable"}) == WRONG
    assert refusal(path + b"?a=b", headers) == WRONG
    tampered = headers[b"authorization"].replace(b"Signature=", b"Signature=\xc3")
    assert refusal(path, {**headers, b"authorization": tampered}) == WRONG


def test_unknown_keys() -> None:
    assert refusal(*signed(key="AKIAUNKNOWN")) == (
        "UnrecognizedClientException",
        "The security token included in the request is invalid.",
    )


def test_clock_skew() -> None:
    path, headers = signed()
    date = headers[b"x-amz-date"].decode()
    assert verify(path, headers, shift_s=290) == verify(path, headers, shift_s=-290)
    name, message = refusal(path, headers, shift_s=400)
    assert name == "InvalidSignatureException"
    assert message.startswith(f"Signature expired: {date} is now earlier than ")
    assert message.endswith(" - 5 min.)")
    _, message = refusal(path, headers, shift_s=-400)
    assert message.startswith(f"Signature not yet current: {date} is still later than ")
    assert message.endswith(" + 5 min.)")


def test_scopes() -> None:
    assert refusal(*signed(service="s3"))[1].startswith("Credential should be scoped to correct service")
    path, headers = signed()
    header = headers[b"authorization"]
    other = {**headers, b"authorization": header.replace(b"aws4_request", b"aws5_request")}
    assert "valid terminator: 'aws4_request', not 'aws5_request'" in refusal(path, other)[1]
    day = headers[b"x-amz-date"][:8]
    other = {**headers, b"authorization": header.replace(b"/" + day + b"/", b"/20000101/")}
    assert f"'20000101' != '{day.decode()}'" in refusal(path, other)[1]
    other = {**headers, b"authorization": header.replace(b"host;", b"")}
    assert refusal(path, other)[1] == "'Host' must be a 'SignedHeader' in the AWS Authorization."
    for date in (b"yesterday", b"Mon, 01 Jan 99999 00:00:00 GMT", b"Mon, 01 Jan 2024 00:00:00 -" + b"9" * 26):
        other = {**headers, b"x-amz-date": date}
        assert refusal(path, other)[0] == "IncompleteSignatureException"


def test_dates_of_the_date_header() -> None:
    path, headers = signed()
    headers[b"date"] = time.strftime("%a, %d %b %Y %H:%M:%S GMT", time.gmtime()).encode()
    del headers[b"x-amz-date"]
    assert refusal(path, headers) == WRONG


def test_credentials_files(tmp_path: Path) -> None:
    path = tmp_path / "credentials"
    path.write_text(
        "[default]\naws_access_key_id = AKIA\naws_secret_access_key = a%b\n"
        "[other]\naws_access_key_id=ASIA\naws_secret_access_key=c\naws_session_token=d\n"
    )
    assert read(str(path)) == {"AKIA": Credential("a%b", ""), "ASIA": Credential("c", "d")}


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "No such file or directory"),
        (b"no sections", "not in the form of ~/.aws/credentials"),
        (b"\xff\xfe\x00", "not in the form of ~/.aws/credentials"),
        (b"[a]\naws_access_key_id=x\n", "[a] needs aws_access_key_id and aws_secret_access_key"),
        (b"[a]\nregion=x\n", "no aws_access_key_id in it"),
    ],
)
def test_unusable_credentials_files(tmp_path: Path, content: bytes | None, reason: str) -> None:
    path = tmp_path / "credentials"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(CredentialsUnusable) as caught:
        read(str(path))
    assert str(caught.value) == f"--credentials {path}: {reason}"
