"""Probes of the homework `efficient_attention`. Scores are logarithms: so weights are exact."""

from viva.voce.probes import growth, probe

probe("separable_attention", """
Q, K = np.log(np.array([[{a:+}, {b:+}]])), np.log(np.array([[{c:+}, 1], [{d:+}, 3]]))
separable_attention(Q, K, np.array([[{e}], [{f}]]))
""")
probe("softmax_factors", """
softmax_factors(np.log(np.array([[{a:+}], [{b:+}]])), np.array([[1], [{c:0|2}]]))
""")
probe("linformer_attention", """
Q, K = np.array([[1.0], [{a:0|2}]]), np.log(np.array([[{b:+}], [{c:+}], [1]]))
E, F = np.array([[1, 0, 1], [0, {d:1|2}, 0]]), np.array([[1, {e}, 0], [0, 1, {f}]])
linformer_attention(Q, K, np.array([[{g}], [{h}], [1]]), E, F)
""")
probe("bigbird_mask", """
bigbird_mask({n:5|6}, {w:1|3}, {g:0|1}, 0, np.random.default_rng(0))[{r:1|2|3}].astype(int)
""")
probe("bigbird_mask", """
Q, K = np.array([[1.0], [{a:0|2}]]), np.log(np.array([[{b:+}], [{c:+}]]))
masked_attention(Q, K, np.array([[{d}], [{e}]]), np.array([[1, {m:0|1}], [{n:0|1}, 1]]))
""")
probe("positive_features", """
x = np.sqrt(2 * np.log({a:2|3|4}))
positive_features(np.array([[x], [0]]), x * np.array([[0], [{b:1|2}], [{c:0|1}], [1]]))[{r:0|1}]
""")
growth("separable_attention",
       "separable_attention(np.ones((N, 4)), np.ones((N, 4)), np.ones((N, 4)))", 4096)
growth("softmax_factors", "softmax_factors(np.ones((N, 2)), np.ones((N, 2)))")
growth("linformer_attention", "linformer_attention(np.ones((N, 4)), np.ones((N, 4)), "
                              "np.ones((N, 4)), np.ones((4, N)), np.ones((4, N)))", 4096)
growth("bigbird_mask",
       "masked_attention(np.ones((N, 2)), np.ones((N, 2)), np.ones((N, 2)), np.ones((N, N)))")
