"""Where a missing file may be after all: in an archive, in a script's making, or beside its place by another name."""

import pytest

from probes.replay.handlers.archives import Archive, Holding, doubtful, holding, listed
from probes.replay.handlers.makers import alike, may_make, others_speak

PLACE = "/w/data/train.csv"
READS = "python main.py\n  File \"main.py\", line 1, in <module>\n    df = pd.read_csv('data/train.csv')"


def test_a_listing_of_archives_is_read_by_archive() -> None:
    shown = "listed /w/a b.tar.gz\nmember ./data/train.csv\nmember x.csv\nunlisted /w/c.rar\nlisted /w/d.zip\n"
    assert listed(shown) == (
        Archive("/w/a b.tar.gz", ("./data/train.csv", "x.csv")),
        Archive("/w/c.rar", None),
        Archive("/w/d.zip", ()),
    )


def test_the_member_that_can_be_unpacked_in_place_is_taken_first() -> None:
    archives = (Archive("/z/old.zip", ("old/Train.csv",)), Archive("/w/a b.tar.gz", ("./data/train.csv",)))
    found = holding(PLACE, archives)
    assert found == Holding("/w/a b.tar.gz", "./data/train.csv")
    assert (found.unpacking, found.base(PLACE)) == ("tar -xf '/w/a b.tar.gz' -C", "/w")
    other = holding(PLACE, archives[:1])
    assert other == Holding("/z/old.zip", "old/Train.csv")
    assert (other.unpacking, other.base(PLACE)) == ("python3 -m zipfile -e /z/old.zip", None)


def test_a_directory_is_held_where_any_member_lies_in_it_and_a_part_of_a_name_is_none() -> None:
    archive = Archive("/w/i.tgz", ("all/images/1.png", "all/images/2.png"))
    assert holding("/w/images", (archive,)) == Holding("/w/i.tgz", "all/images")
    assert holding(PLACE, (Archive("/w/a.zip", ("my-train.csv", "train.csv.md5")),)) is None


@pytest.mark.parametrize(
    ("archive", "expected"),
    [
        (Archive("/w/a.7z", None), "/w/a.7z could not be listed"),
        (Archive("", None), "there are more archives than we looked into"),
        (Archive("/w/a.zip", ("in/b.tar.gz",)), "/w/a.zip contains in/b.tar.gz, which we did not look into"),
        (Archive("/w/a.zip", ("rows.CSV",)), "/w/a.zip contains rows.CSV"),
        (Archive("/w/a.zip", ("a.txt",)), ""),
    ],
)
def test_an_archive_that_may_hold_the_file_leaves_it_open(archive: Archive, expected: str) -> None:
    assert doubtful("train.csv", (Archive("/w/empty.zip", ()), archive)) == expected


@pytest.mark.parametrize(
    ("name", "text", "makes"),
    [
        ("prepare.py", "OUT = 'data/train.csv'\nframe.to_csv(OUT)", True),
        ("download.sh", "cd data && wget https://x.test/train.csv", True),
        ("Makefile", "data/train.csv: raw.txt\n\tcut -f1 $< > $@", True),
        ("prepare_data.py", "for name in ('train', 'test'):\n    make(name)", True),
        ("main.py", "T = 'data/train.csv'\nif prepare:\n    open(T, 'w').write(x)\nelse:\n    read(T)", True),
        ("main.py", "T = Path('data', 'train.csv')\nif first:\n    download_all(T)\nread(T)", True),
        ("main.py", "T = 'data/train.csv'\nread(T)\nopen('out.csv', 'w')", False),
        ("fit.py", "pd.read_csv('data/train.csv').mean()", False),
        ("report.py", "frame.to_csv('out.csv')", False),
        ("main.py", "df = pd.read_csv('data/train.csv')\ndf.to_csv('out.csv')", False),
        ("main.py", "if new: build().to_csv('data/train.csv')", True),
    ],
)
def test_a_script_of_the_task_may_make_the_file(name: str, text: str, *, makes: bool) -> None:
    assert may_make(PLACE, {f"/w/{name}": text}, READS) == (f"/w/{name}" if makes else "")


@pytest.mark.parametrize(
    ("files", "sizes", "expected"),
    [
        (["train-data.csv"], set(), "train-data.csv"),
        (["columns.txt", "README"], set(), ""),
        (["train_2.CSV.gz"], {7}, "train_2.CSV.gz"),
        (["train.gz"], set(), "train.gz"),
        (["other.csv"], {7}, ""),
        (["other.csv"], {5}, "other.csv"),
        (["test.csv"], set(), ""),
        (["dump.gz"], set(), "dump.gz"),
        (["../raw/training_set.csv"], set(), "../raw/training_set.csv"),
        (["../raw/weather.csv"], set(), ""),
    ],
)
def test_a_file_of_the_same_type_in_the_promised_folder_leaves_it_open(
    files: list[str], sizes: set[int], expected: str
) -> None:
    texts = [("the task's text", "Train on data/train.csv and test on data/test.csv.")]
    found = next(alike(PLACE, [(f"/w/data/{name}", 5) for name in files], sizes, texts), "")
    assert found == (f"/w/data/{expected}" if expected else "")


@pytest.mark.parametrize(
    ("recipes", "speaks"),
    [
        ("all: data/train.csv\n\tpython main.py data/train.csv\n", False),
        ("all:\n\tpython main.py\n\ndata:\n\tpython gen.py > data/train.csv\n", True),
        ("T = data/train.csv\nall:\n\tpython main.py\n\nget:\n\tcurl -o $(T) https://x.test/\n", True),
        ("T = data/train.csv\nall: $(T)\n\t@python main.py $(T)\n", False),
        ("clean:\n\trm -f out.csv\n", False),
    ],
)
def test_a_makefile_only_reads_a_file_where_no_recipe_but_the_failing_one_speaks_of_it(
    recipes: str, *, speaks: bool
) -> None:
    assert others_speak(recipes, PLACE, READS) == speaks


def test_a_file_with_an_identifier_of_its_own_is_another_one() -> None:
    mine, other = "b8e1f0a7-62d4-4f0b-9a55-0c7be2f81d3e", "5f0c9d6e-1b1a-4c8c-8b0a-7d0d3f6e4a21"
    place = f"/w/attachments/2023_{mine}.xlsx"
    assert not list(alike(place, [(f"/w/attachments/2023_{other}.xlsx", 5)], set(), []))
    assert list(alike(place, [(f"/w/attachments/{mine}.xlsx", 5)], set(), []))
    assert list(alike(place, [("/w/attachments/2023.xlsx", 5)], set(), []))


@pytest.mark.parametrize(
    ("asked", "there", "readme", "meant"),
    [
        ("absorption.csv", "Absorption_2021.csv", "`Data/Absorption_2021.csv`: the input of the fit", True),
        ("absorption.csv", "Absorption_2021.csv", "absorption.csv is raw, Absorption_2021.csv is smoothed", False),
        ("absorption_2020.csv", "Absorption_2021.csv", "`Data/Absorption_2021.csv`: the input of the fit", False),
    ],
)
def test_a_file_that_only_another_text_names_may_be_meant_where_its_name_just_says_more(
    asked: str, there: str, readme: str, *, meant: bool
) -> None:
    texts = [("the task's text", f"Fit data/{asked}."), ("README.md", readme)]
    assert bool(list(alike(f"/w/data/{asked}", [(f"/w/Data/{there}", 5)], set(), texts))) is meant
