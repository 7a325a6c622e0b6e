# SPDX-License-Identifier: MIT
"""``pto.quantize --dask``: a cluster on this machine, one of whose workers is killed in the middle of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'libpto[dask]'")
pytest.importorskip("safetensors")
pytest.importorskip("xxhash")

import distributed
from test_quantize_checkpoints import contents, make, run, source, whole

from pto.checkpoint import CheckpointError, Options

__all__ = ["source", "whole"]

pytestmark = pytest.mark.filterwarnings("default")  # warnings of Dask and its packages are not errors


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, memory_limit=0
    ) as cluster:
        yield cluster


def test_dask(source: Path, tmp_path: Path, whole: dict[str, bytes], cluster: Any) -> None:
    assert make(source, tmp_path / "out", dask=cluster.scheduler_address).made == 5
    assert contents(tmp_path / "out") == whole


def test_a_killed_worker(source: Path, tmp_path: Path, whole: dict[str, bytes], cluster: Any) -> None:
    mark = tmp_path / "killed"

    def dies_once() -> None:
        """Kills this worker before its first file gets its name. Its nanny starts another worker."""
        import os
        import signal

        def replace(a: str, b: str) -> None:
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)

        os.replace = replace  # type: ignore[assignment]

    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        client.wait_for_workers(2)
        victim = next(iter(client.scheduler_info()["workers"]))
        client.run(dies_once, workers=[victim])
    assert make(source, tmp_path / "out", dask=cluster.scheduler_address).made == 5
    assert mark.exists()
    assert contents(tmp_path / "out") == whole


def test_no_scheduler(source: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pto.checkpoint._run._PATIENCE", "1s")
    with pytest.raises(CheckpointError, match=r"--dask tcp://127\.0\.0\.1:9"):
        run(Options(source, tmp_path / "out", "mxfp8", dask="tcp://127.0.0.1:9"))
