"""The script that breaks rules: its list is current, it notices, and it says when something is wrong."""

import pytest

from pipelines.paths import PROJECT

from . import mutants
from .mutants import Mutation, NoVerdictError, first_failure, mutated_files, mutations

DICE_TESTS = ["tests/simulation/test_simulation_dice.py"]
MUTATIONS = mutations()


@pytest.mark.parametrize("mutation", MUTATIONS, ids=[mutation.rule for mutation in MUTATIONS])
def test_each_mutation_still_applies(mutation):
    text = "\0".join(path.read_text(encoding="utf-8") for path in mutated_files(PROJECT))
    assert text.count(mutation.text) == mutation.of, mutation.text
    assert 1 <= mutation.nth <= mutation.of
    assert mutation.text != mutation.replacement


def test_rules_are_broken_one_by_one_and_many_of_them():
    assert len({mutation.rule for mutation in MUTATIONS}) == len(MUTATIONS) >= 60
    assert len({(mutation.text, mutation.replacement, mutation.nth) for mutation in MUTATIONS}) == len(MUTATIONS)


@pytest.mark.parametrize("mutation", [MUTATIONS[0], MUTATIONS[len(MUTATIONS) // 2]], ids=lambda each: each.rule)
def test_a_broken_rule_is_noticed(mutation):
    assert first_failure(mutation) is not None


def test_a_survivor_is_told_and_the_tree_stays_whole(capsys):
    before = [path.read_bytes() for path in mutated_files(PROJECT)]
    assert mutants.main([MUTATIONS[0].rule], DICE_TESTS) == 1  # tests of dice see nothing of an attack's rules
    assert f"SURVIVED  {MUTATIONS[0].rule}" in capsys.readouterr().out
    assert [path.read_bytes() for path in mutated_files(PROJECT)] == before


def test_a_mutation_whose_text_has_gone_proves_nothing(monkeypatch, capsys):
    gone = Mutation("gone", "no such text anywhere", "x")
    monkeypatch.setattr(mutants, "mutations", lambda: [gone])
    assert mutants.main([], DICE_TESTS) == 1
    assert "NO PROOF  gone: no longer applies" in capsys.readouterr().out


def test_a_copy_that_cannot_be_imported_proves_nothing():
    syntax = Mutation("syntax", "def dice_law(", "def dice_law((")
    with pytest.raises(NoVerdictError, match="didn't run"):
        first_failure(syntax, DICE_TESTS)
