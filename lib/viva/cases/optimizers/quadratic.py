"""Cases of heavy ball on quadratics."""
from viva.case import case


# At a double root eigenvalues are good to 1e-8 only, so rates are compared at 1e-6.
@case("heavy_ball_radius", rtol=1e-6)
def radius(rng, heavy_ball_radius):
    """the radius without momentum, and for three curvatures with momentum"""
    alpha, lam = rng.uniform(0.3, 0.9), rng.uniform(0.2, 2)
    plain = [heavy_ball_radius(lam, eps / lam, 0.0) for eps in (0.4, 1.5)]
    return plain + [heavy_ball_radius(c * lam, 0.1, alpha) for c in (0.1, 10, 60)]


@case("heavy_ball_radius")
def largest_step(rng, heavy_ball_max_step):
    """the largest stable step without momentum and with"""
    lam, alpha = rng.uniform(0.5, 3), rng.uniform(0.3, 0.9)
    return [heavy_ball_max_step(lam, 0.0), heavy_ball_max_step(lam, alpha)]


@case("heavy_ball_radius")
def best_pair(rng, optimal_heavy_ball):
    """the best pair for mu = 1, L = 100, and for random curvatures"""
    mu = rng.uniform(0.2, 2)
    pairs = [optimal_heavy_ball(1.0, 100.0), optimal_heavy_ball(mu, rng.uniform(3, 50) * mu)]
    return {"eps": [eps for eps, _ in pairs], "alpha": [alpha for _, alpha in pairs]}
