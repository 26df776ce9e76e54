import pytest

from pipelines.identity import clean, fold, stable_id


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("HUNTR’S MARK", "Huntr's Mark"),
        ("Twin magna‑coil autocannon", "Twin magna-coil autocannon"),
        ("Fârstrydr Node", "FARSTRYDR NODE"),
        ("KÂHL", "Ka\u0302hl"),
        ("T’au Empire", "TAU EMPIRE"),
    ],
)
def test_spellings_of_one_name_fold_to_the_same(first: str, second: str) -> None:
    assert fold(first) == fold(second)


def test_different_names_stay_apart() -> None:
    assert fold("Magna-coil autocannon") != fold("Twin magna-coil autocannon")


def test_ids_depend_on_parts_and_their_borders() -> None:
    assert stable_id("a", "b") == stable_id("a", "b")
    assert (
        len({stable_id("a", "b"), stable_id("ab"), stable_id("a", None), stable_id("a", ""), stable_id("b", "a")}) == 5
    )


def test_an_id_is_what_it_was_when_it_was_first_published() -> None:
    # Ids stay from version to version: users keep them in their own queries.
    assert stable_id("unit", "text_dump", "10e", None, "leagues-of-votann", "memnyr strategist") == "34b84ec00ae796d0"


def test_clean_keeps_letters_and_folds_white_space() -> None:
    assert clean("Ka\u0302hl \u00a0 of\n the Hold ") == "Kâhl of the Hold"


def test_names_in_other_scripts_stay_apart() -> None:
    assert fold("Бойцы") != fold("Стрелки") != ""


def test_letters_of_another_script_that_look_the_same_are_the_same() -> None:
    assert fold("\u0441ombi-bolter") == fold("combi-bolter")
