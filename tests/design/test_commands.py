"""`partita design`, as it is run in a shell."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.cli.conftest import Done, run_here
from tests.clients.server_process import Access, serve

from partita import Database
from partita.model import Session

ROOT = Path(__file__).parent.parent.parent
MAIN = "from partita.cli import main; main()"

MODEL = """
from partita.model import Entity, Index, Key, Table
from partita.design import P, Query, Scan

class Shop(Table):
    gsi1 = Index()

class Order(Entity, table=Shop):
    id: str
    customer: str
    key = Key("ORDER#{id}", "META")
    gsi1 = Key("CUST#{customer}", "{id}")
"""
SLOW = (
    MODEL
    + """
from partita.model import F
BY_CUSTOMER = Scan("orders of a customer", Order, filter=F(Order).customer == P("customer"))
"""
)
FAST = (
    MODEL
    + """
BY_CUSTOMER = Query("orders of a customer", Order.gsi1(customer=P("customer")), limit=20)
"""
)
BROKEN = (
    MODEL
    + """
BY_CUSTOMER = Query("orders of a customer", Order.gsi1(id=P("id")), limit=20)
"""
)


def in_a_shell(*arguments: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    """Runs a command in a process of its own: each once, for what only that shows."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "COLUMNS": "100", **variables}
    return subprocess.run(
        [sys.executable, "-c", MAIN, *arguments],
        cwd=cwd,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def partita(*arguments: str, cwd: Path, **variables: str) -> Done:
    """Runs a command in this process, which then forgets the modules that it imported there."""
    known, path = set(sys.modules), list(sys.path)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(cwd)
        for name, value in {"COLUMNS": "100", **variables}.items():
            patch.setenv(name, value)
        importlib.invalidate_caches()
        try:
            return run_here(*arguments)
        finally:
            sys.path[:] = path
            for name in set(sys.modules) - known:
                file = getattr(sys.modules[name], "__file__", None)
                if file is not None and Path(file).resolve().is_relative_to(cwd.resolve()):
                    del sys.modules[name]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    for name, text in (
        ("slow", SLOW),
        ("fast", FAST),
        ("broken", BROKEN),
        ("empty", ""),
        ("needy", "import absent"),
    ):
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path


def test_a_proved_design_ends_with_zero(shop: Path) -> None:
    done = in_a_shell("design", "check", "fast", cwd=shop)
    assert done.returncode == 0
    assert "fast: 1 pattern, 1 proved; 1 entity" in done.stdout
    assert "[key-length]" in done.stdout


def test_a_refused_one_ends_with_one_and_the_reasons(shop: Path) -> None:
    done = partita("design", "check", "slow.py", cwd=shop)
    assert done.returncode == 1
    assert '"orders of a customer"\n  refused   a Scan reads the whole table' in done.stdout
    assert "slow.py: not proved" in done.stderr


def test_a_declaration_that_cannot_work_is_refused_with_its_line(shop: Path) -> None:
    done = in_a_shell("design", "check", "broken", cwd=shop)
    assert done.returncode == 1
    assert "broken.py:14: Order.gsi1: customer is missing" in " ".join(done.stdout.split())


@pytest.mark.parametrize(
    ("module", "says"),
    [
        ("nowhere", "no module nowhere"),
        ("no.py", "no file no.py"),
        ("notes.md", "no module notes.md"),
        ("empty", "declares no"),
        ("needy", "needy cannot be imported: needy.py:1: ModuleNotFoundError: No module named 'absent'"),
    ],
)
def test_what_is_no_design_ends_with_two_and_one_line(shop: Path, module: str, says: str) -> None:
    done = partita("design", "check", module, cwd=shop)
    assert done.returncode == 2
    assert done.stderr.startswith("partita: ")
    assert says in done.stderr
    assert done.stderr.count("\n") == 1


def test_other_commands_do_not_import_the_toolkit() -> None:
    code = (
        "import sys, click.testing; from partita.cli.root import command;"
        "click.testing.CliRunner().invoke(command, ['serve', '--help']);"
        "print([name for name in ('pydantic', 'partita.design', 'partita.model') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stdout == "[]\n"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["design", "verify", "--help"], 0, "Compare every item of a table"),
        (
            ["design", "check", "fast"],
            2,
            "partita: partita.model needs pydantic: install it with pip install",
        ),
    ],
)
def test_without_pydantic_there_is_help(shop: Path, arguments: list[str], code: int, says: str) -> None:
    program = f"import sys; sys.modules['pydantic'] = None; from partita.cli import main; main({arguments})"
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=shop,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == code
    assert says in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("option", "value"), [("--endpoint-url", "localhost"), ("--region", "no region")])
def test_where_no_server_can_be_is_one_line(shop: Path, option: str, value: str) -> None:
    done = partita("design", "verify", "fast", "--table", "app", option, value, cwd=shop)
    assert done.returncode == 2
    assert done.stderr.startswith("partita: no client can be made: ")
    assert done.stderr.count("\n") == 1


def test_a_report_is_written_as_markdown_and_as_a_page(shop: Path) -> None:
    (shop / "traffic.json").write_text('{"per_month": {"orders of a customer": 1000000}}')
    done = in_a_shell("design", "report", "fast", "--traffic", "traffic.json", cwd=shop)
    assert done.returncode == 0
    assert "| orders of a customer | Query | GSI1 |" in done.stdout
    page = partita("design", "report", "fast", "--format", "html", "--output", "fast.html", cwd=shop)
    assert page.returncode == 0
    assert (shop / "fast.html").read_text().startswith("<!doctype html>")


def test_traffic_of_an_unknown_pattern_is_one_line(shop: Path) -> None:
    (shop / "traffic.json").write_text('{"per_month": {"nothing": 1}}')
    done = partita("design", "report", "fast", "--traffic", "traffic.json", cwd=shop)
    assert done.returncode == 2
    assert "per_month has 'nothing'" in done.stderr


def test_designs_are_compared_as_modules_and_as_exports(shop: Path) -> None:
    (shop / "old.json").write_text(in_a_shell("design", "export", "fast", cwd=shop).stdout)
    same = partita("design", "diff", "old.json", "fast.py", cwd=shop)
    assert (same.returncode, same.stdout) == (0, "nothing to do\n")
    keyed = FAST.replace('Key("CUST#{customer}", "{id}")', 'Key("CUSTOMER#{customer}", "{id}")')
    (shop / "next.py").write_text(keyed)
    blocked = in_a_shell("design", "diff", "old.json", "next", cwd=shop)
    assert blocked.returncode == 1
    assert "cannot be changed in place: entity Order" in blocked.stdout
    assert "  1. dual-write: entity Order" in blocked.stdout
    assert partita("design", "diff", "none.json", "next", cwd=shop).returncode == 2


def test_a_live_table_is_verified_over_http(shop: Path) -> None:
    with serve() as serving:
        client = Access(serving.url, "200000000777").client()
        keys = [{"AttributeName": "PK", "KeyType": "HASH"}, {"AttributeName": "SK", "KeyType": "RANGE"}]
        names = [{"AttributeName": one, "AttributeType": "S"} for one in ("PK", "SK", "GSI1PK", "GSI1SK")]
        index = {
            "IndexName": "GSI1",
            "KeySchema": [
                {"AttributeName": "GSI1PK", "KeyType": "HASH"},
                {"AttributeName": "GSI1SK", "KeyType": "RANGE"},
            ],
            "Projection": {"ProjectionType": "ALL"},
        }
        client.create_table(
            TableName="live",
            BillingMode="PAY_PER_REQUEST",
            KeySchema=keys,
            AttributeDefinitions=names,
            GlobalSecondaryIndexes=[index],
        )
        client.get_waiter("table_exists").wait(TableName="live", WaiterConfig={"Delay": 1})
        arguments = ("design", "verify", "fast", "--table", "live", "--endpoint-url", serving.url)
        environment = {
            "AWS_ACCESS_KEY_ID": "200000000777",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_DEFAULT_REGION": client.meta.region_name,
        }
        sound = partita(*arguments, cwd=shop, **environment)
        assert (sound.returncode, sound.stderr) == (0, "")
        client.put_item(TableName="live", Item={"PK": {"S": "x"}, "SK": {"S": "y"}})
        odd = in_a_shell(*arguments, cwd=shop, **environment)
        assert odd.returncode == 1
        assert "unknown type: PK 'x', SK 'y': no entity has such a key" in odd.stdout
        missing = in_a_shell(*arguments[:4], "nothing", *arguments[5:], cwd=shop, **environment)
        assert missing.returncode == 2
        assert "ResourceNotFoundException" in missing.stderr


OLD = """
from partita.model import Entity, Key, Table

class Shop(Table):
    pass

class Order(Entity, table=Shop):
    id: str
    customer: str
    key = Key("ORDER#{id}", "META")
"""


def test_old_items_are_backfilled_over_http(shop: Path) -> None:
    (shop / "old.py").write_text(OLD)
    with serve() as serving:
        client = Access(serving.url, "200000000778").client()
        namespace: dict[str, Any] = {"__name__": "tests.design.test_commands"}
        exec(OLD, namespace)
        new: dict[str, Any] = {"__name__": "tests.design.test_commands"}
        exec(FAST, new)
        with Session(client) as session:
            session.create_table(new["Shop"])
            for number in range(3):
                session.create(namespace["Order"](id=str(number), customer="7"))
            client.put_item(TableName="Shop", Item={"PK": {"S": "ORDER#x"}, "SK": {"S": "META"}})
        arguments = ("design", "backfill", "fast", "--table", "Shop", "--endpoint-url", serving.url)
        environment = {
            "AWS_ACCESS_KEY_ID": "200000000778",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_DEFAULT_REGION": client.meta.region_name,
        }

        def backfill(*more: str) -> Done:
            return partita(*arguments, *more, cwd=shop, **environment)

        dry = backfill("--dry-run")
        assert "Order ORDER#1 / META: GSI1PK, GSI1SK" in dry.stdout
        assert "Shop: 4 items, 3 would be written, 0 right" in dry.stdout
        resumable = (*arguments, "--resume", "position.json", "--segments", "2")
        done = in_a_shell(*resumable, cwd=shop, **environment)
        assert done.returncode == 1
        assert "unreadable: Order ORDER#x / META: " in done.stdout
        assert "3 written" in done.stdout
        assert not (shop / "position.json").exists()
        client.delete_item(TableName="Shop", Key={"PK": {"S": "ORDER#x"}, "SK": {"S": "META"}})
        again = backfill("--entity", "Order", "--units-per-second", "1000")
        assert (again.returncode, again.stderr) == (0, "")
        assert "0 written, 3 right" in again.stdout
        (shop / "position.json").write_text("[]")
        for more, says in (
            (("--resume", "position.json"), "position.json: this is no checkpoint"),
            (("--resume", "."), "cannot be read"),
            (("--entity", "Ghost"), "no entity Ghost"),
            (("--remove", "customer"), "writes customer itself"),
            (("--units-per-second", "-1"), "at least 0.001"),
        ):
            refused = backfill(*more)
            assert refused.returncode == 2
            assert refused.stderr.count("\n") == 1
            assert says in refused.stderr


def test_a_position_that_cannot_be_removed_is_one_line(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, missing_ok: bool = False) -> None:
        raise PermissionError(1, "Operation not permitted", str(path))

    namespace: dict[str, Any] = {"__name__": "tests.design.test_commands"}
    exec(FAST, namespace)
    with Database() as database, Session(database.client()) as session:
        session.create_table(namespace["Shop"])
        monkeypatch.setattr("partita.cli.design.live.client_of", lambda *_: database.client())
        monkeypatch.setattr(Path, "unlink", refuse)
        position = str(shop / "position.json")
        arguments = ["design", "backfill", str(shop / "fast.py"), "--table", "Shop", "--resume", position]
        done = partita(*arguments, cwd=shop)
    assert done.returncode == 2
    assert "0 items" in done.stdout
    assert (
        done.stderr == f"partita: {position} cannot be removed: Operation not permitted: "
        "remove it, for its backfill is over\n"
    )


MEMBERS = """
from partita.model import Entity, Key, Table, unique

class Club(Table, name="club"):
    pass

class Member(Entity, table=Club):
    id: str
    email: str = unique(normalise=str.casefold)
    phone: str | None = unique(default=None)
    key = Key("MEMBER#{id}", "PROFILE")
"""


def test_unique_attributes_are_audited_and_repaired_over_http(shop: Path) -> None:
    (shop / "members.py").write_text(MEMBERS)
    namespace: dict[str, Any] = {"__name__": "tests.design.test_commands"}
    exec(MEMBERS, namespace)
    with serve() as serving:
        client = Access(serving.url, "200000000779").client()
        with Session(client, tables={namespace["Club"]: "club-prod"}) as session:
            session.create_table(namespace["Club"])
            for name in ("ada", "bob", "eve"):
                session.create(namespace["Member"](id=name, email=f"{name}@x.io", phone=name))
        environment = {
            "AWS_ACCESS_KEY_ID": "200000000779",
            "AWS_SECRET_ACCESS_KEY": "local",
            "AWS_DEFAULT_REGION": client.meta.region_name,
        }

        def run(command: str, *more: str, how: Callable[..., Any] = partita) -> Any:
            arguments = ("design", command, "members", "--table", "club-prod", "--endpoint-url", serving.url)
            return how(*arguments, *more, cwd=shop, **environment)

        def key(partition: str, sort: str = "LOCK") -> dict[str, Any]:
            return {"PK": {"S": partition}, "SK": {"S": sort}}

        sound = run("audit", how=in_a_shell)
        assert (sound.returncode, sound.stderr) == (0, "")
        assert sound.stdout == "club-prod: 9 items; no fault\n"
        client.delete_item(TableName="club-prod", Key=key("MEMBER#ada", "PROFILE"))
        client.delete_item(TableName="club-prod", Key=key("UNIQ#Member#phone#bob"))
        found = run("audit")
        assert found.returncode == 1
        assert "orphaned marker: Member.email, UNIQ#Member#email#ada@x.io / LOCK, owned by" in found.stdout
        assert "club-prod: 7 items; orphaned marker: 2; missing marker: 1" in found.stdout
        assert found.stderr == "club-prod: 3 faults\n"
        some = run("audit", "--rule", "Member.email")
        assert "club-prod: 7 items; orphaned marker: 1" in some.stdout
        dry = run("repair", "--dry-run")
        assert (dry.returncode, dry.stderr) == (0, "")
        assert "owned by MEMBER#bob / PROFILE: put the marker: would be mended" in dry.stdout
        assert "club-prod: 3 would be mended" in dry.stdout
        assert run("audit").returncode == 1
        done = run("repair", how=in_a_shell)
        assert (done.returncode, done.stderr) == (0, "")
        assert "club-prod: 3 mended" in done.stdout
        assert run("audit").returncode == 0

        shared = client.get_item(TableName="club-prod", Key=key("MEMBER#bob", "PROFILE"))["Item"]
        shared |= {"PK": {"S": "MEMBER#dan"}, "id": {"S": "dan"}, "phone": {"S": "dan"}}
        client.put_item(TableName="club-prod", Item=shared)
        client.put_item(TableName="club-prod", Item=key("UNIQ#Member#email#x"))
        left = run("repair")
        assert left.returncode == 1
        assert "change the value of all but one of them: to be decided" in left.stdout
        assert left.stderr.startswith("club-prod: faults were left: 1 to be decided; 1 item or marker that")
        assert "owned by MEMBER#dan / PROFILE: put the marker: mended" in left.stdout
        for arguments, says in (
            (
                ("audit", "--rule", "Member.ghost"),
                "no rule Member.ghost in the table; there are Member.email",
            ),
            (("repair", "--model", "Ghost"), "declares the tables club"),
        ):
            refused = run(*arguments)
            assert (refused.returncode, refused.stderr.count("\n")) == (2, 1)
            assert says in refused.stderr
        for command in ("audit", "repair"):
            arguments = ("design", command, "members", "--table", "gone", "--endpoint-url", serving.url)
            gone = partita(*arguments, cwd=shop, **environment)
            assert (gone.returncode, gone.stderr.count("\n")) == (2, 1)
            assert f"gone cannot be {command}ed: " in gone.stderr
        none = partita("design", "audit", "fast", "--table", "Shop", cwd=shop, **environment)
        assert none.returncode == 2
        assert "no unique attributes" in none.stderr
