# SPDX-License-Identifier: MIT
# %% [markdown]
# # A tutorial of libpto with a real tensor
#
# Run it as a script, or cell by cell in a tool that supports `# %%` (Jupyter with jupytext, VS Code, Spyder). It needs
# NumPy, ml_dtypes for the dtypes of small formats, and matplotlib if `--picture FILE` is given.
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
# `pto.cvt` takes a PTX instruction in PTX's spelling and applies it to the whole array. The result has ml_dtypes' dtype
# of that type, and the same bytes that a GPU would store.

# %%
y = pto.cvt("cvt.rn.satfinite.e4m3x2.f32", x)
print("\n1. four elements in e4m3")
for value, code, back in zip(x[0, :4], y.view(np.uint8)[0, :4], y.astype(np.float32)[0, :4], strict=True):
    print(f"   {value: .6f} -> {code:#04x} = {back: .6f}")

# The same conversion, specified by its parts. If a modifier is wrong, the error lists the legal ones.
assert pto.cvt(x, "e4m3", round="rn", satfinite=True).tobytes() == y.tobytes()
try:
    pto.cvt(x, "e4m3", round="rn")
except ValueError as error:
    print(f"   without satfinite: {str(error).splitlines()[0].split(';')[0]}")

# ml_dtypes' cast gives the same results in the range of e4m3. Outside it gives a NaN, where .satfinite clamps.
assert (x.astype(ml_dtypes.float8_e4m3fn).view(np.uint8) == y.view(np.uint8)).all()
large = np.array([1000.0], np.float32)
with np.errstate(all="ignore"):
    theirs = large.astype(ml_dtypes.float8_e4m3fn)
print(f"   1000 is {float(pto.cvt(large, 'e4m3', round='rn', satfinite=True)[0])} here, {float(theirs[0])} by astype")

# %% [markdown]
# ## 2. The error of each format
#
# Without a scale, small formats lose small values: e2m1 has no magnitude between 0 and 0.5. The signal-to-noise ratio
# is in decibels; each bit of precision adds 6.


# %%
def snr(source, result):
    """Returns the signal-to-noise ratio in dB."""
    noise = source.astype(np.float64) - result.astype(np.float64)
    return 10 * np.log10(np.sum(source.astype(np.float64) ** 2) / np.sum(noise**2))


def there_and_back(to):
    """Converts x to a format and back to f32. The conversion to f32 is exact, so it takes no rounding."""
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
# ## 3. Quantise by the rules of several frameworks
#
# A scale for each block of elements brings every block into the range of the format. Frameworks compute the scale in
# different ways, so their codes differ too. `docs/block-scaling.md` lists which framework uses which rule.

# %%
print("\n3. elements and rule      bits    SNR, dB")
scaled = {}
for elem, rule in (
    ("e4m3", "mx.floor"),  # OCP MX 1.0; torchao's default
    ("e4m3", "mx.rceil"),  # ModelOpt; an option of torchao
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

# GPU kernels for matrix products read the scales in tiles.
q = pto.quantize(x, "e4m3", "mx.rceil")
tiled = pto.scales_swizzle(q.scales.view(np.uint8), "128x4")
print(f"   scales: {q.scales.shape[0]} x {q.scales.shape[1]}, in cuBLAS' tiles {tiled.size} bytes")

# %% [markdown]
# ## 4. Stochastic rounding
#
# Rounding to nearest rounds equal values in the same direction, so their mean is biased. With stochastic rounding the
# mean of many values is right. The random bits are an operand, so results are reproducible. They are those of cuRAND's
# Philox.

# %%
steady = np.full((64, 1024), 1.03, np.float32)
rbits = pto.random_bits(key=2024, words=steady.size // 4).reshape(64, 256)
nearest = pto.cvt("cvt.rn.satfinite.e4m3x2.f32", steady).astype(np.float64).mean()
random = pto.cvt("cvt.rs.satfinite.e4m3x4.f32", steady, rbits).astype(np.float64).mean()
print(f"\n4. the mean of 1.03 in e4m3: to nearest {nearest:.3f}, at random {random:.3f}")

# %% [markdown]
# ## 5. Masks
#
# A comparison returns a mask: an array of bool, or packed bits, which take an eighth of the memory. Every call takes
# both.

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
# `pto.run` runs lines of PTX on arrays; each lane is a thread. Registers are passed and returned by name.

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
# A call on large arrays may use several threads, and each instruction set has its own kernels. The results depend on
# neither.

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
# The picture compares the formats: the bits for each element, and the signal-to-noise ratio.

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
