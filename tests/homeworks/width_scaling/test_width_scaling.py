"""The reference of `width_scaling` against measurements, singular values and worked numbers."""

import itertools
import math

import numpy as np
import pytest

import viva_course
from viva.cases.width_scaling import coordinates as cases
from viva.checking import judge
from viva.voce.defending import KINDS
from viva.voce.material import material
from viva_course.reference import width_scaling as ref
from viva_course.reference.width_scaling.coordinates import gradients, layers

RNG = np.random.default_rng(13)


def test_the_rms_norm_is_attained_and_never_exceeded():
    assert ref.rms(np.array([3.0, 4.0])) == pytest.approx(math.sqrt(12.5))
    assert ref.rms_operator_norm(np.ones((2, 8))) == pytest.approx(8)
    A = RNG.normal(size=(4, 9))
    top = np.linalg.svd(A)[2][0]
    assert ref.rms(A @ top) / ref.rms(top) == pytest.approx(ref.rms_operator_norm(A))
    X = RNG.normal(size=(9, 500))
    assert (ref.rms(A @ X, axis=0) <= ref.rms_operator_norm(A) * ref.rms(X, axis=0)).all()
    B = RNG.normal(size=(9, 5))
    assert ref.rms_operator_norm(A @ B) < ref.rms_operator_norm(A) * ref.rms_operator_norm(B)


def test_power_iteration_finds_the_largest_singular_value():
    for shape in ((6, 3), (3, 8)):
        A = RNG.normal(size=shape)
        found = ref.power_norm(A, RNG.normal(size=shape[1]), 2000)
        assert found == pytest.approx(np.linalg.svd(A)[1][0], rel=1e-6)
    assert ref.power_norm(np.zeros((2, 3)), np.ones(3)) == 0
    values = [ref.power_norm(np.diag([3.0, 1.0]), np.ones(2), k) for k in (0, 1, 2)]
    np.testing.assert_allclose(values, [5**0.5, (730 / 82) ** 0.5, (59050 / 6562) ** 0.5])


def test_a_spectral_step_has_the_norm_that_was_asked_for():
    D = 100 * RNG.normal(size=(3, 8))
    step = ref.spectral_step(D, 0.2)
    assert ref.rms_operator_norm(step) == pytest.approx(0.2)
    np.testing.assert_allclose(step / D, np.full(D.shape, step[0, 0] / D[0, 0]))
    assert not ref.spectral_step(np.zeros((2, 2)), 1.0).any()


def test_starting_weights_by_measurement():
    for d_out in (10, 300):
        y = 0.3 * RNG.normal(size=(2000, d_out, 64)) @ np.full(64, 2.0)
        assert np.mean(y**2) == pytest.approx(ref.dense_rms2(64, 0.3, 2.0), rel=0.06)
    ratios = []
    for d_out, d_in in ((400, 400), (800, 100), (50, 1600)):
        W = ref.mup_init_std(d_in, d_out) * RNG.normal(size=(d_out, d_in))
        ratios.append(np.linalg.norm(W, 2) / math.sqrt(d_out / d_in))
    np.testing.assert_allclose(ratios, [1.99, 1.35, 1.18], atol=0.06)


def test_a_sign_step_by_measurement():
    assert ref.sign_update_rms2(50) == pytest.approx(1609.718442)
    assert ref.sign_update_rms2(1, 0.3) == pytest.approx(0.09)
    x = RNG.normal(size=(40_000, 7))
    assert np.mean(np.abs(x).sum(axis=1) ** 2) == pytest.approx(ref.sign_update_rms2(7), rel=0.02)
    sizes = [math.sqrt(ref.sign_update_rms2(n, ref.sign_lr(n))) for n in (64, 512, 4096)]
    assert 0.79 < min(sizes) <= max(sizes) < 0.85


def test_rates_at_unit_scale_meet_the_budget():
    assert (ref.unit_scale_const(256), ref.unit_scale_lr("sign", 256, 64),
            ref.unit_scale_lr("muon", 256, 64)) == (1 / 16, 1 / 16, 8)
    S = RNG.choice([-1.0, 1.0], (5, 11))
    assert ref.unit_scale_lr("sign", 11, 5) * np.linalg.norm(S, 2) <= math.sqrt(5)
    with pytest.raises(ValueError):
        ref.unit_scale_lr("adam", 1, 1)


def test_the_table_is_that_of_tensor_programs_v_for_adam():
    """Input layer constant; hidden rates 1/n; output deviation and rate 1/n."""
    proxy, wide = [64, 64, 64, 10], [64, 512, 512, 10]
    ratios = np.array(ref.mup_table(wide, proxy, 0.1)) / np.array(ref.mup_table(proxy, proxy, 0.1))
    np.testing.assert_allclose(ratios, [[1, 1], [8**-0.5, 1 / 8], [1 / 8, 1 / 8]])
    np.testing.assert_allclose(np.array(ref.mup_table(proxy, proxy, 0.1))[:, 0], [1 / 8] * 3)
    with pytest.raises(ValueError):
        ref.mup_table([64, 10], proxy, 0.1)


def network(sizes, seed):
    rng = np.random.default_rng(seed)
    weights = [ref.mup_init_std(a, b) * rng.normal(size=(b, a))
               for a, b in itertools.pairwise(sizes)]
    return weights, rng.normal(size=(16, sizes[0])), rng.normal(size=(16, sizes[-1]))


def test_gradients_of_the_coordinate_check_are_those_of_differences():
    weights, x, targets = network((4, 6, 5, 3), seed=1)

    def error(moved):
        return 0.5 * np.sum((layers(moved, x)[-1] - targets) ** 2)

    for layer, found in enumerate(gradients(weights, x, targets)):
        for place in np.ndindex(found.shape):
            step = [np.zeros_like(weight) for weight in weights]
            step[layer][place] = 1e-6
            up, down = (error([w + sign * s for w, s in zip(weights, step, strict=True)])
                        for sign in (1, -1))
            assert found[place] == pytest.approx((up - down) / 2e-6, abs=1e-5)


@pytest.mark.parametrize("seed", [0, 5])
def test_the_coordinate_check_tells_the_rules_apart(seed):
    widths, changes = [64, 256, 1024], {"one rate": [], "over the fan-in": []}
    for width in widths:
        weights, x, targets = network((8, width, width, 1), seed)
        for rule, found in changes.items():
            rates = [0.0005 if rule == "one rate" else 0.004 / len(w.T) for w in weights]
            found.append(ref.coord_check(weights, rates, x, targets))
    assert ref.wrong_layer(widths, changes["one rate"]) == 1
    assert ref.wrong_layer(widths, changes["over the fan-in"], tol=0.3) is None


@pytest.mark.parametrize("secret", ["public", "other"])
def test_no_sign_of_a_case_hangs_on_rounding(secret):
    """A gradient next to zero would let the order of summation decide about a step."""
    for exercise in range(30):
        weights, x, targets = cases.network(np.random.default_rng([ord(secret[0]), exercise]),
                                            (5, 7, 6, 3))
        for _ in range(3):
            found = gradients(weights, x, targets)
            sizes = np.concatenate([np.abs(g).ravel() for g in found])
            assert sizes[sizes > 0].min() > 1e-10 * sizes.max()
            weights = [w - 0.02 * np.sign(g) for w, g in zip(weights, found, strict=True)]


def test_a_formula_in_place_of_the_network_is_noticed():
    def coord_check(weights, rates, x, targets, steps=3):
        if len(weights) != len(rates):
            raise ValueError
        return np.array([0.8 * steps * rate * len(w.T)
                         for w, rate in zip(weights, rates, strict=True)])

    assert not judge("coord_check", coord_check).passed
    exercise = viva_course.exercises("width_scaling")["coord_check"]
    assert float(exercise.examine((coord_check,), "secret").score) <= 1


def test_exponents_are_those_of_polyfit():
    widths, changes = [32, 64, 256], [0.3, 0.1, 0.09]
    slope = np.polyfit(np.log(widths), np.log(changes), 1)[0]
    assert ref.coord_exponent(widths, changes) == pytest.approx(slope)
    assert ref.coord_verdict(widths, changes) == "vanishes"
    for wrong in ([0.3, 0.1, 0.0], [0.3, 0.1, np.nan]):
        with pytest.raises(ValueError):
            ref.coord_exponent(widths, wrong)
    steady = [1.0, 1.0, 1.0]
    table = np.array([steady, changes, changes]).T
    assert ref.wrong_layer(widths, table) == 1
    assert ref.wrong_layer(widths, table, tol=1.0) is None
    with pytest.raises(ValueError):
        ref.wrong_layer(widths, np.array([changes, [0.3, 0.1, 0.0]]).T)


def test_the_vertex_of_an_exact_parabola_is_found_on_any_grid():
    for rates in (2.0 ** np.arange(-8, 0), np.array([0.01, 0.02, 0.07, 0.1, 0.4])):
        losses = 0.2 + 3 * (np.log(rates) - np.log(0.05)) ** 2
        assert ref.best_rate(rates, losses) == pytest.approx(0.05)
    assert ref.best_rate([0.25, 0.5, 1.0], [1, 0, 3]) == pytest.approx(2**-1.25)
    assert ref.best_rate([1, 2, 4, 8], [3, 1, np.nan, 0.5e9]) == 2
    for losses in ([1, 2, 3], [3, 2, 1], [np.nan] * 3):
        with pytest.raises(ValueError):
            ref.best_rate([1, 2, 4], losses)


def test_prediction_and_regret():
    assert ref.predict_rate([32, 64, 128], [0.02, 0.01, 0.005], 1024) == pytest.approx(0.000625)
    losses = np.array([[3.0, 1, 2], [1, 2, 5], [4, np.nan, 3.5]])
    np.testing.assert_allclose(ref.transfer_regret(losses), [0, 1, np.inf])
    np.testing.assert_allclose(ref.transfer_regret(losses, tuned=-1), [1, 4, 0])
    with pytest.raises(ValueError):
        ref.transfer_regret(np.array([[1.0, 2], [np.nan, np.inf]]))


@pytest.mark.parametrize("name", ["best_rate", "transfer_regret"])
def test_there_are_questions_about_what_the_notebook_lets_one_defend(name):
    reference = viva_course.exercises("width_scaling")[name].reference
    assert any(question.kind in KINDS for question in material(name, reference, "seed"))
