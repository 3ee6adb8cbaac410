"""Heavy ball on quadratics."""
import numpy as np

from viva_course.reference import optimizers as ref
from viva_course.rubric import Exercise

ball = Exercise(
    "heavy_ball_radius",
    expects={
        "heavy_ball_radius": "the factor per step in the long run, a number",
        "heavy_ball_max_step": "the step size from which heavy ball no longer converges",
        "optimal_heavy_ball": "(eps, alpha) with the smallest radius for curvatures from mu to L",
    },
    survivors={
        "heavy_ball_radius: step = np.array([[1 - eps * lam, -alpha], [eps * lam, alpha]]) -> "
        "step = [[1 - eps * lam, -alpha], [eps * lam, alpha]]": "eigvals takes lists as well",
        "optimal_heavy_ball: return (4 / (large + small) ** 2, ((large - small) / "
        "(large + small)) ** 2) -> return (4 / (large + small) ** 2, ((small - large) / "
        "(large + small)) ** 2)": "the square has no sign",
    },
)
ball.values(1.5, "The radius must be the largest modulus of the two roots.",
            name="heavy_ball_radius", only=("radius",))
ball.values(1, "The largest stable step must be right with momentum and without.",
            name="heavy_ball_max_step", only=("largest_step",))
ball.values(1, "The best pair must be right for every mu and L.", name="optimal_heavy_ball",
            only=("best_pair",))


def measured_rate(lam, eps, alpha, doublings=13):
    """Decay per step of (x, v) in a run of 2^13 steps of heavy ball on (lam/2) x^2."""
    power = np.array([[1 - eps * lam, -alpha], [eps * lam, alpha]])
    log_size = 0.0  # the power is kept at size one: 0.2^8192 is not a float64
    for _ in range(doublings):
        power = power @ power
        size = np.linalg.norm(power)
        power, log_size = power / size, 2 * log_size + np.log(size)
    x = power @ np.array([1.0, 0.3])
    return float(np.exp((log_size + np.log(np.linalg.norm(x))) / 2**doublings))


@ball.item(1, "The radius must be the decay per step of a real run, complex roots or real.")
def a_measured_run(exam, heavy_ball_radius, heavy_ball_max_step, optimal_heavy_ball):
    for _ in range(10):
        lam, alpha = exam.rng.uniform(0.5, 4), exam.rng.uniform(0.2, 0.9)
        eps = exam.rng.uniform(0.02, 2.5) / lam
        # 8192 steps of a bounded oscillation: the measured rate is good to a thousandth.
        exam.same(heavy_ball_radius(lam, eps, alpha), measured_rate(lam, eps, alpha),
                  rtol=5e-3, atol=0)


@ball.item(0.75, "One percent below the largest step the run converges, one percent above it "
           "diverges, and the radius says so.")
def a_sharp_bound(exam, heavy_ball_radius, heavy_ball_max_step, optimal_heavy_ball):
    for alpha in (0.0, 0.5, 0.9):
        lam = exam.rng.uniform(0.5, 5)
        bound = heavy_ball_max_step(lam, alpha)
        for factor, stable in ((0.99, True), (1.01, False)):
            for radius in (heavy_ball_radius, ref.heavy_ball_radius):
                exam.true((radius(lam, factor * bound, alpha) < 1) == stable,
                          "the run at 0.99 or 1.01 of the bound does the opposite")


@ball.item(0.75, "With the best pair the radius is sqrt(alpha) from mu to L, and every other pair "
           "is worse at some curvature.")
def no_better_pair(exam, heavy_ball_radius, heavy_ball_max_step, optimal_heavy_ball):
    mu = exam.rng.uniform(0.3, 2)
    L = exam.rng.uniform(5, 60) * mu
    eps, alpha = optimal_heavy_ball(mu, L)
    curvatures = np.array([mu, (mu + L) / 3, L])
    rates = [heavy_ball_radius(float(lam), eps, alpha) for lam in curvatures]
    root = float(np.sqrt(ref.optimal_heavy_ball(mu, L)[1]))
    exam.same([float(rate) for rate in rates], [root] * 3, rtol=1e-6, atol=0)
    best = ref.heavy_ball_radius(curvatures, eps, alpha).max()
    for _ in range(40):
        other = np.array([eps, alpha]) * np.exp(exam.rng.uniform(-0.3, 0.3, 2))
        worst = ref.heavy_ball_radius(np.array([mu, L]), other[0], min(other[1], 0.999)).max()
        exam.true(worst > best - 1e-7, "another pair is better in the worst case")


@ball.mistake("radius_symmetric", "A sign in the matrix is wrong: x moves by -eps lam x - alpha v.")
def heavy_ball_radius(lam, eps, alpha):
    matrix = [[1 - eps * lam, alpha], [eps * lam, alpha]]
    return float(np.abs(np.linalg.eigvals(matrix)).max())


@ball.mistake("moves_by_the_old_v", "x moves by the new v: insert v <- alpha v + eps lam x before "
              "you read off the matrix.")
def heavy_ball_radius(lam, eps, alpha):
    return float(np.abs(np.linalg.eigvals([[1.0, -1.0], [eps * lam, alpha]])).max())


@ball.mistake("real_part", "Roots may be complex: take their modulus, not their real part.")
def heavy_ball_radius(lam, eps, alpha):
    matrix = [[1 - eps * lam, -alpha], [eps * lam, alpha]]
    return float(np.linalg.eigvals(matrix).real.max())


@ball.mistake("always_root_alpha", "sqrt(alpha) is the radius of complex roots only; real ones are "
              "larger.")
def heavy_ball_radius(lam, eps, alpha):
    return float(np.sqrt(alpha))


@ball.mistake("signed_root", "The larger root may be the negative one: take moduli.")
def heavy_ball_radius(lam, eps, alpha):
    b = 1 + alpha - eps * lam
    return float(abs((b + np.sqrt(complex(b * b - 4 * alpha))) / 2))


@ball.mistake("discriminant_cut_off", "A negative discriminant was cut off at zero: the roots are "
              "complex there, and their modulus is sqrt(alpha).")
def heavy_ball_radius(lam, eps, alpha):
    b = 1 + alpha - eps * lam
    return float(abs(b + np.sqrt(max(b * b - 4 * alpha, 0.0))) / 2)


@ball.mistake("discriminant_cut_off_moduli", "A negative discriminant was cut off at zero: the "
              "roots are complex there, and their modulus is sqrt(alpha).")
def heavy_ball_radius(lam, eps, alpha):
    b = 1 + alpha - eps * lam
    return float((abs(b) + np.sqrt(max(b * b - 4 * alpha, 0.0))) / 2)


@ball.mistake("spectral_norm", "The rate is set by eigenvalues; the norm of one step is larger.")
def heavy_ball_radius(lam, eps, alpha):
    matrix = [[1 - eps * lam, -alpha], [eps * lam, alpha]]
    return float(np.linalg.norm(matrix, 2))


ball.mistakes_of(heavy_ball_max_step={
    "bound_no_alpha": ("Momentum enlarges the stable range: 2 (1 + alpha) / lam.",
                       lambda lam, alpha: 2 / lam),
    "bound_1ma": ("The factor is 1 + alpha: put z = -1 into the polynomial.",
                  lambda lam, alpha: 2 * (1 - alpha) / lam),
    "bound_half": ("At the boundary the polynomial vanishes at z = -1: 2 (1 + alpha).",
                   lambda lam, alpha: (1 + alpha) / lam),
    "bound_no_curvature": ("2 (1 + alpha) bounds eps lam; divide by the curvature.",
                           lambda lam, alpha: 2 * (1 + alpha)),
    "end_of_the_complex": ("(1 + sqrt(alpha))^2 / lam is where the roots become real; the run "
                           "converges on until one of them reaches -1.",
                           lambda lam, alpha: (1 + np.sqrt(alpha)) ** 2 / lam),
    "v_form": ("The bound is sharp; no safety factor belongs to it.",
               lambda lam, alpha: 0.9 * 2 * (1 + alpha) / lam),
})
ball.mistakes_of(optimal_heavy_ball={
    "gd_optimum": ("This is the best plain gradient descent; momentum does better.",
                   lambda mu, L: (2 / (mu + L), 0.0)),
    "gd_step": ("alpha is right; eps is the best step of plain gradient descent, 2 / (mu + L).",
                lambda mu, L: (2 / (mu + L), ref.optimal_heavy_ball(mu, L)[1])),
    "eps_half": ("alpha is right; eps is half of the best.",
                 lambda mu, L: (ref.optimal_heavy_ball(mu, L)[0] / 2,
                                ref.optimal_heavy_ball(mu, L)[1])),
    "eps_root_twice": ("alpha is right; for eps the sum of the two roots is squared as a whole.",
                       lambda mu, L: (4 / (mu + L), ref.optimal_heavy_ball(mu, L)[1])),
    "alpha_no_roots": ("eps is right; alpha holds the square roots of mu and L.",
                       lambda mu, L: (ref.optimal_heavy_ball(mu, L)[0],
                                      ((L - mu) / (L + mu)) ** 2)),
    "no_roots": ("The formula holds the square roots of mu and L.",
                 lambda mu, L: (4 / (L + mu) ** 2, ((L - mu) / (L + mu)) ** 2)),
})


@ball.mistake("alpha_not_squared", "sqrt(alpha) is the rate: alpha is the square.")
def optimal_heavy_ball(mu, L):
    total = np.sqrt(L) + np.sqrt(mu)
    return 4 / total**2, (np.sqrt(L) - np.sqrt(mu)) / total


@ball.mistake("swapped_pair", "The order of the result is (eps, alpha).")
def optimal_heavy_ball(mu, L):
    total = np.sqrt(L) + np.sqrt(mu)
    return ((np.sqrt(L) - np.sqrt(mu)) / total) ** 2, 4 / total**2


@ball.variant("eigenvalues")
def heavy_ball_radius(lam, eps, alpha):
    matrix = [[1 - eps * lam, -alpha], [eps * lam, alpha]]
    return np.abs(np.linalg.eigvals(matrix)).max()


@ball.variant("roots of the polynomial")
def heavy_ball_radius(lam, eps, alpha):
    return max(abs(z) for z in np.roots([1, -(1 + alpha - eps * lam), alpha]))


@ball.variant("by the condition number")
def optimal_heavy_ball(mu, L):
    k = np.sqrt(L / mu)
    return 4 / mu / (k + 1) ** 2, ((k - 1) / (k + 1)) ** 2
