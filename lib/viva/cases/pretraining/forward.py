"""Which formula a GPT follows, told from its logits under planted random weights.

Every matrix of the network gets random numbers of ours; vectors become 0, but for a LayerNorm's
ones. A network written out here reads the same matrices. Which matrix plays which part is not told
by its name: whoever wrote the network may have ordered, joined or transposed them, so all usual
ways are tried, and the network is right if one of them gives its logits.
"""

import itertools

import numpy as np
import torch
from torch.nn import functional as F

RIGHT = "n times x + attention(LN(x)), then x + MLP(LN(x)); a last LN, and the head"
OTHER = "another formula"
V, BLOCK, D = 23, 9, 8  # with 3 D and 4 D all different: a shape tells what a matrix may be

CHANGES = {
    "one head": {"heads": lambda h: 1},
    "two heads, whatever h is": {"heads": lambda h: 2},
    "four heads, whatever h is": {"heads": lambda h: 4},
    "attention and MLP side by side": {"order": "parallel"},
    "MLP before attention": {"order": "exchanged"},
    "scores that are not divided": {"scale": lambda d, h: 1.0},
    "scores divided by the root of d": {"scale": lambda d, h: d**0.5},
    "scores divided by the size of a head": {"scale": lambda d, h: d / h},
    "no token sees itself": {"mask": "strict"},
    "no token sees itself, the first sees all": {"mask": "strict, all"},
    "no token sees itself, the first sees nothing": {"mask": "strict, empty"},
    "every token sees all tokens": {"mask": "none"},
    "one token of the future is seen": {"mask": "one ahead"},
    "heads joined before they are transposed": {"join": "view"},
    "heads cut without a transpose": {"cut": "view", "join": "view"},
    "attention reads x, not LN(x)": {"norms": "second"},
    "the MLP reads x, not LN(x)": {"norms": "first"},
    "LN after the addition": {"order": "post"},
    "LN(x) in the place of x in the stream": {"order": "normed"},
    "attention replaces the stream": {"add": (False, True)},
    "the MLP replaces the stream": {"add": (True, False)},
    "attention and MLP replace the stream": {"add": (False, False)},
    "an MLP with a ReLU": {"bend": "relu"},
    "an MLP with nothing between its layers": {"bend": "linear"},
    "no last LN": {"last": False},
    "token embeddings times the root of d": {"embed": "scaled"},
    "places counted from the end": {"embed": "reversed"},
    "places from the block's last one backwards": {"embed": "at the end"},
    "no places": {"embed": "no places"},
    "the first block, n times": {"blocks": "first"},
}


def bent(x, kind):
    """The nonlinearity of the MLP."""
    if kind == "relu":
        return np.maximum(x, 0)
    if kind == "linear":
        return x
    return F.gelu(torch.tensor(x), approximate=kind).numpy()


def norm(x):
    """LayerNorm without weights."""
    x = x - x.mean(axis=-1, keepdims=True)
    return x / np.sqrt((x**2).mean(axis=-1, keepdims=True) + 1e-5)


def attention(part, z, h, cut="", join="", mask="causal", scale=None):
    """Softmax attention of h heads, z (B, T, d)."""
    B, T, d = z.shape

    def heads(x):
        if cut == "view":
            return x.reshape(B, h, T, d // h)
        if part["apart"]:  # head i owns every h-th feature
            return x.reshape(B, T, d // h, h).transpose(0, 3, 1, 2)
        return x.reshape(B, T, h, d // h).transpose(0, 2, 1, 3)

    q, k, v = (heads(z @ part[name].T) for name in "qkv")
    scores = q @ k.swapaxes(-1, -2) / ((d / h) ** 0.5 if scale is None else scale(d, h))
    ahead = {"causal": 1, "one ahead": 2, "none": T}.get(mask, 0)
    hidden = np.triu(np.ones((T, T), bool), ahead)
    scores = scores - 1e9 * hidden if mask == "strict" else np.where(hidden, -1e9, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    if mask == "strict, empty":
        weights[..., 0, :] = 0
    out = weights @ v
    if join == "view":
        out = out.reshape(B, T, d)
    elif part["apart"]:
        out = out.transpose(0, 2, 3, 1).reshape(B, T, d)
    else:
        out = out.transpose(0, 2, 1, 3).reshape(B, T, d)
    return out @ part["o"].T


def logits_of(parts, idx, h, heads=None, order="", norms="both", add=(True, True), bend=None,
              last=True, embed="", blocks="", **options):
    """The logits (B, T, V) of a network that is written out, with one thing changed."""
    T = idx.shape[1]
    words, places = parts["words"][idx], parts["places"]
    words = words * (D**0.5 if embed == "scaled" else 1)
    if embed == "at the end":
        places = places[-T:]
    elif embed == "reversed":
        places = places[:T][::-1]
    else:
        places = places[:T] * (embed != "no places")
    x, h = words + places, h if heads is None else heads(h)
    first = norm if norms in ("both", "first") else lambda x: x
    second = norm if norms in ("both", "second") else lambda x: x

    for part in ([parts["blocks"][0]] * len(parts["blocks"]) if blocks == "first"
                 else parts["blocks"]):
        def attend(z, part=part):
            return attention(part, z, h, **options)

        def mlp(z, part=part):
            return bent(z @ part["up"].T, bend or parts["bend"]) @ part["down"].T

        if order == "parallel":
            x = x + attend(first(x)) + mlp(second(x))
        elif order == "exchanged":
            x = x + mlp(second(x))
            x = x + attend(first(x))
        elif order == "post":
            x = norm(x + attend(x))
            x = norm(x + mlp(x))
        elif order == "normed":
            x = norm(x)
            x = norm(x + attend(x))
            x = x + mlp(x)
        else:
            x = x * add[0] + attend(first(x))
            x = x * add[1] + mlp(second(x))
    return (norm(x) if last else x) @ parts["head"].T


def planted(model, rng):
    """Random numbers for all matrices of a network: it computes with them, and we get them.

    Returns the list of matrices, without axes of length one, in the order of the parameters
    """
    new, found = {}, []
    for name, weight in model.named_parameters():
        weight = weight.detach()
        shape = tuple(each for each in weight.shape if each != 1)
        if len(shape) > 1:
            words = V in shape or BLOCK in shape
            matrix = rng.normal(size=shape) * (1.0 if words else 1.4 / D**0.5)
            found.append(matrix)
            new[name] = torch.tensor(matrix).reshape(weight.shape)
        else:
            new[name] = weight * bool((weight == 1).all())
    model.load_state_dict(new, strict=False)
    return found


def of_shape(found, *shape):
    """The matrices with this shape or the transposed one, turned to it."""
    return [each if each.shape == shape else each.T for each in found
            if each.shape in (shape, shape[::-1])]


def attentions(found, n, h, grouped, usual):
    """All readings of the matrices of attention: for each block q, k, v, o and `apart`."""
    squares = [each for each in found if each.shape == (D, D)]
    joined = of_shape(found, 3 * D, D)
    block_of = (lambda each, i, n: each[i * len(each) // n : (i + 1) * len(each) // n]) if grouped \
        else (lambda each, i, n: each[i::n])
    turns = (False,) if usual else (False, True)
    if len(joined) == n and len(squares) == n:
        layouts = (((3, h, D // h), (0, 1, 2)), ((h, 3, D // h), (1, 0, 2)),
                   ((h, D // h, 3), (2, 0, 1)))
        orders = [(0, 1, 2)] if usual else itertools.permutations(range(3))
        for turned, (shape, axes), order in itertools.product(turns, layouts, orders):
            blocks = []
            for each, out in zip(joined, squares, strict=True):
                three = each.reshape(*shape, D).transpose(*axes, 3).reshape(3, D, D)
                blocks.append({name: three[i] for name, i in zip("qkv", order, strict=True)}
                              | {"o": out.T if turned else out, "apart": False})
            yield blocks
    elif len(squares) == 4 * n:
        orders = list(itertools.permutations(range(4)))
        for order, turned, apart in itertools.product([(0, 1, 2, 3)] if usual else orders, turns,
                                                      (False, True)):
            yield [{name: (block_of(squares, i, n)[j].T if turned else block_of(squares, i, n)[j])
                    for name, j in zip("qkvo", order, strict=True)} | {"apart": apart}
                   for i in range(n)]


def readings(found, n, h, usual):
    """All networks that these matrices may be meant as; `usual`: only the likeliest."""
    words, places = of_shape(found, V, D), of_shape(found, BLOCK, D)
    ups, downs = ([each for each in found if each.shape == shape]
                  for shape in ((4 * D, D), (D, 4 * D)))
    if (len(words), len(places), len(ups), len(downs)) != (2, 1, n, n):
        return
    either = (False,) if usual else (False, True)
    for grouped, turned, swapped, bend in itertools.product(
            (True, False) if n > 1 else (True,), either, (False, True), ("none", "tanh")):
        for blocks in attentions(found, n, h, grouped, usual):
            yield {"words": words[swapped], "head": words[not swapped], "places": places[0],
                   "bend": bend, "blocks": [
                       part | ({"up": down.T, "down": up.T} if turned else {"up": up, "down": down})
                       for part, up, down in zip(blocks, ups, downs, strict=True)]}


def formula(GPT, h, n, rng):
    """The name of the formula that a network with h heads and n blocks follows."""
    model = GPT(V, BLOCK, d=D, h=h, n=n).double()
    found, idx = planted(model, rng), rng.integers(1, V, (2, 6))
    logits = model(torch.tensor(idx))[0].detach().numpy()

    def agrees(parts, **change):
        expected = logits_of(parts, idx, h, **change)
        # another stabiliser in a LayerNorm changes 1e-5 of it, the nearest other formula 1e-2
        return (logits.shape == expected.shape
                and np.abs(logits - expected).max() < 1e-3 * np.abs(expected).max())

    if not np.isfinite(logits).all():
        return "logits that are not numbers"
    if any(agrees(parts) for parts in readings(found, n, h, usual=False)):
        return RIGHT
    for name, change in CHANGES.items():
        if any(agrees(parts, **change) for parts in readings(found, n, h, usual=True)):
            return name
    return OTHER
