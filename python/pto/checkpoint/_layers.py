# SPDX-License-Identifier: MIT
"""Decides which tensors of a checkpoint are the weights of linear layers.

The decision uses ``config.json`` and the names and shapes of all tensors. A weight is taken only if its layer is known
to be an ``nn.Linear`` inside a repeated block. Embeddings, output heads, norms and routers are left unless the user
names them. A weight that is stored as [in, out], as GPT-2's ``Conv1D`` has it, is an error unless the user asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from typing import Any

from ._files import Tensor

Config = dict[str, Any]

# Names of linear layers inside a block: the last component of the module's name. In the models of transformers, all
# layers inside a block with these names are nn.Linear, except in the families in _CONV1D.
_LINEAR_NAMES = """
    q_proj k_proj v_proj o_proj out_proj qkv_proj kv_proj query_proj key_proj value_proj output_proj
    gate_proj up_proj down_proj gate_up_proj fc1 fc2 fc3 linear1 linear2 linear_1 linear_2 lin1 lin2
    dense dense1 dense2 query key value q k v o wi wi_0 wi_1 wo w1 w2 w3 wq wk wv w_0 w_1
    qkv proj q_lin k_lin v_lin out_lin query_key_value dense_h_to_4h dense_4h_to_h Wqkv Wq Wk Wv Wi Wo
    q_a_proj q_b_proj kv_a_proj_with_mqa kv_b_proj wq_a wq_b wo_a wo_b wkv wkv_a wkv_b
    in_proj in_proj_qkvz in_proj_ba in_proj_qkv in_proj_z in_proj_a in_proj_b
    intermediate_dense output_dense linear_q linear_k linear_v linear_out linear_fc1 linear_fc2 fc_in fc_out
    query_global key_global value_global projection_query projection_key projection_value
    key_self value_self ffn ffn_output dense_0 dense_1 to_q to_k to_v projection projection_layer
    input_linear output_linear pwconv1 pwconv2 layer_1 layer_2 proj_up proj_down
"""
_LINEAR = frozenset(_LINEAR_NAMES.split())

# Names that mean linear layers only in these model types. In other models c_attn, c_proj and c_fc are Conv1D.
_LINEAR_OF = {
    "gpt_bigcode": ("c_attn", "c_proj", "c_fc", "q_attn"),
    "gpt_neo": ("c_fc", "c_proj"),
    "starcoder2": ("c_fc", "c_proj"),
    "bark": ("att_proj",),
    "cpmant": ("project_q", "project_k", "project_v", "attention_out", "w_out"),
    "rwkv": ("receptance",),
}

# Model types whose layers are classes of their own, which no loader quantizes.
_OWN_LAYERS = {"ibert": "QuantLinear"}

# Model types whose blocks use transformers' Conv1D, and the names of these layers.
_CONV1D = frozenset(("gpt2", "openai-gpt", "imagegpt", "decision_transformer", "clvp", "clvp_decoder"))
_CONV1D_LAYERS = frozenset(("c_attn", "c_proj", "c_fc", "q_attn"))

_ROUTERS = re.compile(r"(gate|wg|.*router.*|.*expert_gate)$")
_NORMS = re.compile(r"(.*norm.*|ln|ln_.*|.*_ln)$")
_HEADS = re.compile(
    r"(pooler|cls|score|heads?|head_.*|.*_heads?|.*lm_head.*|.*classifier.*|.*prediction.*|qa_outputs|.*_outputs"
    r"|vocab_transform|vocab_projector|decoder_pred|.*summary|seq_relationship|lm_loss|nsp|mlm)$"
)
_HEAD_LAYERS = frozenset(("output", "decoder", "unembed", "proj_out", "logits_proj", "logits_dense"))
_EMBEDDINGS = re.compile(
    r"(.*embed.*|emb|emb_.*|.*_emb|.*_emb_.*|wte|wpe|shared|.*relative_attention_bias.*|rel_pos.*|relative_position.*"
    r"|pos_.*|position.*|token_type.*|.*codebook.*|tok|tokens?|rel_bias.*)$"
)
_VOCABULARIES = ("vocab_size", "max_position_embeddings", "n_positions", "type_vocab_size", "num_embeddings")
_EXPERTS = re.compile(r".*\.experts\.(gate_up_proj|down_proj)$")

# Heads of model classes whose weight is the embedding's, or that a checkpoint of the base model lacks. The
# configuration for compressed-tensors ignores them, because loaders would otherwise look for their scales.
HEADS_OF_TASKS = (
    r"re:(.*\.)?(pooler|cls|classifier|score|qa_outputs|lm_head|predictions|generator_predictions|generator_lm_head"
    r"|discriminator_predictions|vocab_transform|vocab_projector|pre_classifier|embed_out|proj_out)(\..*)?$"
)


@dataclass(frozen=True)
class Architecture:
    """The description of a model in ``config.json``, including its sub-models."""

    configured: bool = False  # there is a config.json
    model_types: tuple[str, ...] = ()
    classes: tuple[str, ...] = ()
    vocabularies: frozenset[int] = frozenset()

    @property
    def name(self) -> str:
        return self.model_types[0] if self.model_types else "an unknown architecture"

    @property
    def generates(self) -> bool:
        """Whether all model classes have only one head, named ``lm_head``."""
        return all(name.endswith(("ForCausalLM", "ForConditionalGeneration")) for name in self.classes)


@dataclass(frozen=True, slots=True)
class Kind:
    """The purpose of a tensor. ``component`` is the part of its name from which it was recognised."""

    taken: bool
    reason: str
    component: str = ""
    protected: bool = False  # --include takes it only if its pattern contains the component
    conv1d: bool = False
    experts: bool = False
    gguf: bool = False  # a tensor of a GGUF file


@dataclass
class Choice:
    """The tensors that a recipe quantizes and those that it leaves: dicts from names to reasons."""

    taken: dict[str, str] = field(default_factory=dict)
    left: dict[str, str] = field(default_factory=dict)
    odd: list[str] = field(default_factory=list)  # tensors whose columns are not a whole number of blocks


def read_architecture(config: Config | None) -> Architecture:
    """Returns the model types and classes of a configuration and its nested configurations, the outermost first."""
    if config is None:
        return Architecture()
    inner = list(configurations(config))
    types = [str(c["model_type"]) for c in inner if isinstance(c.get("model_type"), str)]
    classes = config.get("architectures")
    names = [name for name in classes if isinstance(name, str)] if isinstance(classes, list) else []
    sizes = {c[key] for c in inner for key in _VOCABULARIES if isinstance(c.get(key), int) and c[key] > 1}
    return Architecture(True, tuple(dict.fromkeys(types)), tuple(names), frozenset(sizes))


def configurations(config: Config) -> Iterator[Config]:
    """Yields a configuration and those that are nested in it, the outermost first."""
    queue = [config]
    while queue:
        one = queue.pop(0)
        yield one
        for key, value in one.items():
            if isinstance(value, dict) and key.endswith(("config", "encoder", "decoder", "generator")):
                queue.append(value)


def kinds_of(tensors: dict[str, Tensor], architecture: Architecture) -> dict[str, Kind]:
    """Returns the kind of every tensor that has two or more dimensions and is of a float type or named ``.weight``."""
    linear = set(_LINEAR).union(*(_LINEAR_OF.get(name, ()) for name in architecture.model_types))
    conv1d = _conv1d_layers(tensors, architecture, linear)
    return {
        name: _kind(tensor, tensors, architecture, linear, conv1d)
        for name, tensor in tensors.items()
        if len(tensor.shape) >= 2 and (tensor.dtype.startswith(("F", "BF")) or name.endswith(".weight"))
    }


def module_of(name: str) -> str:
    return name.removesuffix(".weight")


def _last(name: str) -> str:
    return module_of(name).rpartition(".")[2]


def _conv1d_layers(tensors: dict[str, Tensor], architecture: Architecture, linear: set[str]) -> set[str]:
    """Returns names of layers with [in, out] weights: those of Conv1D models, and those whose bias is as long as a row.

    The layout of a square weight cannot be recognised by its bias, but that of another layer of the same name may be.
    """
    found = set(_CONV1D_LAYERS - linear) if _CONV1D.intersection(architecture.model_types) else set()
    for name, tensor in tensors.items():
        bias = tensors.get(module_of(name) + ".bias")
        if name.endswith(".weight") and len(tensor.shape) == 2 and bias is not None:
            rows, cols = tensor.shape
            if rows != cols and bias.shape == (cols,):
                found.add(_last(name))
    return found


def _kind(
    tensor: Tensor, tensors: dict[str, Tensor], architecture: Architecture, linear: set[str], conv1d: set[str]
) -> Kind:
    name, components = tensor.name, module_of(tensor.name).split(".")
    last = components[-1]
    if _EXPERTS.match(name) and len(tensor.shape) == 3:
        return Kind(False, "a stack of experts; only mxfp4-gpt-oss takes these", last, experts=True)
    if len(tensor.shape) != 2 or not name.endswith(".weight"):
        return Kind(False, "not the weight matrix of a layer", last)
    for reason, pattern in (("router", _ROUTERS), ("norm", _NORMS), ("head", _HEADS), ("embedding", _EMBEDDINGS)):
        searched = components[1:] if reason == "norm" and len(components) > 1 else components  # roberta_prelayernorm
        component = next((c for c in reversed(searched) if pattern.match(c)), None)
        if component is not None:
            return Kind(False, reason, component, protected=True)
    if last in _HEAD_LAYERS:
        return Kind(False, "head", last, protected=True)
    if last in conv1d:
        return Kind(False, "stored as [in, out] (Conv1D)", last, conv1d=True)
    bias = tensors.get(module_of(name) + ".bias")
    if bias is not None and bias.shape != tensor.shape[:1]:
        return Kind(False, f"its bias has the shape {list(bias.shape)}: no linear layer", last, protected=True)
    if ".".join([*components[:-1], "in_proj_weight"]) in tensors:
        return Kind(False, "part of nn.MultiheadAttention, which reads the weight itself", last, protected=True)
    for model_type in architecture.model_types:
        if model_type in _OWN_LAYERS:
            return Kind(False, f"{_OWN_LAYERS[model_type]} of {model_type}, not nn.Linear", last, protected=True)
    if not architecture.configured:
        return Kind(True, "linear layer" if last in linear else "no config.json; the name is of no other kind", last)
    if last in linear and any(c.isdigit() for c in components[:-1]):
        return Kind(True, "linear layer", last)
    if tensor.shape[0] in architecture.vocabularies:
        return Kind(False, "embedding or head: one row for each token or position", last, protected=True)
    return Kind(False, f"not known as a linear layer of {architecture.name}", last)


def matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def names_kind(name: str, kind: Kind, patterns: Iterable[str]) -> bool:
    """Returns whether a matching pattern contains the component of ``kind``, or three or more letters of it.

    Patterns such as ``*`` or ``model.*`` also match embeddings and heads, but do not name them.
    """
    for pattern in patterns:
        if not fnmatchcase(name, pattern):
            continue
        for piece in re.split(r"[*?\[\].]+", pattern):
            if piece and (kind.component in piece or (len(piece) >= 3 and piece in kind.component)):
                return True
    return False


def grouped(names: dict[str, str]) -> list[tuple[str, str, int]]:
    """Groups names that differ only in numbers. Returns a pattern, the reason and the number of names of each group."""
    groups: dict[tuple[str, str], int] = {}
    for name, reason in names.items():
        key = (re.sub(r"(?<=\.)\d+(?=\.)", "*", name), reason)
        groups[key] = groups.get(key, 0) + 1
    return [(pattern, reason, count) for (pattern, reason), count in sorted(groups.items())]
