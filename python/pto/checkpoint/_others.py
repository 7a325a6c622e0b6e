# SPDX-License-Identifier: MIT
"""Writes and copies the files of a checkpoint other than tensors: configuration, tokenizers, licences, sub-folders."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path

from ._files import INDEX, read_object, whole
from ._layers import Architecture, Config
from ._manifest import MANIFEST, Row, digest_of_file, is_result
from ._need import CheckpointError
from ._recipes import Recipe

_MADE = ("config.json", "hf_quant_config.json", INDEX, MANIFEST)
_WEIGHTS = (".safetensors", ".bin", ".pt", ".pth", ".ckpt", ".gguf", ".h5", ".msgpack", ".onnx", ".onnx_data", ".ot")
_SAME_WEIGHTS = ("original", "onnx", "openvino", "gguf", "coreml", "metal", "tflite")  # folders of other formats

_T5 = frozenset(("t5", "mt5", "umt5", "longt5", "switch_transformers", "udop", "pop2piano"))


def folder_of(source: Path) -> Path:
    return source if source.is_dir() else source.parent


def read_config(source: Path, name: str = "config.json") -> Config | None:
    """Returns the content of a JSON file in the folder of the tensors, or None if there is none."""
    path = folder_of(source) / name
    return read_object(path) if path.is_file() else None


def with_dtype(config: Config, dtype: str) -> Config:
    """Returns the configuration with another type of the model, also in nested configurations."""
    made: Config = {}
    for key, value in config.items():
        if key in ("dtype", "torch_dtype") and value is not None:
            made[key] = dtype
        else:
            made[key] = with_dtype(value, dtype) if isinstance(value, dict) and key.endswith("config") else value
    return made


def dtype_note(recipe: Recipe, config: Config | None, dtypes: frozenset[str]) -> str:
    """Returns a message if the quantized model is loaded in another type than the source, otherwise an empty string."""
    before = {value for key in ("dtype", "torch_dtype") if isinstance(value := (config or {}).get(key), str)}
    if not recipe.loads_bf16 or (dtypes <= {"BF16"} and before <= {"bfloat16"}):
        return ""
    had = ", ".join(sorted(before)) or ", ".join(sorted(dtypes))
    return f"config.json: the type of the model is bfloat16, not {had}: loaders of {recipe.name} dequantize to bf16"


def loader_notes(recipe: Recipe, architecture: Architecture, taken: Iterable[str]) -> list[str]:
    """Returns messages about loading the result in transformers 5, if that fails or loads wrong weights by default."""
    if recipe.config != "compressed_tensors":
        return []
    if any(re.search(r"\.experts\.\d+\.", name) for name in taken):
        if recipe.two_level or recipe.detail == "mxfp8-quantized" or recipe.block == (128, 128):
            return [f"transformers 5 does not dequantize experts of {recipe.name}; vLLM and compressed-tensors do"]
        return ["transformers 5 loads the experts with CompressedTensorsConfig(dequantize=True) only"]
    if recipe.codes == "weight_packed" and _T5.intersection(architecture.model_types):
        return [f"transformers 5 loads {architecture.name} with CompressedTensorsConfig(dequantize=True) only"]
    return []


def check_names(source: Path, names: Iterable[str]) -> None:
    """Raises CheckpointError if a file of tensors has the name of another file that the result has."""
    for name in names:
        if name in _MADE or name.startswith("."):
            raise CheckpointError(f"{source / name}: a file of tensors cannot have this name in the result")


def other_files(source: Path, out: Path, tensors: frozenset[str]) -> tuple[list[str], list[str]]:
    """Returns the files to copy, as paths relative to the folder, and a message for each file that is left out.

    ``tensors`` are the names of the files of tensors, in the source and in the result. They are not copied.
    """
    if not source.is_dir():
        return [], []
    copied, left = [], []
    results: list[Path] = []
    for name in _walk(source, out.resolve(), results):
        path = Path(name)
        if len(path.parts) == 1 and (name in _MADE or name in tensors or path.suffix == ".safetensors"):
            continue
        again = len(path.parts) == 1 or path.parts[0] in _SAME_WEIGHTS
        if again and path.name.endswith(_WEIGHTS):
            left.append(f"{name} is not copied: it holds the same weights in another format")
        else:
            copied.append(name)
    left += [
        f"{path.relative_to(source)} is not copied: it is a result of pto.quantize or pto.dequantize"
        for path in results
    ]
    return sorted(copied), sorted(left)


def _walk(folder: Path, out: Path, results: list[Path]) -> Iterator[str]:
    """Yields all files below a folder, except hidden ones and those of the result, as relative paths.

    Links to folders are followed, except to a folder that contains them. A broken link is an error. Other results in
    sub-folders are added to ``results``, and their files are not yielded.
    """
    for root, folders, files in os.walk(folder, followlinks=True):
        path = Path(root)
        around = {parent.resolve() for parent in path.parents if parent == folder or folder in parent.parents}
        if path.resolve() in around | {out}:
            folders.clear()
            continue
        if path != folder and is_result(path):
            results.append(path)
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            file = path / name
            if name.startswith("."):
                continue
            if file.is_symlink() and not file.exists():
                raise CheckpointError(f"{file}: the link leads nowhere")
            if file.is_file():
                yield file.relative_to(folder).as_posix()


def stray_tensors(source: Path, files: frozenset[str]) -> list[str]:
    """Returns a message for each safetensors file of the folder that is not in the index."""
    if not source.is_dir():
        return []
    names = sorted(path.name for path in source.glob("*.safetensors") if path.name not in files)
    return [f"{name} is not copied: it is not in the index" for name in names]


def remove_others(out: Path, names: Iterable[str]) -> None:
    """Removes files that were made from an earlier source, and folders that are empty then."""
    for name in names:
        path = out / name
        if path.is_file() or path.is_symlink():
            path.unlink()
        with contextlib.suppress(OSError):
            for folder in path.relative_to(out).parents:
                if folder.name:
                    (out / folder).rmdir()


def copy_others(source: Path, out: Path, names: list[str]) -> list[Row]:
    """Copies files that are missing or differ in ``out``. Returns a row of the manifest for each file."""
    rows = []
    for name in names:
        before, after = source / name, out / name
        key = digest_of_file(before)
        if not (after.is_file() and digest_of_file(after) == key):
            try:
                after.parent.mkdir(parents=True, exist_ok=True)
            except OSError as error:
                raise CheckpointError(f"{after.parent}: {error.strerror or error}") from error
            with open(before, "rb") as file, whole(after) as copy:
                shutil.copyfileobj(file, copy)
            with contextlib.suppress(OSError):
                shutil.copymode(before, after)
        rows.append({"other": name, "xxh3": key})
    return rows


def other_faults(out: Path, others: list[Row]) -> list[str]:
    """Returns a message for each file other than tensors that differs from the manifest."""
    found = []
    for row in others:
        path = out / row["other"]
        if not path.is_file():
            found.append(f"{path}: is not there")
        elif digest_of_file(path) != row["xxh3"]:
            found.append(f"{path}: has another digest")
    return found
