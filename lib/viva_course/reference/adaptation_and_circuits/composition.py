"""How much a head reads what an earlier one wrote."""

import numpy as np


def composition_scores(QK, OV2, OV1):
    """(q, k, v): how much the queries, keys and values of a head read what another one wrote.

    QK, OV2: circuits (d_model, d_model) of the later head; OV1: of the earlier one
    """
    def share(left, right):
        sizes = np.linalg.norm(left) * np.linalg.norm(right)
        return float(np.linalg.norm(left @ right) / sizes)

    return share(OV1.T, QK), share(QK, OV1), share(OV2, OV1)
