"""Cases of mha_macs and mha_floats: whole numbers, exactly."""

from viva.case import case


@case("mha_macs", rtol=0, atol=0)
def one_head(rng, mha_macs):
    """100 tokens, 10 features, one head: 230000"""
    return mha_macs(100, 10)


@case("mha_macs", rtol=0, atol=0)
def four_heads(rng, mha_macs):
    """100 tokens, 10 features, four heads: 960000"""
    return mha_macs(100, 10, 4)


@case("mha_macs", rtol=0, atol=0)
def some_heads(rng, mha_macs):
    """other numbers of tokens, features and heads"""
    n, d, h = (int(rng.integers(*bounds)) for bounds in ((50, 90), (11, 30), (2, 9)))
    return mha_macs(n, d, h=h)


@case("mha_macs", rtol=0, atol=0)
def a_book(rng, mha_macs):
    """100,000 tokens, 64 features, eight heads: more than 32 bits hold"""
    return mha_macs(100_000, 64, 8)


@case("mha_macs", rtol=0, atol=0)
def whole_numbers(rng, mha_macs, mha_floats):
    """the results are whole numbers: int, not float"""
    found = {"mha_macs": mha_macs(30, 4, 2), "mha_floats": mha_floats(30, 4, 2)}
    return {f"{name} is an int": hasattr(value, "__index__") for name, value in found.items()}


@case("mha_macs", rtol=0, atol=0)
def floats_of_one_head(rng, mha_floats):
    """100 tokens, 10 features, one head: 15000"""
    return mha_floats(100, 10)


@case("mha_macs", rtol=0, atol=0)
def heads_in_turn(rng, mha_floats):
    """eight heads one after the other: 22000"""
    return mha_floats(100, 10, 8)


@case("mha_macs", rtol=0, atol=0)
def heads_at_once(rng, mha_floats):
    """eight heads at once: 113000"""
    return mha_floats(100, 10, 8, sequential=False)


@case("mha_macs", rtol=0, atol=0)
def other_floats(rng, mha_floats):
    """other numbers of tokens, features and heads, both ways"""
    n, d, h = (int(rng.integers(*bounds)) for bounds in ((50, 90), (11, 30), (2, 9)))
    return [mha_floats(n, d, h), mha_floats(n, d, h=h, sequential=False)]
