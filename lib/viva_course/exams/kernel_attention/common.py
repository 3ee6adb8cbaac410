"""What several exercises of this homework share."""

TIGHT = {"rtol": 1e-9, "atol": 1e-10}  # float64, small sizes: only the order of summation differs
