"""`patch_boto3`: the DynamoDB clients of code under test, whoever makes them, talk to a database here."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from partita.local.database import Database
    from partita.local.wire import Wire


Refuses = Callable[[str, str], "Exception | None"]
"""Given a service and an operation (`s3`, `PutObject`), the error to raise instead of sending, if any."""


class Patch:
    """Made by `patch_boto3`. Give it to `with`, or call `start` and `stop`."""

    def __init__(self, database: Database | None = None, refuses: Refuses | None = None) -> None:
        self._given = database
        self._database: Database | None = None
        self.refuses = refuses
        """About requests of other services than DynamoDB; None: they are sent."""

    @property
    def wire(self) -> Wire | None:
        return None if self._database is None else self._database.wire

    def start(self) -> Database:
        """From here on all clients talk to the database, which is returned."""
        if self._database is not None:
            raise RuntimeError("this patch has been started already")
        database = self._given
        if database is None:
            from partita.local.database import Database

            database = Database()
        self._database = database
        _active.add(self)
        return database

    def stop(self) -> None:
        """From here on clients send requests again, or talk to the database of an outer patch."""
        if self._database is None:
            raise RuntimeError("this patch has not been started")
        _active.remove(self)
        if self._given is None:
            self._database.close()
        self._database = None

    def __enter__(self) -> Database:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.stop()


def patch_boto3(database: Database | None = None) -> Patch:
    """Lets every DynamoDB client in this process talk to `database`, or to a new one in memory.

        with partita.patch_boto3() as db:
            code_under_test()

    That goes for clients of botocore, boto3 and aiobotocore, made before or meanwhile, in any thread, with
    or without credentials. Other services are left alone. Patches nest; the innermost counts. Clients
    from `db.client()` stay with their own database.
    """
    return Patch(database)


class _Active:
    """The patches that are in force, innermost last, and what they put into botocore meanwhile."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._patches: list[Patch] = []
        self._uninstall: Callable[[], None] = _nothing

    def add(self, patch: Patch) -> None:
        with self._lock:
            if not self._patches:
                self._uninstall = _install()
            self._patches = [*self._patches, patch]

    def remove(self, patch: Patch) -> None:
        with self._lock:
            self._patches = [other for other in self._patches if other is not patch]
            if not self._patches:
                self._uninstall()
                self._uninstall = _nothing

    def wire(self) -> Wire | None:
        """The database of the innermost patch."""
        patches = self._patches
        return patches[-1].wire if patches else None

    def refusal(self, event_name: str) -> Exception | None:
        """Why a request of another service is not sent; the event is `before-send.<service>.<operation>`."""
        for patch in reversed(self._patches):
            if patch.refuses is not None:
                _, service, operation = event_name.split(".", 2)
                return patch.refuses(service, operation)
        return None


def _install() -> Callable[[], None]:
    """Catches each client on its way to its next request; gives the function that ends that.

    All clients of botocore and aiobotocore go through this one method of their endpoint, also those
    that exist already.
    """
    import botocore.endpoint

    from partita.local import boto

    Endpoint: Any = botocore.endpoint.Endpoint  # noqa: N806
    original = Endpoint.make_request

    @functools.wraps(original)
    def make_request(endpoint: Any, operation_model: Any, request_dict: Any) -> Any:
        events = endpoint._event_emitter
        if operation_model.service_model.service_name == "dynamodb":
            boto.attach(events, _active.wire, is_async=boto.is_async(endpoint))
        else:
            boto.attach_refusal(events, _active.refusal)
        return original(endpoint, operation_model, request_dict)

    def uninstall() -> None:
        # Somebody may have wrapped our function meanwhile; then it stays, and does nothing.
        if Endpoint.make_request is make_request:
            Endpoint.make_request = original

    Endpoint.make_request = make_request
    return uninstall


def _nothing() -> None:
    """Ends nothing."""


_active = _Active()
