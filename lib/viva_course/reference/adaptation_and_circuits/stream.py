"""The residual stream as a sum."""


def residual_contributions(X0, layers):
    """(X_final, [X0, f_1(X0), f_2(X1), ...]) with X_l = X_(l-1) + f_l(X_(l-1))."""
    parts = [X0]
    for layer in layers:
        parts.append(layer(sum(parts)))
    return sum(parts), parts
