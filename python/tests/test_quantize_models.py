# SPDX-License-Identifier: MIT
"""Tiny models of transformers, quantized by each recipe and loaded again: the logits stay close to the original's.

The source of each test is made by ``save_pretrained``, so names, layouts and tied weights are those of transformers.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("transformers", reason="transformers is not installed")
pytest.importorskip("compressed_tensors", reason="compressed-tensors is not installed")
pytest.importorskip("safetensors")
pytest.importorskip("xxhash")

import torch
import transformers
from compressed_tensors.compressors import BaseCompressor, compress_module
from compressed_tensors.quantization import QuantizationConfig, initialize_module_for_quantization
from compressed_tensors.quantization.utils import calculate_qparams, generate_gparam
from safetensors.torch import load_file, save_file

from pto.checkpoint import RECIPES
from pto.checkpoint._command import quantize_main, verify_main
from pto.checkpoint._configs import quantization_config
from pto.checkpoint._files import Tensor
from pto.checkpoint._layers import kinds_of, module_of, read_architecture

pytestmark = pytest.mark.filterwarnings("default")  # warnings of transformers are not errors
COMPRESSED = [name for name, recipe in RECIPES.items() if recipe.config == "compressed_tensors"]
LEAST = {"e4m3": 0.99, "e2m3": 0.99, "e2m1": 0.9}  # the lowest cosine similarity of logits, by element type
TOKENS = torch.arange(1, 33)[None]


@dataclass(frozen=True)
class Model:
    """A tiny model: its configuration and class, the call that returns logits, and the number of quantized layers."""

    config: transformers.PreTrainedConfig
    auto: Any
    call: Callable[[Any], torch.Tensor]
    linear: int


def text(model: Any) -> torch.Tensor:
    return model(input_ids=TOKENS).logits


SIZES = {"vocab_size": 256, "hidden_size": 128, "num_hidden_layers": 2, "num_attention_heads": 4}
GATED = SIZES | {"intermediate_size": 256, "num_key_value_heads": 2, "head_dim": 32}
PICTURE = {"image_size": 16, "patch_size": 8, "num_labels": 64}
MODELS: dict[str, Callable[[], Model]] = {
    "t5": lambda: Model(
        transformers.T5Config(vocab_size=256, d_model=128, d_kv=32, d_ff=256, num_layers=2, num_heads=4),
        transformers.AutoModelForSeq2SeqLM,
        lambda model: model(input_ids=TOKENS, decoder_input_ids=TOKENS).logits,
        2 * (4 + 2) + 2 * (8 + 2),
    ),
    "bert": lambda: Model(
        transformers.BertConfig(**SIZES, intermediate_size=256), transformers.AutoModelForMaskedLM, text, 2 * 6
    ),
    "vit": lambda: Model(
        transformers.ViTConfig(
            hidden_size=128, num_hidden_layers=2, num_attention_heads=4, intermediate_size=256, **PICTURE
        ),
        transformers.AutoModelForImageClassification,
        lambda model: model(torch.linspace(-1, 1, 3 * 16 * 16, dtype=model.dtype).reshape(1, 3, 16, 16)).logits,
        2 * 6,
    ),
    "llama": lambda: Model(transformers.LlamaConfig(**GATED), transformers.AutoModelForCausalLM, text, 2 * 7),
    "qwen": lambda: Model(
        transformers.Qwen3Config(**GATED, tie_word_embeddings=True), transformers.AutoModelForCausalLM, text, 2 * 7
    ),
    "mixtral": lambda: Model(
        transformers.MixtralConfig(**GATED, num_local_experts=4), transformers.AutoModelForCausalLM, text, 2 * (4 + 12)
    ),
}


def saved(model: Model, folder: Path, dtype: torch.dtype) -> torch.Tensor:
    """Saves a model with random weights, and returns its logits in f32."""
    torch.manual_seed(0)
    made = model.auto.from_config(model.config).eval()
    with torch.no_grad():
        for key, parameter in made.named_parameters():
            if parameter.ndim > 1:  # T5 does not divide q by the root of its width
                std = parameter[0].numel() ** -0.5 / (4 if key.endswith("Attention.q.weight") else 1)
                torch.nn.init.normal_(parameter, std=std)
        made = made.to(dtype)
        made.save_pretrained(folder)
        return model.call(made.float())


def cosine(a: torch.Tensor, b: torch.Tensor) -> float:
    return torch.nn.functional.cosine_similarity(a.double().flatten(), b.double().flatten(), dim=0).item()


def loaded(model: Model, folder: Path, recipe: str) -> Any:
    """Loads the model with transformers.

    T5 initializes its weights before packed ones are dequantized. Mixtral's experts are one tensor in transformers, and
    are dequantized on loading. transformers 5 does that correctly only for some recipes.
    """
    kind = model.config.model_type
    if kind == "mixtral" and recipe in ("mxfp8", "nvfp4", "fp8-block-ct"):
        decompress(folder)
        return model.auto.from_pretrained(folder).eval()
    if kind in ("mixtral", "gpt2") or (kind == "t5" and RECIPES[recipe].codes == "weight_packed"):
        options = transformers.CompressedTensorsConfig(dequantize=True)
        return model.auto.from_pretrained(folder, quantization_config=options).eval()
    return model.auto.from_pretrained(folder).eval()


def decompress(folder: Path) -> None:
    """Replaces a quantized checkpoint by a dense one, with only the functions of compressed-tensors."""
    config = json.loads((folder / "config.json").read_text())
    quantization = QuantizationConfig.model_validate(config.pop("quantization_config"))
    scheme = quantization.config_groups["group_0"]
    tensors = load_file(folder / "model.safetensors")
    for module in {name.removesuffix(".weight_scale") for name in tensors if name.endswith(".weight_scale")}:
        names = [name for name in tensors if name.startswith(module + ".weight")]
        state = {name.removeprefix(module + "."): tensors.pop(name) for name in names}
        dense = BaseCompressor.get_value_from_registry(scheme.format).decompress(state, scheme)
        tensors[module + ".weight"] = dense["weight"].to(torch.bfloat16)
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})
    (folder / "config.json").write_text(json.dumps(config))


@pytest.mark.parametrize("recipe", COMPRESSED)
@pytest.mark.parametrize("name", MODELS)
def test_logits(tmp_path: Path, name: str, recipe: str, capsys: pytest.CaptureFixture[str]) -> None:
    model = MODELS[name]()
    dtype = (torch.float32, torch.bfloat16, torch.float16)[(COMPRESSED.index(recipe) + len(name)) % 3]
    want = saved(model, tmp_path / "in", dtype)
    assert quantize_main([str(tmp_path / "in"), str(tmp_path / "out"), "--recipe", recipe, "--quiet"]) == 0
    assert f"quantized with {recipe}: {model.linear} tensors" in capsys.readouterr().out
    assert verify_main([str(tmp_path / "out"), "--source", str(tmp_path / "in"), "--quiet"]) == 0
    made = loaded(model, tmp_path / "out", recipe)
    with torch.no_grad():
        got = model.call(made).float()
    assert cosine(got, want) > LEAST[RECIPES[recipe].elem]


def special_weight(dtype: torch.dtype) -> torch.Tensor:
    """Returns random rows, among them rows of zeros, with some -0, and with tiny and subnormal values of the type."""
    x = torch.randn(160, 256, generator=torch.Generator().manual_seed(1)) * 0.02
    x[1] = 0
    x[2, ::3] = -0.0
    for row in range(3, 40):
        x[row] *= 2.0 ** (1 - row)
    x[40:60] *= torch.finfo(dtype).tiny
    return x.to(dtype)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16, torch.float16], ids=str)
@pytest.mark.parametrize("recipe", COMPRESSED)
def test_bytes_are_those_of_compressed_tensors(tmp_path: Path, recipe: str, dtype: torch.dtype) -> None:
    """Compares with model_free_ptq of llm-compressor, computed with the functions of compressed-tensors."""
    weight = special_weight(dtype)
    config = quantization_config(RECIPES[recipe], [])
    scheme = QuantizationConfig.model_validate(config).config_groups["group_0"]
    module = torch.nn.Linear(256, 160, bias=False, dtype=dtype)
    module.weight.data.copy_(weight)
    initialize_module_for_quantization(module, scheme, force_zero_point=False)
    high, wide = (size or weight.shape[i] for i, size in enumerate(RECIPES[recipe].block))
    padded = torch.nn.functional.pad(weight, (0, -256 % wide, 0, -160 % high))
    blocks = padded.unflatten(1, (-1, wide)).unflatten(0, (-1, high))
    least, most = blocks.amin(dim=(1, 3)), blocks.amax(dim=(1, 3))
    if RECIPES[recipe].two_level:
        module.weight_global_scale.data = generate_gparam(least.min().reshape(1), most.max().reshape(1))
    scale, _ = calculate_qparams(least, most, scheme.weights, getattr(module, "weight_global_scale", None))
    module.weight_scale.data = scale.reshape(module.weight_scale.shape)
    compress_module(module)
    save_file({"a.weight": weight}, tmp_path / "one.safetensors")
    assert quantize_main([str(tmp_path / "one.safetensors"), str(tmp_path / "out"), "--recipe", recipe, "--quiet"]) == 0
    made = load_file(tmp_path / "out/model.safetensors")
    want = {f"a.{name}": x for name, x in module.state_dict().items()}
    assert made.keys() == want.keys()
    for name, x in made.items():
        assert x.shape == want[name].shape, name
        assert torch.equal(x.contiguous().view(torch.uint8), want[name].contiguous().view(torch.uint8)), name


def gpt2() -> Model:
    config = transformers.GPT2Config(vocab_size=256, n_positions=64, n_embd=128, n_layer=2, n_head=4)
    return Model(config, transformers.AutoModelForCausalLM, text, 2 * 4)


def test_conv1d_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """GPT-2 stores weights as [in, out]. They are quantized only with --conv1d, and then in that layout."""
    model = gpt2()
    want = saved(model, tmp_path / "in", torch.bfloat16)
    words = [str(tmp_path / "in"), str(tmp_path / "out"), "--recipe", "fp8-channel", "--quiet"]
    assert quantize_main(words) == 1
    assert "8 weights of gpt2 are stored as [in, out]" in capsys.readouterr().err
    assert quantize_main([*words, "--include", "*.h.*"]) == 1
    assert quantize_main([*words, "--exclude", "*.c_*.weight"]) == 1  # nothing else is a linear layer
    assert "has no weight that fp8-channel is for" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
    assert quantize_main([*words, "--conv1d"]) == 0
    assert "quantized with fp8-channel: 8 tensors" in capsys.readouterr().out
    with torch.no_grad():
        got = model.call(loaded(model, tmp_path / "out", "fp8-channel")).float()
    assert cosine(got, want) > LEAST["e4m3"]


# Model types whose names or layouts differ from those above. They have their default sizes, on the meta device.
FAMILIES = """
    bart bigbird_pegasus blenderbot bloom clip codegen convbert ctrl deberta-v2 decision_transformer distilbert
    electra falcon fsmt funnel gpt2 gpt_bigcode gpt_neo gpt_neox gptj ibert imagegpt led longt5 m2m_100 marian
    mbart mpt mt5 openai-gpt opt pegasus phi prophetnet qwen2_moe rembert sam switch_transformers t5 udop umt5
    wav2vec2 whisper xglm xlm xlnet
"""


@pytest.mark.parametrize("model_type", FAMILIES.split())
def test_only_linear_layers_are_taken(model_type: str) -> None:
    """In every class of transformers, each quantized weight belongs to an nn.Linear that is not a head."""
    with torch.device("meta"):
        models = list(models_of(model_type))
    assert models
    for model in models:
        tensors = {name: Tensor(name, "BF16", tuple(x.shape), 0, 0) for name, x in model.state_dict().items()}
        architecture = read_architecture({"model_type": model_type})
        modules, head = dict(model.named_modules()), model.get_output_embeddings()
        for name, kind in kinds_of(tensors, architecture).items():
            module = modules.get(module_of(name))
            if kind.taken:
                assert isinstance(module, torch.nn.Linear), name
                assert type(module).__name__ != "NonDynamicallyQuantizableLinear", name  # of nn.MultiheadAttention
                assert module is not head, name
            if kind.conv1d:
                assert type(module).__name__ == "Conv1D", name


def models_of(model_type: str) -> Any:
    """Yields the base model, and a model with each kind of head for which transformers has a class."""
    config = transformers.CONFIG_MAPPING[model_type]()
    for name in (
        "num_hidden_layers",
        "n_layer",
        "encoder_layers",
        "decoder_layers",
        "num_layers",
        "num_decoder_layers",
    ):
        if isinstance(getattr(config, name, None), int):
            setattr(config, name, 2)
    autos = ["", "ForCausalLM", "ForMaskedLM", "ForSeq2SeqLM", "ForSequenceClassification", "ForMaskGeneration"]
    for auto in autos:
        try:
            yield getattr(transformers, f"AutoModel{auto}").from_config(config)
        except (ValueError, KeyError, TypeError, AttributeError, NotImplementedError):  # no such class
            continue


def test_a_family_that_is_not_known(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only known names of linear layers inside a block are quantized. Every other matrix is listed with a reason."""
    rng = torch.Generator().manual_seed(0)
    shapes = {
        "tok.weight": (256, 64), "lookup.weight": (256, 64), "net.0.q_proj.weight": (64, 64),
        "net.0.mixer.weight": (64, 64),
        "net.0.mixing.weight": (64, 128), "net.0.mixing.bias": (128,), "net.0.codebook.weight": (32, 64),
        "net.0.attn.in_proj_weight": (192, 64), "net.0.attn.out_proj.weight": (64, 64), "score.weight": (2, 64),
    }  # fmt: skip
    (tmp_path / "in").mkdir()
    save_file(
        {name: torch.randn(shape, generator=rng) for name, shape in shapes.items()}, tmp_path / "in/model.safetensors"
    )
    (tmp_path / "in/config.json").write_text(json.dumps({"model_type": "new", "vocab_size": 256}))
    words = [str(tmp_path / "in"), "--recipe", "mxfp8", "--quiet"]
    assert quantize_main([*words, str(tmp_path / "a")]) == 1
    assert "stored as [in, out] (Conv1D), net.*.mixing.weight" in capsys.readouterr().err
    assert quantize_main([*words, str(tmp_path / "a"), "--exclude", "*.mixing.weight"]) == 0
    said = capsys.readouterr().out
    assert "quantized with mxfp8: 1 tensors\n  net.*.q_proj.weight: linear layer" in said
    for line in (
        "tok.weight: embedding", "lookup.weight: embedding or head", "mixer.weight: not known as a linear layer of new",
        "codebook.weight: embedding", "out_proj.weight: part of nn.MultiheadAttention", "score.weight: head",
        "net.*.mixing.weight: --exclude", "in_proj_weight: not the weight matrix of a layer",
    ):  # fmt: skip
        assert line in said, line
    assert quantize_main([*words, str(tmp_path / "b"), "--include", "*", "--exclude", "*.mixing.weight"]) == 0
    assert "quantized with mxfp8: 2 tensors" in capsys.readouterr().out
    assert quantize_main([*words, str(tmp_path / "c"), "--include", "score.weight"]) == 0
    assert "score.weight: head; named by" in capsys.readouterr().out
