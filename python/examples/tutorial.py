# SPDX-License-Identifier: MIT
# %% [markdown]
# # A tensor through libpto, from top to bottom
#
# Run it as a script, or cell by cell where `# %%` is understood (Jupyter by jupytext, VS Code, Spyder). It needs NumPy,
# ml_dtypes for the dtypes of narrow types, and if `--picture FILE` is given matplotlib.
#
# The tensor is a weight of a small language model, MiniLM-L6: the query projection of its first layer.

# %%
import pathlib
import sys

import ml_dtypes
import numpy as np

import pto

here = pathlib.Path(__file__).resolve().parents[2]
x = np.load(here / "examples/data/minilm-l6-v2-layer0-query.npy")
rows, cols = x.shape
print(f"x: {rows} x {cols} of {x.dtype}, from {x.min():.3f} to {x.max():.3f}, rms {np.sqrt(np.mean(x**2)):.4f}")

# %% [markdown]
# ## 1. Convert
#
# An instruction of PTX in its own spelling, over the whole array. The result has the dtype that ml_dtypes has for it,
# and holds the codes that a GPU would have in memory.

# %%
y = pto.cvt("cvt.rn.satfinite.e4m3x2.f32", x)
print("\n1. four elements in e4m3")
for value, code, back in zip(x[0, :4], y.view(np.uint8)[0, :4], y.astype(np.float32)[0, :4], strict=True):
    print(f"   {value: .6f} -> {code:#04x} = {back: .6f}")

# The same by parts. Where a modifier is wrong, the error says which would be right.
assert pto.cvt(x, "e4m3", round="rn", satfinite=True).tobytes() == y.tobytes()
try:
    pto.cvt(x, "e4m3", round="rn")
except ValueError as error:
    print(f"   without satfinite: {str(error).splitlines()[0].split(';')[0]}")

# ml_dtypes' cast is the same within the range, and a NaN beyond it, where .satfinite clamps.
assert (x.astype(ml_dtypes.float8_e4m3fn).view(np.uint8) == y.view(np.uint8)).all()
large = np.array([1000.0], np.float32)
with np.errstate(all="ignore"):
    theirs = large.astype(ml_dtypes.float8_e4m3fn)
print(f"   1000 is {float(pto.cvt(large, 'e4m3', round='rn', satfinite=True)[0])} here, {float(theirs[0])} by astype")

# %% [markdown]
# ## 2. What each format costs
#
# Without a scale narrow formats lose what is small: e2m1 has no magnitude between 0 and 0.5. The ratio of signal to
# noise is in decibels, 6 of them for each bit.


# %%
def snr(source, result):
    """Signal over noise in dB."""
    noise = source.astype(np.float64) - result.astype(np.float64)
    return 10 * np.log10(np.sum(source.astype(np.float64) ** 2) / np.sum(noise**2))


def there_and_back(to):
    """Through a format, and back to f32, which is exact and takes no rounding."""
    codes = pto.cvt(x, to, round="rn", satfinite=to not in ("f16", "bf16"))
    return pto.cvt(codes, "f32", src=to)


print("\n2. format    SNR, dB    became 0")
plain = {}
for to in ("f16", "bf16", "e4m3", "e5m2", "e2m3", "e3m2", "e2m1"):
    back = there_and_back(to)
    plain[to] = snr(x, back)
    lost = pto.mask_count(pto.vcmp(back, 0, "eq")) / x.size
    print(f"   {to:6} {plain[to]:11.1f} {100 * lost:9.1f} %")

# %% [markdown]
# ## 3. Quantise, by the rules of several stacks
#
# A scale for each block of elements brings every block into the range of the format. How the scale is found differs
# from stack to stack, and with it the codes: `docs/block-scaling.md` says which stack has which rule.

# %%
print("\n3. elements and rule      bits    SNR, dB")
scaled = {}
for elem, rule in (
    ("e4m3", "mx.floor"),  # OCP MX 1.0; torchao, unless told
    ("e4m3", "mx.rceil"),  # ModelOpt; torchao if told
    ("e4m3", "fp8.rcp"),  # DeepGEMM
    ("e2m3", "mx.rceil"),
    ("e2m1", "mx.floor"),
    ("e2m1", "mx.rceil"),
    ("e2m1", "nv.te"),  # NVFP4 of Transformer Engine
):
    q = pto.quantize(x, elem, rule)
    back = pto.dequantize(q)
    width = {"e4m3": 8, "e2m3": 6, "e2m1": 4}[elem] + 8 * q.scales.nbytes / x.size
    scaled[f"{elem} {rule}"] = width, snr(x, back)
    print(f"   {elem:6} {rule:14} {width:6.2f} {snr(x, back):10.1f}")

a, b = (pto.quantize(x, "e4m3", rule).codes.view(np.uint8) for rule in ("mx.floor", "mx.rceil"))
print(f"   mx.floor and mx.rceil differ in {100 * np.mean(a != b):.1f} % of the e4m3 codes")

# For a matrix product on the GPU, scales are laid out in tiles.
q = pto.quantize(x, "e4m3", "mx.rceil")
tiled = pto.scales_swizzle(q.scales.view(np.uint8), "128x4")
print(f"   scales: {q.scales.shape[0]} x {q.scales.shape[1]}, in cuBLAS' tiles {tiled.size} bytes")

# %% [markdown]
# ## 4. Round at random
#
# Rounding to nearest treats all elements of one size alike, and their mean drifts; with random bits it is right in the
# long run. The bits are given, so it can be done again: they are those of cuRAND's Philox.

# %%
try:
    steady = np.full((64, 1024), 1.03, np.float32)
    rbits = pto.random_bits(key=2024, words=steady.size // 4).reshape(64, 256)
    nearest = pto.cvt("cvt.rn.satfinite.e4m3x2.f32", steady).astype(np.float64).mean()
    random = pto.cvt("cvt.rs.satfinite.e4m3x4.f32", steady, rbits).astype(np.float64).mean()
    print(f"\n4. the mean of 1.03 in e4m3: to nearest {nearest:.3f}, at random {random:.3f}")
except NotImplementedError:
    print("\n4. this build of libpto is without Random123")

# %% [markdown]
# ## 5. Masks
#
# A comparison gives a mask: bools, or packed bits, an eighth of the memory. Either is taken by every call.

# %%
bits = pto.vcmp(x, 0.1, "ge", mask="packed")
either = pto.mask_or(bits, pto.vcmp(x, -0.1, "le"))
share = pto.mask_count(either) / x.size
print(f"\n5. |x| >= 0.1 in {100 * share:.1f} % of the lanes, a mask of {either.nbytes} bytes; of bools it has {x.size}")
pruned = pto.vsel(x, 0, either)
assert (pruned == np.where(np.abs(x) >= np.float32(0.1), x, 0)).all()

# %% [markdown]
# ## 6. A program in PTX
#
# Lines of PTX run over arrays, each lane a thread. Registers come in by name, and go out by name.

# %%
out = pto.run(
    """
    abs.f32      m, x;
    setp.ge.f32  p, m, limit;
    selp.f32     kept, x, 0f00000000, p;
@p  add.s32      count, count, 1;
    """,
    x=x,
    limit=0.1,
    count=np.zeros(x.shape, np.int32),
)
assert (out["kept"] == pruned).all()
print(f"\n6. the program kept {out['count'].sum()} elements, the calls above {pto.mask_count(either)}")

# %% [markdown]
# ## 7. Threads, and instruction sets
#
# Large arrays may be shared among threads, and each instruction set has its kernels. The bits depend on neither.

# %%
big = np.tile(x, (8, 1))
want = pto.quantize(big, "e2m1", "nv.te")
before = pto.isa.active()
for name in pto.isa.available():
    for threads in (1, 2):
        pto.isa.use(name)
        pto.set_num_threads(threads)
        got = pto.quantize(big, "e2m1", "nv.te")
        assert (got.codes.tobytes(), got.scales.tobytes()) == (want.codes.tobytes(), want.scales.tobytes())
pto.isa.use(before)
pto.set_num_threads(1)
print("\n7. the same NVFP4 from every instruction set, by one thread and by two")

# %% [markdown]
# ## 8. A picture
#
# Bits an element against what is left of the signal.

# %%
if "--picture" in sys.argv:
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    widths = {"f16": 16, "bf16": 16, "e4m3": 8, "e5m2": 8, "e2m3": 6, "e3m2": 6, "e2m1": 4}
    bars = [(width, name, ratio, "tab:blue") for name, (width, ratio) in scaled.items()]
    bars += [(widths[name], f"{name}, no scales", ratio, "tab:gray") for name, ratio in plain.items()]
    bars.sort(key=lambda bar: (bar[0], bar[2]))
    figure, axes = pyplot.subplots(figsize=(8, 5), layout="constrained")
    drawn = axes.barh(
        [f"{name}: {width:g} bits" for width, name, _, _ in bars],
        [ratio for _, _, ratio, _ in bars],
        color=[color for _, _, _, color in bars],
    )
    axes.bar_label(drawn, fmt="%.1f", padding=3)
    axes.margins(x=0.08)
    axes.set(xlabel="signal over noise, dB", title="A weight of MiniLM-L6 through narrow formats")
    figure.savefig(sys.argv[sys.argv.index("--picture") + 1])
