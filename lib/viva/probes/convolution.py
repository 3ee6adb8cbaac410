"""Probes of the homework `convolution`."""

from viva.voce.probes import probe

probe("conv_shape", """
receptive_field([({a:2|3|5}, {b:1|2}), ({c:2|3}, {d:1|2}), (3, 1)])
""")
probe("spatial_bn", """
X = np.array([{a}, {b}, {c}, {d}]).reshape(2, 1, 2, 1) * 1.0
one, zero = np.ones(1), np.zeros(1)
spatial_bn(X, one, zero, (np.array([{m}.0]), np.array([{v:+}.0])), True, {p:0.5|0.25})[1]
""")
probe("spatial_bn", """
X = np.array([{a}, {b}, {c}, {d}]).reshape(1, 2, 2, 1) * 1.0
mean, var = np.array([{m}.0, 1]), np.array([4.0, {v:1|4}])
spatial_bn(X, np.array([2.0, {g}]), np.array([{h}, 0]), (mean, var), False, eps=0.0)[0].ravel()
""")
probe("Dropout", """
layer = Dropout({p:0.5|0.75|0.25})
torch.manual_seed({s:1|2|3})
layer(torch.tensor([{a:+}.0, {b:+}.0, {c:+}.0, {d:+}.0]))
""")
probe("max_pool_backward", """
X = np.array([[{a}, {b}, {c}, {d}], [{e}, {f}, {g}, {h}]])
max_pool_backward(X, np.array([[{i:+}, {j:+}]]), 2)[{r:0|1}]
""")
probe("max_pool_backward", """
X = np.zeros((4, 4))
avg_pool_backward(X, np.array([[{a}, {b}], [{c}, {d}]]), 2)[{r:0|1|2|3}]
""")
probe("conv_layer", """
X = np.array([{a}, {b}, {c}, {d}, {e}]).reshape(1, 1, 1, 5) * 1.0
w = np.array([{f:+}, {g:+}]).reshape(1, 1, 1, 2) * 1.0
conv_layer(X, w, np.array([{h}.0]), S={s:1|2|3}).ravel()
""")
probe("conv_layer", """
X, w = np.ones((1, 1, 1, 5)), np.array([{a:+}, {b:+}, {c:+}]).reshape(1, 1, 1, 3) * 1.0
dY = np.array([{d}.0, {e}.0]).reshape(1, 1, 1, 2)
conv_layer_backward(dY, X, w, S=2)[0].ravel()
""")
