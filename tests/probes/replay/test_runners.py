"""What a missing program that only runs other commands would have run: read whole, or left to a person."""

import pytest

from cases.shell import steps_of
from probes.replay.arms.documented.runners import maven, npm, tox
from probes.replay.arms.documented.words import Runner, table

TOX = """
[tox]
envlist = check
[testenv]
setenv =
    LEVEL = 3
commands =
    pytest {posargs:tests}
    - flake8 src
[testenv:docs]
changedir = docs
commands = make html
[testenv:lint]
commands = py311: flake8 src
[testenv:built]
commands = {envbindir}/pack .
"""
PACKAGE = """
{"scripts": {"install": "./fetch", "pretest": "./build", "test": "./check", "build": "./build", "v": "echo $npm_x"}}
"""
ON_PATH = 'export PATH="$PWD/node_modules/.bin:$PATH"'


def runner(program: str) -> Runner:
    return next(one for one in table().runner if program in one.programs)


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("tox", ["export LEVEL=3", "pytest tests", "flake8 src || true"]),
        ("tox -e py311 -- -k fold", ["export LEVEL=3", "pytest -k fold", "flake8 src || true"]),
        ("tox run -e docs", ["cd docs", "export LEVEL=3", "make html"]),
        ("tox -edocs", ["cd docs", "export LEVEL=3", "make html"]),
        (
            "tox -e docs,check",
            [
                "(\ncd docs\nexport LEVEL=3\nmake html\n)",
                "(\nexport LEVEL=3\npytest tests\nflake8 src || true\n)",
            ],
        ),
        ("tox -e lint", []),
        ("tox -e docs,lint", []),
        ("tox -e built", []),
        ("tox -c other.ini", []),
        ("tox --notest", []),
    ],
)
def test_the_environments_that_are_asked_for_are_read_or_none(line: str, found: list[str]) -> None:
    [step] = steps_of(line)
    assert tox(TOX, step.command, runner("tox")) == found


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("npm test", [ON_PATH, "./build", "./check"]),
        ("npm t -- -t fold", [ON_PATH, "./build", "./check -t fold"]),
        ("npm run build -- --fast", [ON_PATH, "./build --fast"]),
        ("yarn build --fast", [ON_PATH, "./build --fast"]),
        ("pnpm run build", [ON_PATH, "./build"]),
        ("npm install", []),
        ("yarn install", []),
        ("yarn", []),
        ("npm ci", []),
        ("npm build", []),
        ("npm run build --prefix client", []),
        ("npm --prefix client run build", []),
        ("npm run v", []),
        ("npm run other", []),
    ],
)
def test_a_script_is_read_where_the_line_asks_for_nothing_else(line: str, found: list[str]) -> None:
    [step] = steps_of(line)
    assert npm(PACKAGE, step.command, runner(step.command.program)) == found


@pytest.mark.parametrize("text", ["", "[]", "{", '{"scripts": []}', '{"scripts": {"test": 3}}', '"x"'])
def test_a_file_of_another_form_tells_nothing(text: str) -> None:
    [step] = steps_of("npm test")
    assert npm(text, step.command, runner("npm")) == []
    assert tox(text, steps_of("tox")[0].command, runner("tox")) == []


@pytest.mark.parametrize(
    ("line", "more", "built"),
    [
        ("mvn -q package", "", True),
        ("mvn clean install -DskipTests", "<packaging>jar</packaging>", True),
        ("mvn exec:java -Dexec.mainClass=org.sea.Main", "", False),
        ("mvn test", "", False),
        ("mvn package", "<modules><module>core</module></modules>", False),
        ("mvn package", "<packaging>war</packaging>", False),
        ("mvn package", "<", False),
    ],
)
def test_a_project_of_one_module_is_built_by_the_compiler_and_any_other_left_to_a_person(
    line: str, more: str, built: bool
) -> None:
    [step] = steps_of(line)
    project = f"""<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>
    <artifactId>tide</artifactId><version>1.2</version>{more}</project>"""
    lines = maven(project, step.command, runner("mvn"))
    assert bool(lines) is built
    assert not built or "target/tide-1.2-jar-with-dependencies.jar" in lines[-1]
