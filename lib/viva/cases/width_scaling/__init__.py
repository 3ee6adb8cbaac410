"""Public cases of the homework `width_scaling`."""

SECTIONS = ("norms", "power", "initialisation", "sign_updates", "unit_scale", "table",
            "coordinates", "exponents", "transfer", "regret")
