# SPDX-License-Identifier: MIT
"""``python -m pto.quantize`` on a folder that has a result: after a change of the source, and share by share."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("safetensors")
pytest.importorskip("xxhash")
pytest.importorskip("tqdm")

from safetensors.numpy import load_file, save_file
from test_quantize_checkpoints import contents, make, weights
from test_quantize_inputs import FILES, Q, V, quantize, small, start, verify

from pto.checkpoint import CheckpointError, Options, _run, _work, convert_checkpoint

__all__ = ["small"]


def replace_weight(path: Path, name: str, scale: float = 1) -> None:
    """Replaces a weight by another one of the same shape."""
    tensors = load_file(path)
    tensors[name] = (weights(np.random.default_rng(7), *tensors[name].shape) * scale).astype(tensors[name].dtype)
    save_file(tensors, path, {"format": "pt"})


def same_as_new(source: Path, recipe: str) -> bool:
    """Returns whether the result has the bytes of one that is made in an empty folder."""
    new = source.parent / "new"
    shutil.rmtree(new, ignore_errors=True)
    make(source, new, recipe)
    return contents(source.parent / "out") == contents(new)


@pytest.mark.parametrize("changed", range(3))
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))), ids=str)
def test_all_shares_again_after_a_change(tmp_path: Path, order: tuple[int, ...], changed: int) -> None:
    """Only the last share may say that the checkpoint is complete, and it must complete it."""
    source, out = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    names = [f"model-0000{k}-of-00003.safetensors" for k in (1, 2, 3)]
    tensors = [f"model.layers.{k}.self_attn.o_proj.weight" for k in range(3)]
    for name, tensor in zip(names, tensors, strict=True):
        save_file({tensor: weights(np.random.default_rng(0), 32, 64)}, source / name, {"format": "pt"})
    weight_map = dict(zip(tensors, names, strict=True))
    (source / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}))
    make(source, out, "fp8-channel")
    replace_weight(source / names[changed], tensors[changed])
    made = [make(source, out, "fp8-channel", shard=(k, 3)) for k in order]
    assert [one.missing == 0 for one in made] == [False, False, True]
    assert sum(one.made for one in made) == 1  # the others are checked, not made again
    assert same_as_new(source, "fp8-channel")


def test_shares_again_in_parallel(small: Path) -> None:
    out = small.parent / "out"
    make(small, out, "mxfp8")
    replace_weight(small / FILES[1], V)
    running = [start(small, out, "--recipe", "mxfp8", "--shard", shard) for shard in ("0/2", "1/2")]
    assert [(one.communicate(timeout=120)[1], one.returncode) for one in running] == [("", 0)] * 2
    assert same_as_new(small, "mxfp8")


def test_another_share_completes_first(small: Path) -> None:
    """The share that has made the changed file finds the checkpoint complete, and leaves no parts."""
    out = small.parent / "out"
    make(small, out, "mxfp8")
    replace_weight(small / FILES[1], V)
    missing = []

    def done(name: str, size: int) -> None:
        missing.append(make(small, out, "mxfp8", shard=(0, 2)).missing)

    options = Options(small, out, "mxfp8", shard=(1, 2))
    assert convert_checkpoint(options, lambda size: None, done).missing == 0
    assert missing == [0]
    assert same_as_new(small, "mxfp8")


def test_one_share_of_a_complete_result(small: Path) -> None:
    """It has not checked the other file, so it does not complete the checkpoint again. The manifest stays."""
    make(small, small.parent / "out", "mxfp8")
    assert make(small, small.parent / "out", "mxfp8", shard=(0, 2)).missing == 1
    assert verify(small) == 0
    assert make(small, small.parent / "out", "mxfp8").missing == 0
    assert same_as_new(small, "mxfp8")


def test_a_fused_weight_of_another_share_changes(small: Path) -> None:
    """q and v share their second-level value, so the file with q is made again if v changes."""
    out = small.parent / "out"
    assert make(small, out, "nvfp4", shard=(0, 2)).missing == 1
    replace_weight(small / FILES[1], V, 100)
    assert make(small, out, "nvfp4", shard=(1, 2)).missing == 1
    assert verify(small) == 1
    assert make(small, out, "nvfp4", shard=(0, 2)).missing == 0
    assert same_as_new(small, "nvfp4")


def test_the_plan_changes_between_the_shares(small: Path) -> None:
    """With another model type, the file of the first share has other quantized tensors."""
    out = small.parent / "out"
    replace = {Q.replace("q_proj", "c_attn"): weights(np.random.default_rng(3), 64, 128)}
    tensors = load_file(small / FILES[0]) | replace
    save_file(tensors, small / FILES[0], {"format": "pt"})
    index = small / "model.safetensors.index.json"
    weight_map = json.loads(index.read_text())["weight_map"] | dict.fromkeys(replace, FILES[0])
    index.write_text(json.dumps({"weight_map": weight_map}))
    assert make(small, out, "mxfp8", shard=(0, 2)).missing == 1
    (small / "config.json").write_text('{"model_type": "gpt_bigcode"}')
    assert make(small, out, "mxfp8", shard=(1, 2)).missing == 1
    assert make(small, out, "mxfp8", shard=(0, 2)).missing == 0
    assert same_as_new(small, "mxfp8")


def test_a_source_that_changes_while_it_is_read(small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def and_changes(job: _work.Job) -> list[_work.Row]:
        rows = _work.do_job(job)
        if job.name == FILES[0]:
            replace_weight(small / FILES[0], Q)
            (small / FILES[0]).touch()
        return rows

    with monkeypatch.context() as patch:
        patch.setattr(_run, "do_job", and_changes)
        with pytest.raises(CheckpointError, match=f"{FILES[0]}: the source changed while it was read"):
            make(small, small.parent / "out", "mxfp8")
    assert make(small, small.parent / "out", "mxfp8").kept == 1
    assert same_as_new(small, "mxfp8")


def test_files_of_an_earlier_source_are_removed(small: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two files with an index become one file. The index would name files that are gone. Files of the user stay."""
    out = small.parent / "out"
    for name in ("chat_template.jinja", "a/b/old.txt", "a/new.txt", "tokenizer"):
        (small / name).parent.mkdir(parents=True, exist_ok=True)
        (small / name).write_text("1")
    assert quantize(small, "--recipe", "mxfp8") == 0
    (out / "README.md").write_text("mine")
    save_file({k: x for name in FILES for k, x in load_file(small / name).items()}, small / "model.safetensors")
    for name in (*FILES, "model.safetensors.index.json", "chat_template.jinja", "a/b/old.txt", "tokenizer"):
        (small / name).unlink()
    (small / "tokenizer").mkdir()
    (small / "tokenizer/vocab.txt").write_text("1")
    index = (out / "model.safetensors.index.json").read_text()
    assert quantize(small, "--recipe", "mxfp8") == 0
    there = {path.relative_to(out).as_posix() for path in out.rglob("*")}
    copied = {"a", "a/new.txt", "tokenizer", "tokenizer/vocab.txt", "README.md"}
    assert there == {"model.safetensors", "config.json", "manifest.jsonl", *copied}
    assert verify(small) == 0
    (out / "model.safetensors.index.json").write_text(index)
    assert verify(small) == 1
    assert "model.safetensors.index.json: is not in the manifest" in capsys.readouterr().err
    assert quantize(small, "--recipe", "mxfp8") == 0
    assert verify(small) == 0


def test_shares_remove_files_of_an_earlier_source(small: Path) -> None:
    """The first share replaces the manifest, and the last one still finds the other files that it listed."""
    (small / "old.txt").touch()
    make(small, small.parent / "out", "mxfp8")
    (small / "old.txt").unlink()
    replace_weight(small / FILES[0], Q)
    assert make(small, small.parent / "out", "mxfp8", shard=(0, 2)).missing == 1
    assert make(small, small.parent / "out", "mxfp8", shard=(1, 2)).missing == 0
    assert same_as_new(small, "mxfp8")
