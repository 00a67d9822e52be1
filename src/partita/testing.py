"""`mock_aws`: tests of code that uses DynamoDB through boto3, with nothing to start and no network.

    from partita.testing import mock_aws

    @mock_aws
    def test_signup():
        boto3.client("dynamodb", "us-east-1").create_table(...)

It decorates functions, generators (fixtures), coroutines and classes, `unittest.TestCase` among them, and
is a context manager with `start` and `stop`. Every outermost use begins with an empty database; uses inside
it share it.
"""

from __future__ import annotations

import functools
import inspect
import threading
import unittest
from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from typing import TYPE_CHECKING, Any, Self, TypeVar, cast, overload

from partita.local.environment import prepared
from partita.local.patch import Patch

if TYPE_CHECKING:
    from partita.local.database import Database

ACCOUNT = "123456789012"
"""The account of keys that are not an account themselves, as tests that come from moto expect it."""

Target = TypeVar("Target", bound="Callable[..., Any]")


class ServiceNotMocked(Exception):
    """Code under `mock_aws` used another service than DynamoDB. No request was sent."""


class MockAWS:
    """What `mock_aws()` gives. While one is started, no AWS request leaves this process."""

    def __init__(self, profile: str = "instant", seed: int = 0, **settings: Any) -> None:
        self._settings: dict[str, Any] = {"profile": profile, "seed": seed, **settings}

    @property
    def database(self) -> Database:
        """The database that answers now."""
        if _running.database is None:
            raise RuntimeError("mock_aws has not been started")
        return _running.database

    def start(self, reset: bool = True) -> None:
        """Begins; `reset` is there for callers that know moto, and an outermost start always resets."""
        _running.enter(self._settings)

    def stop(self) -> None:
        """Ends what the last `start` began. RuntimeError if nothing was started."""
        _running.leave()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def __call__(self, target: Target) -> Target:
        """As a decorator."""
        if inspect.isclass(target):
            return cast(Target, self._decorate_class(target))
        return cast(Target, self._decorate_function(target))

    def _decorate_function(self, function: Callable[..., Any]) -> Callable[..., Any]:
        if inspect.iscoroutinefunction(function):

            @functools.wraps(function)
            async def mocked_coroutine(*args: Any, **kwargs: Any) -> Any:
                with self:
                    return await function(*args, **kwargs)

            return mocked_coroutine
        if inspect.isasyncgenfunction(function):

            @functools.wraps(function)
            async def mocked_async_generator(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
                with self:
                    generator = function(*args, **kwargs)
                    step = generator.__anext__()
                    with suppress(StopAsyncIteration):
                        while True:
                            value = await step
                            try:
                                step = generator.asend((yield value))
                            except GeneratorExit:
                                await generator.aclose()
                                raise
                            except BaseException as error:
                                step = generator.athrow(error)

            return mocked_async_generator
        if inspect.isgeneratorfunction(function):

            @functools.wraps(function)
            def mocked_generator(*args: Any, **kwargs: Any) -> Iterator[Any]:
                with self:
                    yield from function(*args, **kwargs)

            return mocked_generator

        @functools.wraps(function)
        def mocked(*args: Any, **kwargs: Any) -> Any:
            with self:
                return function(*args, **kwargs)

        return mocked

    def _decorate_class(self, klass: type) -> type:
        own = vars(klass).copy()
        for name, value in own.items():
            if inspect.isclass(value) and value.__qualname__ == f"{klass.__qualname__}.{name}":
                self._decorate_class(value)
        if issubclass(klass, unittest.TestCase):
            # From before setUp until after the last cleanup.
            return self._wrap(klass, "run")
        if hasattr(klass, "setup_method"):
            self._span_methods(klass)
        # Which names are tests is the test runner's configuration, so every public method counts.
        public = {name for name in own if not name.startswith("_")} - {"setup_method", "teardown_method"}
        inherited = {name for name in dir(klass) if name.startswith("test")}
        for name in sorted(public | inherited):
            if inspect.isfunction(inspect.getattr_static(klass, name)):
                self._wrap(klass, name)
        return klass

    def _wrap(self, klass: type, name: str) -> type:
        setattr(klass, name, self._decorate_function(getattr(klass, name)))
        return klass

    def _span_methods(self, klass: Any) -> None:
        """What `setup_method` writes is there in the test; `teardown_method` ends it."""
        setup = _taking_method(klass.setup_method)
        teardown = _taking_method(getattr(klass, "teardown_method", lambda self: None))

        @functools.wraps(setup)
        def setup_method(instance: Any, method: Any = None) -> None:
            self.start()
            try:
                setup(instance, method)
            except BaseException:
                self.stop()
                raise

        @functools.wraps(teardown)
        def teardown_method(instance: Any, method: Any = None) -> None:
            try:
                teardown(instance, method)
            finally:
                self.stop()

        klass.setup_method, klass.teardown_method = setup_method, teardown_method


def _taking_method(function: Callable[..., None]) -> Callable[[Any, Any], None]:
    """pytest gives these methods the test's, if they take it."""
    if len(inspect.signature(function).parameters) > 1:
        return function
    return lambda instance, method: function(instance)


@overload
def mock_aws(target: Target) -> Target: ...


@overload
def mock_aws(target: None = None, *, config: Mapping[str, Any] | None = None, **settings: Any) -> MockAWS: ...


def mock_aws(
    target: Callable[..., Any] | None = None, *, config: Mapping[str, Any] | None = None, **settings: Any
) -> Any:
    """Answers DynamoDB inside; see the module. With and without parentheses, as moto's.

    `settings` are those of `partita.Database`: `profile`, `seed`, and the profile's numbers. `config` is
    taken for the sake of code that comes from moto, and has no effect: what it configures is other services.
    """
    mock = MockAWS(**settings)
    return mock if target is None else mock(target)


class _Running:
    """The mocks that are started, in this process: they share one database and one environment."""

    def __init__(self) -> None:
        self.database: Database | None = None
        self._lock = threading.Lock()
        self._depth = 0
        self._ends = ExitStack()

    def enter(self, settings: Mapping[str, Any]) -> None:
        with self._lock:
            if self._depth == 0:
                self._begin(settings)
            self._depth += 1

    def leave(self) -> None:
        with self._lock:
            if self._depth == 0:
                raise RuntimeError("mock_aws: stop() was called more often than start()")
            self._depth -= 1
            if self._depth == 0:
                self.database = None
                self._ends.close()

    def _begin(self, settings: Mapping[str, Any]) -> None:
        from partita.local.database import Database

        with ExitStack() as ends:
            database = ends.enter_context(Database(account=ACCOUNT, **settings))
            ends.enter_context(Patch(database, _refuse))
            ends.enter_context(prepared())
            self._ends = ends.pop_all()
        self.database = database


def _refuse(service: str, operation: str) -> Exception:
    return ServiceNotMocked(
        f"partita's mock_aws answers DynamoDB only, and the code under test called {operation} of {service}. "
        "Mock that service by other means (moto's mock_aws may be active beside this one), or use "
        "partita.patch_boto3(), which leaves other services alone."
    )


_running = _Running()
