# SPDX-License-Identifier: MIT
"""``python -m pto.quantize``: the same digests from any worker, and incomplete files never count as complete."""

from __future__ import annotations

import json
import multiprocessing
import os
import shutil
import signal
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import pto

pytest.importorskip("safetensors")
pytest.importorskip("xxhash")
pytest.importorskip("tqdm")

import ml_dtypes
from safetensors.numpy import save_file

from pto.checkpoint import RECIPES, CheckpointError, Options, Outcome, _run, convert_checkpoint
from pto.checkpoint._command import quantize_main, verify_main
from pto.checkpoint._files import Tensor, read_bytes, read_header

HIDDEN, INNER, VOCABULARY, LAYERS = 256, 640, 512, 3
LINEAR = 7 * LAYERS
FILE = "model-0000{}-of-00005.safetensors"


# recipes of safetensors for matrices
MATRICES = [name for name, recipe in RECIPES.items() if not recipe.experts and recipe.config != "gguf"]


def weights(rng: np.random.Generator, *shape: int) -> np.ndarray:
    return (rng.standard_normal(shape, dtype=np.float32) * 0.02).astype(ml_dtypes.bfloat16)


def layer(rng: np.random.Generator, k: int) -> dict[str, np.ndarray]:
    p = f"model.layers.{k}."
    shapes = {"q": (HIDDEN, HIDDEN), "k": (128, HIDDEN), "v": (128, HIDDEN), "o": (HIDDEN, HIDDEN)}
    made = {f"{p}self_attn.{name}_proj.weight": weights(rng, *shape) for name, shape in shapes.items()}
    made[p + "mlp.gate_proj.weight"] = weights(rng, INNER, HIDDEN)
    made[p + "mlp.up_proj.weight"] = weights(rng, INNER, HIDDEN) * 4  # determines the second-level value of both
    made[p + "mlp.down_proj.weight"] = weights(rng, HIDDEN, INNER)
    made[p + "input_layernorm.weight"] = weights(rng, HIDDEN)
    made[p + "post_attention_layernorm.weight"] = weights(rng, HIDDEN)
    return made


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three layers in five files, divided so that layers to be fused are in two files."""
    folder = tmp_path_factory.mktemp("checkpoint") / "in"
    folder.mkdir()
    rng = np.random.default_rng(0)
    tensors = {"model.embed_tokens.weight": weights(rng, VOCABULARY, HIDDEN)}
    for k in range(LAYERS):
        tensors |= layer(rng, k)
    tensors |= {"model.norm.weight": weights(rng, HIDDEN), "lm_head.weight": weights(rng, VOCABULARY, HIDDEN)}
    names = list(tensors)
    index = {}
    for i in range(5):
        some = names[i * len(names) // 5 : (i + 1) * len(names) // 5]
        save_file({name: tensors[name] for name in some}, folder / FILE.format(i + 1), {"format": "pt"})
        index |= dict.fromkeys(some, FILE.format(i + 1))
    (folder / "model.safetensors.index.json").write_text(json.dumps({"metadata": {}, "weight_map": index}))
    config = {"model_type": "llama", "architectures": ["LlamaForCausalLM"], "num_hidden_layers": LAYERS}
    config |= {"hidden_size": HIDDEN, "intermediate_size": INNER, "num_attention_heads": 4, "num_key_value_heads": 2}
    (folder / "config.json").write_text(json.dumps(config | {"vocab_size": VOCABULARY, "torch_dtype": "bfloat16"}))
    (folder / "tokenizer.json").write_text("{}")
    layers = {name.removesuffix(".weight"): 3.0 for name in names}
    (folder.parent / "amax.json").write_text(json.dumps(layers))
    return folder


def run(options: Options) -> Outcome:
    return convert_checkpoint(options, lambda size: None, lambda name, size: None)


def make(source: Path, out: Path, recipe: str = "nvfp4", **more: object) -> Outcome:
    if RECIPES[recipe].input_scale:
        more["input_amax"] = json.loads((source.parent / "amax.json").read_text())
    return run(Options(source, out, recipe, **more))  # type: ignore[arg-type]


def contents(folder: Path) -> dict[str, bytes]:
    """Returns the contents of all files, which must be the same for any worker."""
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


@pytest.fixture(scope="module")
def whole(source: Path) -> dict[str, bytes]:
    """The files that one process makes."""
    out = source.parent / "whole"
    make(source, out)
    return contents(out)


def command(*arguments: object, module: str = "pto.quantize", **environment: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-W", "error", "-m", module, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, env=os.environ | environment, check=False)


def tensors_of(folder: Path) -> dict[str, tuple[Tensor, np.ndarray]]:
    return {
        name: (tensor, read_bytes(path, tensor))
        for path in sorted(folder.glob("*.safetensors"))
        for name, tensor in read_header(path).items()
    }


@pytest.mark.parametrize("recipe", MATRICES)
def test_every_recipe(source: Path, tmp_path: Path, recipe: str, capsys: pytest.CaptureFixture[str]) -> None:
    made = make(source, tmp_path / "out", recipe)
    assert (made.made, made.kept, made.missing, made.plan.odd) == (5, 0, 0, [])
    picture = tmp_path / "errors.svg"
    extra = ["--picture", str(picture)] if recipe == "mxfp8" and has("matplotlib") else []
    assert verify_main([str(tmp_path / "out"), "--source", str(source), "--quiet", *extra]) == 0
    assert picture.exists() == bool(extra)
    rows = [line.split() for line in capsys.readouterr().out.splitlines()[2:]]
    assert len(rows) == LINEAR
    least = {"e4m3": 31, "e2m3": 30.5, "e2m1": 18}[RECIPES[recipe].elem]
    assert all(least < float(row[-1]) < 33 for row in rows), rows
    config = json.loads((tmp_path / "out" / "config.json").read_text())
    assert config["hidden_size"] == HIDDEN
    ignored = config["quantization_config"]
    ignored = ignored.get("ignore", ignored.get("modules_to_not_convert"))
    assert ignored == ["lm_head", "model.embed_tokens"]
    assert (tmp_path / "out" / "tokenizer.json").read_text() == "{}"
    assert not (tmp_path / "out" / ".parts").exists()


def has(module: str) -> bool:
    try:
        __import__(module)
    except ImportError:
        return False
    return True


def test_tensors_are_those_of_quantize(source: Path, tmp_path: Path) -> None:
    """Bytes, names, shapes and the second-level value that gate and up share are those computed here."""
    make(source, tmp_path / "out")
    before, after = tensors_of(source), tensors_of(tmp_path / "out")
    gate, up = (f"model.layers.1.mlp.{name}_proj" for name in ("gate", "up"))
    x = {name: before[name + ".weight"][1].view(ml_dtypes.bfloat16).reshape(INNER, HIDDEN) for name in (gate, up)}
    largest = np.abs(np.concatenate([x[gate], x[up]]).astype(np.float32)).max()
    reciprocal = (np.float32(1) / largest).astype(ml_dtypes.bfloat16)
    both = float((np.float32(2688) * reciprocal.astype(np.float32)).astype(ml_dtypes.bfloat16))
    for name in (gate, up):
        q = pto.quantize(x[name], "e2m1", "nv.ct", tensor=both)
        codes, level = after[name + ".weight_packed"], after[name + ".weight_global_scale"]
        assert codes[0].shape == (INNER, HIDDEN // 2)
        assert codes[1].tobytes() == q.codes.tobytes()
        assert after[name + ".weight_scale"][1].tobytes() == q.scales.tobytes()
        assert level[1].view(np.float32).item() == both
    for name in ("model.embed_tokens.weight", "model.norm.weight", "lm_head.weight"):
        assert after[name][1].tobytes() == before[name][1].tobytes()
    index = json.loads((tmp_path / "out" / "model.safetensors.index.json").read_text())["weight_map"]
    assert index.keys() == after.keys()


@pytest.mark.parametrize("recipe", ["mxfp8", "mxfp6", "mxfp4", "nvfp4"])
@pytest.mark.parametrize("dtype", [np.float32, np.float16, ml_dtypes.bfloat16])
def test_what_differs_from_the_function(recipe: str, dtype: type) -> None:
    """docs/scale.md lists the differences: scales computed in f16 for f16 weights, and -0 in e2m1."""
    from pto.checkpoint._codec import encode, pack6

    rng = np.random.default_rng(5)
    x = (rng.standard_normal((64, 128)) * 2.0 ** rng.integers(-20, 3, (64, 1))).astype(dtype)
    x[0, :32] = -0.0
    positive = np.where(x == 0, np.zeros_like(x), x)
    q = pto.quantize(positive if RECIPES[recipe].elem == "e2m1" else x, recipe)
    parts = dict(encode(RECIPES[recipe], x.copy(), q.tensor, None))
    codes = pack6(q.codes.view(np.uint8)) if recipe == "mxfp6" else q.codes
    same = parts["codes"].tobytes() == codes.tobytes() and parts["scales"].tobytes() == q.scales.tobytes()
    assert same == (dtype != np.float16 or recipe == "nvfp4")


def test_experts(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Stacks of [in, out] matrices, as in gpt-oss, from a single file."""
    x = weights(np.random.default_rng(1), 3, 96, 64)
    name = "model.layers.0.mlp.experts.down_proj"
    save_file({name: x, name + "_bias": weights(np.random.default_rng(2), 3, 64)}, tmp_path / "one.safetensors")
    make(tmp_path / "one.safetensors", tmp_path / "out", "mxfp4-gpt-oss")
    after = tensors_of(tmp_path / "out")
    assert after[name + "_blocks"][0].shape == (3, 64, 3, 16)
    assert after[name + "_scales"][0].shape == (3, 64, 3)
    want = pto.quantize(np.ascontiguousarray(x[2].T), "e2m1", "mx.rceil")
    assert after[name + "_blocks"][1].reshape(3, -1)[2].tobytes() == want.codes.tobytes()
    assert verify_main([str(tmp_path / "out"), "--source", str(tmp_path / "one.safetensors"), "--quiet"]) == 0
    assert 18 < float(capsys.readouterr().out.split()[-1]) < 22


def test_six_bits_in_three_bytes() -> None:
    from pto.checkpoint._codec import pack6, unpack6

    codes = np.random.default_rng(0).integers(0, 64, (8, 64), np.uint8)
    packed = pack6(codes)
    words = packed.reshape(-1, 3).astype(np.uint32) @ np.array([1, 1 << 8, 1 << 16], np.uint32)
    assert all((words >> 6 * i & 63 == codes.reshape(-1, 4)[:, i]).all() for i in range(4))
    assert unpack6(packed).tobytes() == codes.tobytes()


def test_include_exclude_rule(source: Path, tmp_path: Path) -> None:
    made = make(source, tmp_path / "a", "fp8-block", include=["*.mlp.*"], exclude=["*.1.mlp.*"], rule="fp8.mul")
    assert made.plan.ignored.count("model.layers.1.mlp.up_proj") == 1
    done = {name for name in tensors_of(tmp_path / "a") if name.endswith("scale_inv")}
    assert len(done) == 3 * (LAYERS - 1)
    for fault in ({"rule": "mx.floor"}, {"include": ["none"]}):
        with pytest.raises(CheckpointError):
            make(source, tmp_path / "b", "fp8-block", **fault)
    with pytest.raises(CheckpointError, match="input-amax"):
        run(Options(source, tmp_path / "b", "nvfp4-modelopt"))
    with pytest.raises(CheckpointError, match="was begun with other options: recipe fp8-block, not mxfp8; rule"):
        make(source, tmp_path / "a", "mxfp8")


def test_columns_without_whole_blocks(tmp_path: Path) -> None:
    x = weights(np.random.default_rng(1), 8, 72)
    save_file({"a.weight": x, "b.weight": weights(np.random.default_rng(1), 8, 64)}, tmp_path / "one.safetensors")
    assert make(tmp_path / "one.safetensors", tmp_path / "out", "mxfp4").plan.odd == ["a.weight"]
    assert "a.weight" in tensors_of(tmp_path / "out")
    assert make(tmp_path / "one.safetensors", tmp_path / "fp8", "fp8-block").plan.odd == []


@pytest.mark.parametrize("recipe", MATRICES)
def test_zeros_stay_zeros(tmp_path: Path, recipe: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Their second-level value or scale would be 0 or infinite. This also tests sources other than bf16."""
    x = np.random.default_rng(1).standard_normal((65, 128), np.float32)
    tensors = {"half.weight": x.astype(np.float16), "single.weight": x, "zero.weight": np.zeros_like(x)}
    tensors["tiny.weight"] = np.full_like(x, 1e-42)
    save_file(tensors, tmp_path / "one.safetensors")
    amaxes = {name.removesuffix(".weight"): 1.0 for name in tensors} if RECIPES[recipe].input_scale else {}
    run(Options(tmp_path / "one.safetensors", tmp_path / "out", recipe, input_amax=amaxes))
    assert verify_main([str(tmp_path / "out"), "--source", str(tmp_path / "one.safetensors"), "--quiet"]) == 0
    half, single, tiny, zero = (line.split()[1:] for line in capsys.readouterr().out.splitlines()[2:])
    assert zero == ["0.000e+00", "0.000e+00", "inf"]
    assert float(tiny[0]) < 1.01e-42
    assert all(18 < float(snr) < 33 for *_, snr in (half, single))


def test_memory_is_under_twice_the_largest(tmp_path: Path) -> None:
    x = weights(np.random.default_rng(1), 2048, 1024)
    save_file({f"{name}.weight": x for name in "abcd"}, tmp_path / "one.safetensors")
    tracemalloc.start()
    make(tmp_path / "one.safetensors", tmp_path / "out", "mxfp8")
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert x.nbytes < peak < 2 * x.nbytes


# the same bytes from any worker


def test_four_processes(source: Path, tmp_path: Path, whole: dict[str, bytes]) -> None:
    told = command(source, tmp_path / "out", "--recipe", "nvfp4", "--workers", 4)
    assert told.returncode == 0, told.stderr
    assert contents(tmp_path / "out") == whole


def test_shards(source: Path, tmp_path: Path, whole: dict[str, bytes]) -> None:
    outs = [make(source, tmp_path / "out", shard=(k, 3)) for k in (2, 0, 1)]
    assert [made.missing == 0 for made in outs] == [False, False, True]
    assert sum(made.made for made in outs) == 5
    assert contents(tmp_path / "out") == whole


@pytest.mark.parametrize("backend", pto.isa.available())
def test_backends(source: Path, tmp_path: Path, whole: dict[str, bytes], backend: str) -> None:
    told = command(source, tmp_path / "out", "--recipe", "nvfp4", PTO_ISA=backend)
    assert told.returncode == 0, told.stderr
    assert contents(tmp_path / "out") == whole


def dies_elsewhere(_: int) -> None:
    if multiprocessing.parent_process() is not None:
        os.kill(os.getpid(), signal.SIGKILL)


def test_a_killed_worker_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_run, "do_job", dies_elsewhere)
    done = _run._on_pool(list(range(9)), 2)
    with pytest.raises(CheckpointError, match="a worker was killed"):
        assert (8, None) in list(done)
    monkeypatch.setattr(_run, "do_job", abs)
    assert set(_run._on_pool(list(range(9)), 3)) == {(k, k) for k in range(9)}


KILLED = """
import os, signal, sys
from pto.checkpoint import _files
from pto.checkpoint._command import quantize_main
left = int(sys.argv.pop(1))
replace = os.replace
def dies(a, b):  # before the file has its name
    global left
    left -= str(b).endswith("safetensors")
    if left < 0:
        os.kill(os.getpid(), signal.SIGKILL)
    replace(a, b)
os.replace = dies
quantize_main(sys.argv[1:])
"""


def test_a_killed_process_goes_on(source: Path, tmp_path: Path, whole: dict[str, bytes]) -> None:
    out = tmp_path / "out"
    words = [sys.executable, "-c", KILLED, "3", str(source), str(out), "--recipe", "nvfp4", "--quiet"]
    assert subprocess.run(words, check=False).returncode == -9
    assert len(list(out.glob("*.safetensors"))) == 3
    assert len(list(out.glob(".*.tmp"))) == 1
    assert not (out / "config.json").exists()
    assert verify_main([str(out), "--quiet"]) == 1
    made = make(source, out)
    assert (made.made, made.kept) == (2, 3)
    assert contents(out) == whole
    assert make(source, out).kept == 5


ALONE = """
import multiprocessing, os, signal, sys, time
from pathlib import Path
from pto.checkpoint import RECIPES, _run
from pto.checkpoint._plan import make_plan
from pto.checkpoint._manifest import begin
begin(Path(sys.argv[2]), {})
plan = make_plan(Path(sys.argv[1]), Path(sys.argv[2]), RECIPES["mxfp8"], [], [], {})
work = _run._on_pool(plan.jobs, 3)
next(work)
while len(multiprocessing.active_children()) < 2:
    time.sleep(0.01)
print(*[child.pid for child in multiprocessing.active_children()], flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


def lives(process: str) -> bool:
    try:
        return Path("/proc", process, "stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are seen in /proc")
def test_workers_end_with_the_command(source: Path, tmp_path: Path) -> None:
    words = [sys.executable, "-c", ALONE, str(source), str(tmp_path / "out")]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as killed:
        assert killed.stdout is not None
        workers = killed.stdout.readline().split()
    assert len(workers) == 2
    for _ in range(200):
        if not any(map(lives, workers)):
            return
        time.sleep(0.05)
    for worker in workers:
        os.kill(int(worker), signal.SIGKILL)
    pytest.fail("workers wait for a command that was killed")


@pytest.mark.skipif(os.name != "posix", reason="SIGINT is sent to a process group")
@pytest.mark.parametrize("delay", [0, 0.1, 0.3])
def test_an_interrupt_has_one_message(tmp_path: Path, delay: float) -> None:
    """As Ctrl-C does, the signal reaches the command and its workers, which are starting or busy."""
    interrupted = interrupt(tmp_path, delay, signal.SIG_DFL)
    if interrupted[0] != 0:  # a fast machine may be done before
        assert interrupted == (130, "pto.quantize: interrupted; finished files are kept\n")


@pytest.mark.skipif(os.name != "posix", reason="SIGINT is sent to a process group")
def test_an_interrupt_that_is_ignored(tmp_path: Path) -> None:
    """The shell starts the commands in the background of a script so."""
    assert interrupt(tmp_path, 0.3, signal.SIG_IGN)[0] == 0


def interrupt(tmp_path: Path, delay: float, action: signal.Handlers) -> tuple[int, str]:
    """Quantizes eight files with workers, which start with this action for SIGINT, and sends it to all of them."""
    tensors = {f"model.layers.{k}.mlp.up_proj.weight": np.ones((1024, 4096), np.float32) for k in range(8)}
    (tmp_path / "in").mkdir()
    for k, (name, x) in enumerate(tensors.items()):
        save_file({name: x}, tmp_path / "in" / f"{k}.safetensors")
    weight_map = {name: f"{k}.safetensors" for k, name in enumerate(tensors)}
    (tmp_path / "in/model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}))
    words = ["pto.quantize", str(tmp_path / "in"), str(tmp_path / "out"), "--recipe", "nvfp4", "--workers", "3"]
    with subprocess.Popen(
        [sys.executable, "-m", *words, "--quiet"],
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, action),
    ) as interrupted:
        for _ in range(3000):
            if (tmp_path / "out").exists():
                break
            time.sleep(0.01)
        time.sleep(delay)
        os.killpg(interrupted.pid, signal.SIGINT)
        told = interrupted.communicate(timeout=120)[1]
    return interrupted.returncode, told


def test_what_was_changed_is_found_and_made_again(source: Path, tmp_path: Path, whole: dict[str, bytes]) -> None:
    out = tmp_path / "out"
    make(source, out)
    path = out / FILE.format(2)
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    path.write_bytes(data)
    (out / FILE.format(4)).unlink()
    told = command(out, "--quiet", module="pto.verify")
    assert told.returncode == 1
    assert "has another digest" in told.stderr
    assert "is not there" in told.stderr
    made = make(source, out)
    assert (made.made, made.kept) == (2, 3)
    assert contents(out) == whole


def test_another_source_is_seen(source: Path, tmp_path: Path) -> None:
    copy = tmp_path / "in"
    shutil.copytree(source, copy)
    make(copy, tmp_path / "out")
    save_file({"model.layers.9.mlp.up_proj.weight": weights(np.random.default_rng(3), 32, 32)}, copy / FILE.format(5))
    index = copy / "model.safetensors.index.json"
    there = {name: file for name, file in json.loads(index.read_text())["weight_map"].items() if "5-of" not in file}
    there["model.layers.9.mlp.up_proj.weight"] = FILE.format(5)
    index.write_text(json.dumps({"weight_map": there}))
    assert make(copy, tmp_path / "out").made == 2  # another file has a gate that is fused with an up of this one


# errors are reported


@pytest.fixture
def broken(source: Path, tmp_path: Path) -> Iterator[Path]:
    shutil.copytree(source, tmp_path / "in")
    yield tmp_path / "in"
    assert not (tmp_path / "out" / "config.json").exists()
    assert not list((tmp_path / "out").glob(".*.tmp"))


def refused(source: Path, *words: str) -> None:
    told = command(source, source.parent / "out", "--recipe", "mxfp8", "--quiet")
    assert told.returncode == 1
    assert "Traceback" not in told.stderr
    assert all(word in told.stderr for word in words), told.stderr


def test_a_truncated_file(broken: Path) -> None:
    path = broken / FILE.format(3)
    os.truncate(path, path.stat().st_size - 1000)
    refused(broken, path.name, "header")


@pytest.mark.parametrize("header", [b"{", b"\xff" * 8, b'{"a":{"dtype":"F32","shape":[9],"data_offsets":[0,4]}}', b""])
def test_a_wrong_header(broken: Path, header: bytes) -> None:
    path = broken / FILE.format(3)
    path.write_bytes(len(header).to_bytes(8, "little") + header + bytes(4))
    refused(broken, path.name)


def test_an_index_that_lies(broken: Path) -> None:
    (broken / FILE.format(1)).rename(broken / "other.safetensors")
    refused(broken, FILE.format(1), "not there")
    shutil.copy(broken / FILE.format(2), broken / FILE.format(1))
    refused(broken, "a tensor is in two files", FILE.format(1) + " and " + FILE.format(2))
    (broken / "other.safetensors").rename(broken / FILE.format(1))
    index = broken / "model.safetensors.index.json"
    right = index.read_text()
    index.write_text(right.replace("1-of-00005", "2-of-00005", 1))
    refused(broken, FILE.format(1) + ", the index says " + FILE.format(2))
    index.write_text(right.replace('"weight_map": {', '"weight_map": {"ghost": "' + FILE.format(1) + '", '))
    refused(broken, "ghost is in none of the files, the index says " + FILE.format(1))
    (broken / "model.safetensors.index.json").write_text("{}")
    refused(broken, "not an index")


def test_a_full_disk(broken: Path) -> None:
    """A tmpfs has space for only some of the files."""
    disk = broken.parent / "disk"
    disk.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", "size=640k", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("a tmpfs cannot be mounted here")
    try:
        told = command(broken, disk / "out", "--recipe", "mxfp8", "--quiet")
        assert told.returncode == 1
        assert "No space left" in told.stderr
        assert "Traceback" not in told.stderr
        assert not list((disk / "out").glob(".*.tmp"))
        assert not (disk / "out" / "config.json").exists()
        subprocess.run(["mount", "-o", "remount,size=16m", str(disk)], check=True)
        made = make(broken, disk / "out", "mxfp8")
        assert made.kept > 0
        assert made.missing == 0
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_arguments(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for words in (["--shard", "3/3"], ["--workers", "0"], ["--recipe", "none"]):
        with pytest.raises(SystemExit):
            quantize_main([str(source), str(tmp_path / "out"), "--recipe", "mxfp8", *words])
    assert quantize_main([str(source), str(source), "--recipe", "mxfp8", "--quiet"]) == 1
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").touch()
    assert quantize_main([str(source), str(tmp_path / "full"), "--recipe", "mxfp8", "--quiet"]) == 1
    assert "is not empty" in capsys.readouterr().err


@pytest.mark.parametrize(
    "words",
    [
        ["--recipe", "mxfp8", "--eps", "1"],
        ["--recipe", "fp8-block", "--eps", "nan"],
        ["--recipe", "fp8-block", "--eps", "inf"],
        ["--recipe", "fp8-block", "--eps", "-1"],
        ["--recipe", "fp8-block-pow2", "--rule", "fp8.mul"],
    ],
    ids=" ".join,
)
def test_what_no_tensor_can_have_is_seen_first(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    assert quantize_main([str(source), str(tmp_path / "out"), *words, "--quiet"]) == 1
    assert words[1 if "fp8.mul" in words else 2] in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("text", ['{"quantization_config": {"quant_method": "fp8"}}', "{", "[]"])
def test_a_configuration_is_looked_at_first(source: Path, tmp_path: Path, text: str) -> None:
    shutil.copytree(source, tmp_path / "in")
    (tmp_path / "in" / "config.json").write_text(text)
    refused(tmp_path / "in", "config.json: ")
    assert not (tmp_path / "out").exists()
    (tmp_path / "in" / "config.json").write_text('{"quantization_config": null}')
    make(tmp_path / "in", tmp_path / "out", "mxfp8")
    assert json.loads((tmp_path / "out" / "config.json").read_text())["quantization_config"] is not None


@pytest.mark.parametrize("amax", ["NaN", "Infinity", "-1"])
def test_a_largest_magnitude_is_one(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], amax: str
) -> None:
    (tmp_path / "amax.json").write_text(f'{{"model.layers.0.mlp": {amax}}}')
    words = ["--recipe", "nvfp4-modelopt", "--input-amax", str(tmp_path / "amax.json"), "--quiet"]
    assert quantize_main([str(source), str(tmp_path / "out"), *words]) == 1
    assert "is no largest magnitude" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("dtype", "size"),
    [("F4", 16), ("F6_E2M3", 24), ("F6_E3M2", 24), ("C64", 256), ("F8_E4M3FNUZ", 32), ("F8_E5M2FNUZ", 32)],
)
def test_types_that_are_copied(tmp_path: Path, dtype: str, size: int) -> None:
    """All types of safetensors are copied, including those that NumPy lacks."""
    weight = {"dtype": "F32", "shape": [1, 32], "data_offsets": [0, 128]}
    other = {"dtype": dtype, "shape": [32], "data_offsets": [128, 128 + size]}
    head = json.dumps({"a.weight": weight, "b": other}).encode()
    data = np.linspace(-1, 1, 32, dtype=np.float32).tobytes() + bytes(range(129, 129 + size) if size < 128 else size)
    (tmp_path / "in.safetensors").write_bytes(len(head).to_bytes(8, "little") + head + data)
    make(tmp_path / "in.safetensors", tmp_path / "out", "mxfp8")
    tensor, copied = tensors_of(tmp_path / "out")["b"]
    assert (tensor.dtype, copied.tobytes()) == (dtype, data[128:])
    assert verify_main([str(tmp_path / "out"), "--source", str(tmp_path / "in.safetensors"), "--quiet"]) == 0


def test_without_the_packages(source: Path, tmp_path: Path) -> None:
    (tmp_path / "xxhash.py").write_text("raise ImportError")
    told = command(source, tmp_path / "out", "--recipe", "mxfp8", PYTHONPATH=str(tmp_path))
    assert told.returncode == 1
    assert told.stderr == "pto.quantize: xxhash is not installed; the extra 'checkpoints' of the package has it\n"


def test_the_name_can_be_called() -> None:
    code = "import pto.quantize, pto; import numpy as np; print(pto.quantize(np.ones(32, np.float32)).codes.shape)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "(32,)\n"
