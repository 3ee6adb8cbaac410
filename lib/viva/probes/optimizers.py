"""Probes of the homework `optimizers`. eps is zero and betas are halves: so results are exact."""

from viva.voce.probes import growth, probe

probe("ema_weights", """
ema_weights({t:2|3}, {b:0.5|0.25})
""")
probe("ema_weights", """
bias_correct(np.array([{a}, {b}]), {t:1|2}, {c:0.5|0.25})
""")
probe("adam_step", """
theta, state = adam_step(np.array([{a}]), np.array([{b:1|2}]), {}, 1.0, (0.5, 0.5), 0.0)
adam_step(theta, np.array([{b:1|2}]), state, {r:2|3}.0, (0.5, 0.5), 0.0)[0]
""")
probe("adam_l2_step", """
theta, g = np.array([{a:1|2|4}, 0]), np.array([{b:2|-2}, 1])
adamw_step(theta, g, {}, {r:1|0.5}, (0.5, 0.5), 0.0, {l:1|0.5})
""")
probe("iterations_to", """
step = lambda theta, g, state: (theta - {r:0.5|0.25} * g, state)
iterations_to(step, np.array([[1.0]]), np.array([{a:2|3}.0]), {t:0.3|0.2|0.1})
""")
probe("decay_experiment", """
step = lambda theta, g, state, lr, lam: (theta * (1 - lr * lam), state)
decay_experiment(step, 1.0, steps={s:1|2}, n=3, lr={r:1|0.5}, lam={l:0.5|0.25})
""")
growth("newton_schulz", "newton_schulz(np.ones((N, 4)), 2)", 8192)
