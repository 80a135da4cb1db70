"""A sweep by Ray against the same battles in order, also when a worker dies."""

from __future__ import annotations

import os
import re
import signal
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

import flowtiles as ft
import sweep as module
from sweep import Row, Task, begin_ray, by_ray, fight, in_order, plot, sweep, tasks

TODO = tasks(3)[:40]
HEADER = ",".join(Row._fields) + "\n"


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("plain") / "table.csv"
    sweep(path, TODO, in_order)
    return path


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    begin_ray(cpus=2)
    import ray

    assert ray.util.get_node_ip_address() == "127.0.0.1"
    ray.cloudpickle.register_pickle_by_value(module)
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    yield
    ray.shutdown()


def test_the_same_bytes_by_ray(plain: Path, tmp_path: Path) -> None:
    rows = sweep(tmp_path / "table.csv", TODO, by_ray)
    assert (tmp_path / "table.csv").read_bytes() == plain.read_bytes()
    assert [Task(*row[:4]) for row in rows] == TODO
    assert len({row.hash for row in rows}) == len(TODO)
    assert 0 < sum(row.west > row.east for row in rows) < len(TODO)
    plot(tmp_path / "plot.png", rows)
    assert (tmp_path / "plot.png").stat().st_size > 5_000


def test_a_worker_dies(plain: Path, tmp_path: Path) -> None:
    told = tmp_path / "pid"

    def once_killed(save: bytes, task: Task) -> Row:
        if task == TODO[7] and not told.exists():
            beside = told.with_name("part")
            beside.write_text(str(os.getpid()))
            beside.rename(told)
            time.sleep(60)
            raise RuntimeError("nobody has killed this process")
        return fight(save, task)

    killed: list[int] = []

    def kill() -> None:
        while not told.exists():
            if over.wait(0.05):
                return
        killed.append(int(told.read_text()))
        os.kill(killed[0], signal.SIGKILL)

    over = threading.Event()
    killer = threading.Thread(target=kill)
    killer.start()
    try:
        sweep(tmp_path / "table.csv", TODO, by_ray, once_killed)
    finally:
        over.set()
        killer.join()
    assert killed and killed[0] != os.getpid()
    assert (tmp_path / "table.csv").read_bytes() == plain.read_bytes()


def test_a_sweep_goes_on_from_its_table(
    plain: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "table.csv"
    fought: list[Task] = []

    def breaks_off(save: bytes, task: Task) -> Row:
        fought.append(task)
        if len(fought) == 12:
            raise KeyboardInterrupt
        return fight(save, task)

    def goes_on(save: bytes, task: Task) -> Row:
        fought.append(task)
        return fight(save, task)

    with pytest.raises(KeyboardInterrupt):
        sweep(path, TODO, in_order, breaks_off)
    lines = plain.read_text().splitlines(keepends=True)
    assert path.read_text() == "".join(lines[:12])
    # Any rows may be there, as when they come from several workers.
    path.write_text("".join(lines[:4] + lines[9:12]))
    sweep(path, TODO, in_order, goes_on)
    assert path.read_bytes() == plain.read_bytes()
    assert fought[12:] == TODO[3:8] + TODO[11:]
    sweep(path, TODO, in_order, goes_on)
    assert capsys.readouterr().err.endswith("all 40 battles are fought already\n")
    assert [file.name for file in tmp_path.iterdir()] == ["table.csv"]


def test_a_table_that_is_none(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    for text, said in [
        ("a,b\n", "does not begin with width,"),
        (HEADER + "2,x,0,0,1,1,1,0,0\n", "table.csv, line 2: .*'x'"),
        (HEADER + "2,0.35\n", "table.csv, line 2: "),
        (HEADER + f"3,0.35,0,0,9,1,1,{ft.__version__},0\n", "width 3, radius .* has no width 3: "),
        (HEADER + f"2,0.35,0,7,9,1,1,{ft.__version__},0\n", r"no seed 7 \(raise --seeds\): "),
        (HEADER + "2,0.35,0,0,9,1,1,0.0.9,0\n", "table.csv, line 2: fought by flowtiles 0.0.9, and"),
    ]:
        path.write_text(text)
        with pytest.raises(ValueError, match=said):
            sweep(path, TODO, in_order)
        assert path.read_text() == text
    path.unlink()

    def fails(save: bytes, task: Task) -> Row:
        raise ArithmeticError("no battle")

    with pytest.raises(RuntimeError, match=r"(?s)width 2.*has not been fought: .*no battle"):
        sweep(path, TODO, by_ray, fails)


@pytest.mark.parametrize(
    ("table", "given", "said"),
    [
        ("table.csv", ["--seeds", "0"], "--seeds is 0: give at least 1"),
        ("table.csv", ["--cpus", "0"], "--cpus is 0: give at least 1"),
        ("none/table.csv", [], "there is no folder .*none for the table: make it first"),
    ],
)
def test_what_the_command_refuses(
    table: str,
    given: list[str],
    said: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr(sys, "argv", ["sweep.py", str(tmp_path / table), *given])
    with pytest.raises(SystemExit):
        module.main()
    assert re.search(said, capsys.readouterr().err)
