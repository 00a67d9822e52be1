"""The pytest plugin: a fresh database for each test, and boto3 talking to it. Costs nothing until used.

Fixtures (their names can be changed in the ini file):

- `partita_db`: a `partita.Database`; DynamoDB clients that the test or the code under test makes talk to it.
- `dynamodb_client` and `dynamodb_resource`: boto3's, of that database.

Ini options: `partita_tables` (files of CreateTable requests or CloudFormation templates, whose tables each
database begins with), `partita_profile`, `partita_seed`, `partita_region`. A test has it otherwise with
`@pytest.mark.partita(tables="orders.json", profile="aws", seed=7, clock="manual", index_lag_ms=(5, 50))`.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from partita.local.database import Database


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("partita_tables", "files whose tables every database begins with", "paths", [])
    parser.addini("partita_profile", "instant, aws or hostile", default="instant")
    parser.addini("partita_seed", "the seed of chance", default="0")
    parser.addini(
        "partita_region", "region of the databases, and of clients that name none", default="us-east-1"
    )
    parser.addini("partita_database_fixture", "name of the database's fixture", default="partita_db")
    parser.addini("partita_client_fixture", "name of the client's fixture", default="dynamodb_client")
    parser.addini("partita_resource_fixture", "name of the resource's fixture", default="dynamodb_resource")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "partita(tables, profile, seed, clock, **settings): what this test's database is like; "
        "clock is 'system' or 'manual'",
    )
    config.pluginmanager.register(_fixtures(config), "partita_fixtures")


def _fixtures(config: pytest.Config) -> ModuleType:
    """A plugin that holds the fixtures, by the names that the ini file gives them."""
    database_name = config.getini("partita_database_fixture")
    databases = _Databases(config)

    @pytest.fixture(name=database_name)
    def database(request: pytest.FixtureRequest) -> Iterator[Database]:
        """A fresh database, which all DynamoDB clients talk to during the test."""
        from partita.local.environment import prepared
        from partita.local.patch import patch_boto3

        marker = request.node.get_closest_marker("partita")
        if marker is not None and marker.args:
            given = marker.args[0]
            raise _wrong(f"marker partita: {given!r} has no name; tables are tables={given!r}")
        options = dict(marker.kwargs) if marker is not None else {}
        with databases.new(**options) as fresh, patch_boto3(fresh), prepared(fresh.region):
            yield fresh

    @pytest.fixture(name=config.getini("partita_client_fixture"))
    def client(request: pytest.FixtureRequest) -> Any:
        """A boto3 DynamoDB client of the test's database."""
        return request.getfixturevalue(database_name).client()

    @pytest.fixture(name=config.getini("partita_resource_fixture"))
    def resource(request: pytest.FixtureRequest) -> Any:
        """A boto3 DynamoDB resource of the test's database."""
        return request.getfixturevalue(database_name).resource()

    plugin = ModuleType("partita_fixtures")
    vars(plugin).update(database=database, client=client, resource=resource)
    return plugin


class _Databases:
    """Makes each test's database: one with the same tables is made once and forked."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._templates: dict[str, Database] = {}

    def new(
        self,
        tables: str | list[str] | None = None,
        profile: str | None = None,
        seed: int | None = None,
        clock: str = "system",
        **settings: Any,
    ) -> Database:
        """The arguments are the marker's; what it leaves out, the ini options say."""
        from partita.api.protocol import account_of

        if clock not in ("system", "manual"):
            raise _wrong(f"marker partita: clock is 'system' or 'manual', not {clock!r}")
        paths = self._paths(tables)
        profile = profile or self._config.getini("partita_profile")
        account = account_of(os.environ.get("AWS_ACCESS_KEY_ID", ""))
        if account is not None:
            # That of the clients which the code under test makes.
            settings.setdefault("account", account)
        key = repr((paths, profile, clock, sorted(settings.items())))
        template = self._templates.get(key)
        if template is None:
            template = self._templates[key] = self._make(paths, profile, clock, settings)
        return template.fork(seed=self._seed(seed))

    def _seed(self, given: object) -> int:
        wanted: Any = self._config.getini("partita_seed") if given is None else given
        try:
            return int(wanted)
        except (ValueError, TypeError):
            raise _wrong(f"partita_seed: a seed is a whole number, not {wanted!r}") from None

    def _paths(self, tables: str | list[str] | None) -> list[Path]:
        if tables is None:
            return list(self._config.getini("partita_tables"))
        names = [tables] if isinstance(tables, str | os.PathLike) else tables
        try:
            return [self._config.rootpath / name for name in names]
        except TypeError:
            line = f"marker partita: tables is the path of a file, or a list of them, not {tables!r}"
            raise _wrong(line) from None

    def _make(self, paths: list[Path], profile: str, clock: str, settings: dict[str, Any]) -> Database:
        from partita.engine.clock import ManualClock
        from partita.errors import DynamoDBError
        from partita.local.database import Database
        from partita.local.table_files import TableFileError

        try:
            database = Database(
                profile=profile,
                clock=ManualClock() if clock == "manual" else None,
                region=self._config.getini("partita_region"),
                **settings,
            )
        except (ValueError, TypeError) as error:
            raise _wrong(f"partita: {error}") from None
        for path in paths:
            try:
                database.create_tables(path)
            except TableFileError as error:
                raise _wrong(f"partita_tables: {error}") from None
            except DynamoDBError as error:
                raise _wrong(f"partita_tables: {path}: {error}") from None
        return database


def _wrong(line: str) -> BaseException:
    """Fails the test with this line alone: what is wrong is in the ini file or the marker, not in code."""
    return pytest.fail.Exception(line, pytrace=False)
