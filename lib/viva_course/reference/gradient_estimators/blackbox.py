"""A classifier from labels, or from rewards alone."""

import numpy as np
import torch

from viva.kits.gradient_estimators import draw_points, label, reward


def train_blackbox(mode, seed=0):
    """An 8-32-4 network trained on fresh batches by Adam; a function points -> classes.

    mode "supervised": cross-entropy with the labels; "pg": sampled answers, their rewards, and the
    batch's mean reward as baseline; another mode raises ValueError
    """
    if mode not in ("supervised", "pg"):
        raise ValueError(f"no mode is called {mode!r}")
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    net = torch.nn.Sequential(torch.nn.Linear(8, 32), torch.nn.ReLU(), torch.nn.Linear(32, 4))
    optimiser = torch.optim.Adam(net.parameters(), lr=0.005)
    for _ in range(1200):
        points = draw_points(256, rng)
        log_p = torch.log_softmax(net(torch.tensor(points, dtype=torch.float32)), dim=1)
        if mode == "supervised":
            chosen, gain = torch.tensor(label(points)), torch.ones(256)
        else:
            chosen = torch.distributions.Categorical(logits=log_p.detach()).sample()
            gain = torch.tensor(reward(points, chosen.numpy()), dtype=torch.float32)
            gain = gain - gain.mean()
        loss = -(gain * log_p[torch.arange(256), chosen]).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()

    def predict(points):
        with torch.no_grad():
            return net(torch.tensor(points, dtype=torch.float32)).argmax(dim=1).numpy()

    return predict
