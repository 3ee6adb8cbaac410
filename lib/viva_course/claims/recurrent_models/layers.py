"""What the section about a whole layer states."""

import numpy as np

from viva_course.claiming import below, claim, holds, ratio


@claim(seeds=1)
def layer_by_hand(notebook, seed):
    one, inputs = np.ones((1, 1)), np.array([[[1.0], [0.0], [0.0]]])
    states = notebook.ssm_forward_unrolled(0.5 * one, one, np.ones(1), inputs)
    return holds(np.allclose(states, 2))


@claim(title="Two ways to the same states, and none looks ahead",
       variants=("ssm_forward_unrolled",))
def two_ways_agree(notebook, seed):
    rng = np.random.default_rng(seed)
    layer = notebook.turning(0.97, 0.3), rng.normal(size=(2, 3)), rng.normal(size=2)
    x = rng.normal(size=(2, 60, 3))
    later = x.copy()
    later[:, 40:] += 1
    loop, fft = (f(*layer, x) for f in (notebook.ssm_forward_unrolled, notebook.ssm_forward_conv))
    ahead = notebook.ssm_forward_conv(*layer, later)[:, :40] - fft[:, :40]
    return below(np.abs(loop - fft).max(), 1e-9), below(np.abs(ahead).max(), 1e-9)


@ratio(stated=5, title="Dense taps cost the FFT dearly", variants=("ssm_forward_unrolled",))
def dense_taps_cost_dearly(notebook, seed):
    loop, fft = notebook.ssm_forward_unrolled, notebook.ssm_forward_conv
    return notebook.seconds(fft, 128, 128) / notebook.seconds(loop, 128, 128)
