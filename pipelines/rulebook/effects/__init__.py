"""What a rules text does to an attack: modifiers read from fixed phrases, and how far a text was read.

Belongs here: the phrases, their operations, to which side and attacks a sentence gives them, under which conditions.
Doesn't: applying them (``simulation``), any rule known by its name.

``texts`` hands a stratagem, an enhancement, a rule or an ability to ``reader``, which cuts it into sentences
(``wording``). A sentence may hold *triggers* ("each time a model in your unit makes a melee attack", "each time an
attack targets your unit": ``subjects``), which say whose attacks are meant, *phrases* (``rolls``, ``grants``,
``wounds``) and conditions around them (``conditions``); ``memory`` keeps what other sentences said, ``placing`` decides
the side, ``coverage`` says what is missing.

==================================================  ================  ==========================  ====================
phrase                                              operation         characteristic              value
==================================================  ================  ==========================  ====================
re-roll a Hit roll of 1                             reroll            hit, wound, damage, save    1
(you can) re-roll the Hit roll                      reroll            hit, wound, damage          any
you can re-roll one Hit roll, one Wound roll        reroll            hit, wound, damage, save    one_die
you re-roll that roll, test or saving throw         reroll            each roll that WHEN names   one_die
you can re-roll the number of attacks               reroll            attacks                     any
add 1 to / subtract 1 from the Hit roll             roll_mod          hit, wound, save            +1, -1
improve / worsen the X characteristic by n          stat_mod          AP, Sv, BS, WS, ...         -n, +n
add n to / subtract n from the X characteristic     stat_mod          A, S, D, T, W               +n, -n
change the X characteristic to n, have an X of n    stat_mod          each                        =n
subtract n from the Damage of that attack           damage_reduction  D                           -n
halve the Damage of that attack                     damage_reduction  D                           half
change the Damage of that attack to 0 or 1          damage_reduction  D                           0, 1
have the [X n] ability                              grant_kw          the ability's slug          n
select [X] or [Y]; have the selected ability        grant_kw          each, "one of" them         n
unmodified Hit roll of n+ scores a Critical Hit     crit              hit, wound                  n
an unmodified Hit roll of n is required             hit_only_on       hit                         n
can ignore any or all modifiers to X                ignore_modifiers  hit, wound, BS, AP, ...     any
have a n+ invulnerable save                         invuln            save                        n
have the Feel No Pain n+ ability                    feel_no_pain      all, mortal                 n
have the Stealth ability                            roll_mod          hit                         -1
have / cannot have the Benefit of Cover             cover             save                        granted, denied
suffers n mortal wounds                             mortal_wounds     wounds                      n
roll six D6: for each 4+, ... suffers n             mortal_wounds     wounds                      six D6, each 4+: n
roll one D6: on a 2-5, ... suffers n                mortal_wounds     wounds                      one D6, 2-5: n
can shoot as if it were your Shooting phase         extra_activation  shooting                    1
can fight again, or after it was destroyed          extra_activation  fight, shooting or fight    1
==================================================  ================  ==========================  ====================

The value of ``stat_mod`` is what is added to the printed number: AP -1 improved by 1 is AP -2, a Save of 4+ improved
by 1 is 3+. "Instead" gives a further row under its own condition; it replaces, it doesn't add. What stands before a
phrase in its sentence is its condition, and so is what closely follows it, who may use the text, and what must have
been chosen. A phrase whose side isn't clear, that is denied, laid on the enemy's weapons, or whose number is counted in
play, is not modelled: a wrong reading is worse than none. Each text gives at least one row, which says why where it
isn't modelled.
"""

from pipelines.rulebook.effects.coverage import Coverage, coverage
from pipelines.rulebook.effects.modifier import Modifier
from pipelines.rulebook.effects.texts import (
    ability_effects,
    detachment_rule_effects,
    enhancement_effects,
    stratagem_effects,
)  # fmt: skip

__all__ = [
    "Coverage", "Modifier", "ability_effects", "coverage", "detachment_rule_effects", "enhancement_effects",
    "stratagem_effects",
]  # fmt: skip
