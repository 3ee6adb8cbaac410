"""Probes of the homework `width_scaling`."""

from viva.voce.probes import probe

probe("rms", """
rms(np.array([[{a:3|4|6}, {b:0|8}], [{c:1|5}, {d:7|5}]]) * np.sqrt(2), axis={e:0|1})
""")
probe("rms", """
rms_operator_norm(np.array([[{a:+}, 0, 0, 0], [0, {b:+}, 0, 0]]) * np.sqrt(2))
""")
probe("dense_rms2", """
mup_init_std({a:4|16}, {b:1|4|16|64})
""")
probe("sign_update_rms2", """
sign_update_rms2({n:2|3|4}, {e:1|2}) - {n:2|3|4} * ({n:2|3|4} - 1) * {e:1|2} ** 2 * 2 / np.pi
""")
probe("unit_scale_const", """
unit_scale_lr("{k:sign|muon}", {a:4|16}, {b:4|9})
""")
probe("mup_table", """
mup_table([{a:4|16}, {b:16|64}, 1], [4, {c:4|16}, 1], {r:1|2}.0)
""")
probe("coord_exponent", """
coord_exponent([2, 4, 8], [1, {a:2|4|8}, {b:4|16|1}])
""")
probe("best_rate", """
np.log2(best_rate([1, 2, 4], [{a:1|2|3}, 0, {b:1|2|3}]))
""")
probe("best_rate", """
predict_rate([1, 2], [{a:1|2|4}, {b:8|16}], {c:4|8})
""")
probe("power_norm", """
A = np.array([[0, {a:+}], [{b:+}, 0]])
power_norm(A, np.array([{c:+}, 0]), {s:2|3})
""")
probe("power_norm", """
spectral_step(np.array([[{a:+}, 0, 0, 0], [0, {b:+}, 0, 0]]) * np.sqrt(2), {r:1|2|3})[:, :2] ** 2
""")
probe("coord_exponent", """
wrong_layer([2, 4, 8], [[1, 1, {a:1|2}], [1, {b:1|2|4}, {c:2|4}], [1, {d:1|4|16}, {e:4|8}]])
""")
