"""What section 12 states about the contest, the decisions and the pictures."""

import functools

import numpy as np

from viva_course.claiming import above, below, between, claim, near


@functools.cache
def errors(notebook, seed):
    """Errors of all methods at beta = 0.1, 1, 10, 30 and 100."""
    return notebook.errors_by_sharpness((0.1, 1, 10, 30, 100), seed=seed)


@claim(title="Error: each method has its own regime")
def performer_flat(notebook, seed):
    ratio = np.divide(errors(notebook, seed)["Performer"], errors(notebook, seed)["BigBird"])
    return below(ratio[:2].max(), 1), above(ratio[3:].min(), 1)


@claim()
def untrained_linformer(notebook, seed):
    found = errors(notebook, seed)["Linformer"]
    return between(min(found), 0.5, 0.9), between(max(found), 0.5, 0.9)


@claim()
def trained_linformer_wins(notebook, seed):
    trained = notebook.trained_by_sharpness((1, 10), seed=seed)
    others = np.min([[errors(notebook, seed)[name][i] for i in (1, 2)]
                     for name in ("separable", "Performer", "Linformer", "BigBird")], axis=0)
    return above((others / trained).min(), 1)


@claim()
def separable_no_imitation(notebook, seed):
    return above(min(errors(notebook, seed)["separable"]), 0.5)


@claim(title="Memory: only the plain softmax is quadratic", seeds=1)
def memory_is_quadratic(notebook, seed):
    grown = {}
    for side in (32, 48):
        X, V, _ = notebook.photograph_tokens(side)
        for name, method in notebook.contestants(side**2).items():
            grown.setdefault(name, []).append(notebook.cost(method, X, X, V, repeats=1)[1])
    factor = {name: large / small for name, (small, large) in grown.items()}
    return above(factor.pop("softmax"), 4), below(max(factor.values()), 3)


@claim()
def archive_decision(notebook, seed):
    found = {name: notebook.consequences("archive", name, seed=seed)
             for name in ("softmax", "softmax in blocks", "separable", "Performer", "Linformer",
                          "BigBird")}
    good = ("softmax in blocks", "Performer")
    rest = [error if megabytes <= 20 else 1.0 for name, (error, megabytes) in found.items()
            if name not in good]
    return (below(max(found[name][0] for name in good), 0.5), above(min(rest), 0.5),
            below(max(found[name][1] for name in good), 20), above(found["softmax"][1], 20))


@claim()
def camera_decision(notebook, seed):
    linformer, bigbird, performer = (notebook.consequences("camera", name, seed=seed)[0]
                                     for name in ("Linformer", "BigBird", "Performer"))
    return above(min(bigbird, performer) / linformer, 1.5)


@claim()
def court_decision(notebook, seed):
    found = {name: notebook.consequences("court", name, seed=seed)
             for name in ("softmax", "softmax in blocks", "separable", "Performer", "Linformer",
                          "BigBird")}
    exact = ("softmax", "softmax in blocks")
    return (above(min(error for name, (error, _) in found.items() if name not in exact), 0.01),
            below(found["softmax in blocks"][0], 0.01), below(found["softmax in blocks"][1], 20),
            above(found["softmax"][1], 2 * 20 * 0.99))


@functools.cache
def cleaned(notebook, seed):
    """Distance to the clean picture, and the share of the noise that is left, of each method."""
    clean, noisy, found = notebook.cleaned(seed=seed)
    noise = noisy - clean
    left = {name: np.sum((picture - clean) * noise) / np.sum(noise**2)
            for name, picture in found.items()}
    return ({name: notebook.distance(picture, clean) for name, picture in found.items()}
            | {"noisy": notebook.distance(noisy, clean)}), left


@claim()
def softmax_denoises(notebook, seed):
    far, _ = cleaned(notebook, seed)
    return (near(far["noisy"], 0.1, within=0.003), near(far["softmax"], 0.088, within=0.004),
            near(far["BigBird"] - far["softmax"], 0, within=0.005))


@claim()
def two_kinds_of_error(notebook, seed):
    left = cleaned(notebook, seed)[1]
    return above(left["BigBird"], 2 / 3), below(left["softmax"], 1 / 2)


@claim()
def three_are_worse(notebook, seed):
    far, _ = cleaned(notebook, seed)
    return above(min(far[name] for name in ("separable", "Performer", "Linformer")), far["noisy"])
