"""Comparisons of empirical with exact laws whose false alarms are counted, however many they are.

Of all comparisons of one call of ``raised`` together, the chance that a right engine raises any alarm is at most
``FALSE_ALARMS``: each of n comparisons gets an n-th of it (Bonferroni). Each is a z or a chi-square whose threshold
holds for every number of trials, not only in the limit:

- means: empirical Bernstein bound (Audibert, Munos, Szepesvári 2009, theorem 1) for a variable of a known range;
- laws: the likelihood-ratio chi-square with the multinomial bound of Agrawal (2020), theorem 1.2.
"""

import math

FALSE_ALARMS = 1e-3


def mean_bound(law, spread, chance):
    """How far the mean of an empirical law is from the true one, but for this chance, if values differ by `spread`."""
    trials = int(law.counts.sum())
    deviation = law.estimate()[1] * math.sqrt(trials)
    needed = math.log(3 / chance)
    return deviation * math.sqrt(2 * needed / trials) + 3 * spread * needed / trials


def unlikely(law, exact, chance):
    """Tell whether an empirical law departs from an exact one, {value: p}, too far for this chance."""
    trials, observed = int(law.counts.sum()), dict(zip(law.values.tolist(), law.counts.tolist(), strict=True))
    if any(exact.get(value, 0) <= 0 for value in observed):
        return True
    rare = {value for value, p in exact.items() if p * trials < 5}
    cells = [(observed.get(value, 0), p) for value, p in exact.items() if value not in rare]
    cells.append((sum(observed.get(value, 0) for value in rare), sum(exact[value] for value in rare)))
    cells = [(seen, p) for seen, p in cells if p > 0]
    half_chi_square = sum(seen * math.log(seen / (trials * p)) for seen, p in cells if seen)
    freedom = len(cells) - 1
    if not freedom or half_chi_square <= freedom:
        return False
    return freedom * (1 + math.log(half_chi_square / freedom)) - half_chi_square < math.log(chance)


def raised(comparisons, parts=1):
    """Names of the comparisons that fail; none at all with a chance of 1 - FALSE_ALARMS if all is right.

    ``comparisons``: (name, function of a chance: is it an alarm?). ``parts``: of how many like calls this is one, which
    share that chance.
    """
    return [name for name, alarm in comparisons if alarm(FALSE_ALARMS / len(comparisons) / parts)]
