"""boto3, botocore and aiobotocore with no sockets: requests are answered where they would be sent.

A client emits `before-send` once a request is serialised and signed, and takes a response from whoever
has one. What comes before and after (parameter checks, signing, checksums, parsing, retries, paginators,
waiters) is botocore's own. One handler is attached to a client; which database answers is asked each time.
"""

from __future__ import annotations

import inspect
import io
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any
from weakref import WeakSet

from botocore.awsrequest import AWSResponse
from botocore.credentials import Credentials

from partita.local import pauses
from partita.local.wire import Response, Wire

if TYPE_CHECKING:
    from partita.local.database import Database

Answerer = Callable[[], "Wire | None"]
"""Which database answers now; None: nobody, the request goes where it was going."""

_SECRET = "partita"
_lock = threading.Lock()
_sessions: list[Any] = []
"""The one of all databases' own clients, once there is one."""
_loaders: list[Any] = []
_attached: WeakSet[Any] = WeakSet()


def client(database: Database, arguments: dict[str, Any]) -> Any:
    """A client of `database`; see `Database.client`."""
    with _lock:
        made = _session().client("dynamodb", **_with_defaults(database, arguments))
    attach(made.meta.events, lambda: database.wire)
    return made


def resource(database: Database, arguments: dict[str, Any]) -> Any:
    """A resource of `database`; see `Database.resource`."""
    with _lock:
        made = _session().resource("dynamodb", **_with_defaults(database, arguments))
    attach(made.meta.client.meta.events, lambda: database.wire)
    return made


def attach(events: Any, answerer: Answerer, *, is_async: bool = False) -> None:
    """Lets `answerer`'s database answer the requests of the client whose event system this is.

    Only the first one that is attached to a client counts. Ours is asked before other handlers.
    """
    if events in _attached:
        return
    _attached.add(events)
    pauses.install()
    credentials = _AsyncCredentials if is_async else Credentials

    def answer(request: Any, **_: Any) -> Any:
        wire = answerer()
        if wire is None:
            return None
        response = wire.exchange(request.headers, request.body)
        pauses.answered(wire.clock)
        return _response(AWSResponse, request, response)

    async def answer_async(request: Any, **_: Any) -> Any:
        wire = answerer()
        if wire is None:
            return None
        response = await wire.exchange_async(request.headers, request.body)
        pauses.answered(wire.clock)
        return _response(_AsyncResponse, request, response)

    def give_credentials(request: Any, request_signer: Any, **_: Any) -> None:
        # A client without credentials could not sign; nothing here verifies what it signs.
        if answerer() is not None and getattr(request_signer, "_credentials", None) is None:
            signing = request.context.setdefault("signing", {})
            signing.setdefault("request_credentials", credentials(_SECRET, _SECRET))

    events.register_first("before-send.dynamodb", answer_async if is_async else answer)
    events.register_first("before-sign.dynamodb", give_credentials)


def attach_refusal(events: Any, refusal: Callable[[Any], Exception | None]) -> None:
    """Lets requests of the client whose event system this is fail with what `refusal` gives, if anything.

    Only if no other handler has a response: whoever else answers requests in this process still does.
    """
    if events in _attached:
        return
    _attached.add(events)

    def refuse(event_name: str, **_: Any) -> _Refusal | None:
        error = refusal(event_name)
        return None if error is None else _Refusal(error)

    events.register_last("before-send", refuse)


def is_async(endpoint: Any) -> bool:
    """Whether a client's endpoint is aiobotocore's."""
    return inspect.iscoroutinefunction(type(endpoint)._send)


def new_session() -> Any:
    """A boto3 session that shares the loader of the others here.

    Reading the service model is by far the most of a first client's making, and the same each time.
    """
    # Not at the top: aiobotocore does without boto3.
    import boto3
    import botocore.session

    core = botocore.session.get_session()
    if _loaders:
        core.register_component("data_loader", _loaders[0])
    else:
        _loaders.append(core.get_component("data_loader"))
    session = boto3.session.Session(botocore_session=core)
    # Each session of boto3 adds its folder to the loader's.
    paths = _loaders[0].search_paths
    paths[:] = dict.fromkeys(paths)
    return session


def _session() -> Any:
    if not _sessions:
        _sessions.append(new_session())
    return _sessions[0]


def _with_defaults(database: Database, arguments: dict[str, Any]) -> dict[str, Any]:
    defaults: dict[str, Any] = {"region_name": database.region}
    if "aws_access_key_id" not in arguments:
        defaults |= {"aws_access_key_id": database.account, "aws_secret_access_key": _SECRET}
    return defaults | arguments


class _AsyncCredentials:
    """Credentials as aiobotocore's: the frozen ones are awaited."""

    def __init__(self, access_key: str, secret_key: str) -> None:
        self._credentials = Credentials(access_key, secret_key)

    async def get_frozen_credentials(self) -> Any:
        return self._credentials.get_frozen_credentials()


class _Refusal:
    """A response that raises once botocore reads it, which it does only if there is no other."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    def __getattr__(self, name: str) -> Any:
        raise self._error


class _Raw(io.BytesIO):
    """A body as botocore reads it from urllib3."""

    def stream(self, **_: Any) -> Iterator[bytes]:
        yield self.read()


def _response(of_class: Any, request: Any, response: Response) -> Any:
    return of_class(request.url, response.status, response.headers, _Raw(response.body))


class _AsyncResponse(AWSResponse):
    """As aiobotocore's: the content is awaited."""

    @property
    def content(self) -> Any:
        return self._read()

    @property
    def text(self) -> Any:
        return self._read_text()

    async def _read(self) -> bytes:
        return bytes(self.raw.getvalue())

    async def _read_text(self) -> str:
        return bytes(self.raw.getvalue()).decode()
