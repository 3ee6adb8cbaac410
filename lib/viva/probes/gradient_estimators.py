"""Probes of the homework `gradient_estimators`. What would be drawn is given."""

from viva.voce.probes import growth, probe

probe("score_gaussian", """
score_gaussian(np.array([[{a}, {b}], [{c}, {d}]]), np.array([{e}, {f}]), {s:2|0.5})
""")
probe("exact_policy_gradient", """
exact_policy_gradient(np.log(np.array([{a:+}, {b:+}, {c:+}])), np.array([{d}, {e}, {f}]))
""")
probe("exact_policy_gradient", """
logits = np.array([0.0, -900.0])
reinforce(logits, lambda actions: {a:+} + 0.0 * actions, 4, np.random.default_rng(0), {b:+})
""")
probe("smoothed_exact", """
smoothed_exact({x}.0, {y}.0, {s:4|5|6}.0)
""")
probe("smoothed_exact", """
smoothed_grad_exact({x}.0, {y}.0, {s:4|5|6}.0)
""")
growth("score_gaussian",
       "score_grad(lambda x: x[:, 0], np.zeros(4), 1.0, N, np.random.default_rng(0))", 2000)
growth("reparam_grad",
       "reparam_grad(lambda x: x, np.zeros(4), 1.0, N, np.random.default_rng(0))", 2000)
growth("smoothed_exact",
       "smoothed_estimators(1.0, 1.0, 0.5, N, np.random.default_rng(0), 'reparam')", 4000)
probe("reward_to_go", """
reward_to_go(np.array([[{a}, {b}], [{c}, {d}], [{e}, {f}]]))
""")
probe("reward_to_go", """
walk_credit(np.array([[{a}, {b}], [{c}, {d}]]))
""")
probe("reward_to_go", """
walk_gradient(np.zeros((2, 2)), np.array([[0], [1], [0]]), np.array([[{a:0|1}], [1], [{b:0|1}]]),
              np.array([[{c:+}.0], [{d:+}.0], [{e:+}.0]]))
""")
