"""Public cases of the homework `efficient_attention`, section by section."""

SECTIONS = ("costs", "separable", "features", "variance", "orthogonal", "performer", "linformer",
            "bigbird")
