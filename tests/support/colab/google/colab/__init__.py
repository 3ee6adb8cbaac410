"""A stand-in for the library of Google Colab: what the kit uses of it, with the same signatures."""
