"""Data that somebody measured, as scikit-learn ships it: no download, the same for everybody."""

import functools

import numpy as np

Arrays = tuple[np.ndarray, np.ndarray]


@functools.cache
def _digits() -> Arrays:
    from sklearn.datasets import load_digits

    found = load_digits()
    return found.images / 16.0, found.target


def digits(seed: int = 0, train: int = 1200) -> tuple[Arrays, Arrays]:
    """Handwritten digits (Alpaydin and Kaynak, 1998): 1797 images of 8 x 8 pixels in [0, 1].

    Returns ((images, labels) to train on, (images, labels) to test on), shuffled by `seed`:
    images (n, 8, 8) float64, labels (n,) int64.
    """
    images, labels = _digits()
    order = np.random.default_rng(seed).permutation(len(labels))
    first, rest = ((images[part].copy(), labels[part].astype(np.int64))
                   for part in (order[:train], order[train:]))
    return first, rest


def diabetes() -> Arrays:
    """Ten measurements of 442 patients, and their disease a year later (Efron et al., 2004).

    Returns (X (442, 10), y (442,)), float64, every column with mean 0 and variance 1.
    """
    from sklearn.datasets import load_diabetes

    X, y = load_diabetes(return_X_y=True)
    return (X - X.mean(axis=0)) / X.std(axis=0), (y - y.mean()) / y.std()


def photograph(name: str = "china") -> np.ndarray:
    """A photograph, "china" or "flower", in shades of grey: (427, 640) float64 in [0, 1]."""
    from sklearn.datasets import load_sample_image

    return load_sample_image(f"{name}.jpg").mean(axis=-1) / 255.0
