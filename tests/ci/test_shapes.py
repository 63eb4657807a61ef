"""action.yml and the pre-commit hooks, run as GitHub's runner and pre-commit run them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from lifter.batch.sealing import seal_digest, text_digest
from lifter.command_line import COMMANDS
from lifter.settings.configuration import load_configuration

ROOT = Path(__file__).parents[2]
ACTION = yaml.safe_load((ROOT / "action.yml").read_text("utf-8"))
HOOKS = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text("utf-8"))
STEPS = {step["name"]: step for step in ACTION["runs"]["steps"]}
KERNEL = "void fill(int *d, int n) { for (int i = 0; i < n; i++) d[i] = 1; }\n"
UNLIFTABLE = "void look(int *d, int n) { for (int i = 0; i < n; i++) d[i] = d[d[i]]; }\n"
HOSTILE = "a b; touch owned $(touch owned) `touch owned` ' \" ${IFS}.cpp"


@pytest.fixture
def tools(tmp_path):
    """A folder of programs: `lift` is this tree's, `python` notes what it was asked."""
    folder = tmp_path / "tools"
    folder.mkdir()
    programs = {
        "lift": f'#!/bin/sh\nexec "{sys.executable}" -m lifter "$@"\n',
        "python3": f"""#!/bin/sh
if [ "$2" = venv ]; then mkdir -p "$3/bin"; cp "$0" "$3/bin/python"; fi
printf "%s\\n" "$@" > "{folder}/asked"
""",
    }
    for name, text in programs.items():
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return folder


@pytest.fixture
def step(tools, repository, tmp_path):
    """Runs one of the action's steps with inputs, as the runner does: bash, and variables."""

    def call(name, event="push", **inputs):
        context = {f"inputs.{key}": str(i["default"]) for key, i in ACTION["inputs"].items()}
        context |= {f"inputs.{key.replace('_', '-')}": value for key, value in inputs.items()}

        def value(match):
            return context[match[1]]

        given = {
            key: re.sub(r"\$\{\{ ([\w.-]+) \}\}", value, text)
            for key, text in STEPS[name]["env"].items()
        }
        script, outputs = tmp_path / "script.sh", tmp_path / "outputs"
        script.write_text(STEPS[name]["run"])
        outputs.write_text("")
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=repository,
            env={
                **os.environ,
                **given,
                "PATH": f"{tools}:{os.environ['PATH']}",
                "PYTHONPATH": str(ROOT),
                "GITHUB_OUTPUT": str(outputs),
                "GITHUB_PATH": str(tmp_path / "paths"),
                "GITHUB_ACTION_PATH": "/the/action",
                "GITHUB_EVENT_NAME": event,
                "RUNNER_TEMP": str(tmp_path / "temp dir"),
                "GITHUB_STEP_SUMMARY": str(tmp_path / "summary.md"),
            },
            capture_output=True,
            text=True,
            check=False,
        )
        told = dict(line.split("=", 1) for line in outputs.read_text().splitlines())
        return done, told

    return call


def test_no_input_is_ever_part_of_a_script():
    for step in STEPS.values():
        assert "${{" not in step.get("run", "")
    assert {s["shell"] for s in STEPS.values() if "run" in s} == {"bash"}


def test_every_output_is_one_that_the_step_gives():
    written = set(re.findall(r'echo "([\w-]+)=', STEPS["Run lift"]["run"]))
    assert written == set(ACTION["outputs"])


@pytest.mark.slow
def test_the_action_lifts_annotates_and_leaves_both_reports(step, repository, tmp_path):
    (repository / "a.cpp").write_text(KERNEL + UNLIFTABLE)
    done, told = step("Run lift", command="lift", paths="a.cpp")
    assert done.returncode == 1, done.stdout + done.stderr
    assert told["exit-status"] == "1"
    assert re.search(r"^::error file=a.cpp,line=\d+", done.stdout, re.MULTILINE)
    assert json.loads(Path(told["sarif-file"]).read_text())["version"] == "2.1.0"
    assert Path(told["junit-file"]).read_text().startswith("<?xml")
    assert "1 proved" in (tmp_path / "summary.md").read_text()


@pytest.mark.slow
def test_the_action_verifies_what_was_committed(step, repository):
    (repository / "a.cpp").write_text(KERNEL)
    step("Run lift", command="lift", paths="a.cpp")
    done, told = step("Run lift")
    assert (done.returncode, told["exit-status"]) == (0, "0"), done.stdout + done.stderr
    (repository / "a.cpp").write_text(KERNEL.replace("= 1", "= 2"))
    done, told = step("Run lift", args="--timeout\n60")
    assert (done.returncode, told["exit-status"]) == (1, "1")
    assert "[not-equal]" in done.stdout


@pytest.mark.slow
def test_seals_are_not_believed_in_pull_requests(step, repository):
    """A stranger has changed the program, and what the seal says of it."""
    (repository / "a.cpp").write_text(KERNEL)
    step("Run lift", command="lift", paths="a.cpp")
    (folder,) = (p.parent for p in repository.rglob("pipeline.py"))
    program, summary = folder / "pipeline.py", folder / "summary.json"
    assert "i32(1)" in program.read_text()
    program.write_text(program.read_text().replace("i32(1)", "i32(2)"))
    data = json.loads(summary.read_text())
    data["files"]["pipeline.py"] = text_digest(program.read_text())
    data["seal"]["digest"] = seal_digest(data)
    summary.write_text(json.dumps(data))
    assert step("Run lift")[0].returncode == 0
    for event, given in (("pull_request", {}), ("merge_group", {}), ("push", {"all": "true"})):
        done, _ = step("Run lift", event, **given)
        assert done.returncode == 1 and "[not-equal]" in done.stdout
    assert step("Run lift", "pull_request", all="false")[0].returncode == 0


def test_every_action_that_is_used_is_pinned():
    used = [step["uses"] for step in ACTION["runs"]["steps"] if "uses" in step]
    assert len(used) == 3 and all(re.search(r"@[0-9a-f]{40}$", one) for one in used)


def test_paths_are_those_of_the_container_where_there_is_one():
    told = json.dumps([step.get("env", {}) for step in STEPS.values()])
    assert "runner.temp" not in told and "github.action_path" not in told


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("key", ["command", "paths", "args", "working_directory", "extras"])
def test_what_stands_in_an_input_is_never_run(step, repository, key):
    (repository / "a.cpp").write_text(KERNEL)
    given = {"command": "lift", "paths": "a.cpp", **{key: HOSTILE}}
    step("Install lift" if key == "extras" else "Run lift", **given)
    assert not list(repository.rglob("owned"))


@pytest.mark.slow
def test_a_hostile_path_is_lifted_as_the_file_it_is(step, repository):
    (repository / HOSTILE).write_text(KERNEL)
    (repository / "--help").write_text(KERNEL)
    done, _ = step("Run lift", command="lift", paths=f"{HOSTILE}\r\n\n--help")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 proved" in done.stdout
    assert not (repository / "owned").exists()


def test_the_action_installs_itself_with_the_extras_asked_for(step, tools):
    for extras, ending in (("", "/the/action"), ("recheck,bench", "/the/action[recheck,bench]")):
        done, _ = step("Install lift", extras=extras)
        assert done.returncode == 0
        assert (tools / "asked").read_text().splitlines()[-1] == ending


def hook(name):
    return next(hook for hook in HOOKS if hook["id"] == name)


def test_pre_commit_accepts_the_hooks():
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")
    done = subprocess.run(
        [sys.executable, "-m", "pre_commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_pre_commit_stops_a_commit_that_breaks_a_lifted_function(repository, tools, tmp_path):
    """The hook's own words, on this tree's lift: installing it from PyPI is not what is tested."""
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")
    (repository / ".git").rmdir()
    local = {**hook("lift-verify"), "language": "unsupported"}
    config = {"repos": [{"repo": "local", "hooks": [local]}]}
    (repository / ".pre-commit-config.yaml").write_text(yaml.safe_dump(config))
    (repository / "a.cpp").write_text(KERNEL)
    env = {
        **os.environ,
        "PATH": f"{tools}:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "PRE_COMMIT_HOME": str(tmp_path / "cache"),
        **{f"GIT_{who}_{what}": "a@b.c" for who in ("AUTHOR", "COMMITTER")
           for what in ("NAME", "EMAIL")},
    }  # fmt: skip

    def run(*command):
        return subprocess.run(
            command, cwd=repository, env=env, capture_output=True, text=True, check=False
        )

    assert run("git", "init", "-q").returncode == 0
    assert run("lift", "a.cpp").returncode == 0
    run("git", "add", "a.cpp", "lifted", ".pre-commit-config.yaml")
    check = (sys.executable, "-m", "pre_commit", "run")
    passed = run(*check)
    assert passed.returncode == 0, passed.stdout + passed.stderr
    (repository / "a.cpp").write_text(KERNEL.replace("= 1", "= 2"))
    run("git", "add", "a.cpp")
    stopped = run(*check)
    assert stopped.returncode == 1
    assert "lift verify" in stopped.stdout and "not-equal" in stopped.stdout


@pytest.mark.slow
def test_verify_names_files_by_the_root_that_paths_count_from(repository, tools):
    (repository / "src").mkdir()
    (repository / "src" / "a.cpp").write_text(KERNEL)
    (repository / "lift.toml").write_text('[verify]\ndirectory = "lifted"\nroot = "."\n')
    env = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    subprocess.run(["lift", "src"], cwd=repository, env=env, check=True, capture_output=True)
    (repository / "src" / "a.cpp").write_text(KERNEL.replace("= 1", "= 2"))
    done = subprocess.run(
        ["lift", "verify", "--format", "github"],
        cwd=repository / "src", env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "::error file=src/a.cpp,line=1," in done.stdout


@pytest.mark.slow
def test_what_is_kept_for_speed_is_not_committed(repository, tools):
    (repository / "a.cpp").write_text(KERNEL)
    env = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    subprocess.run(["lift", "a.cpp"], cwd=repository, env=env, check=True, capture_output=True)
    (repository / ".git").rmdir()
    subprocess.run(["git", "init", "-q"], cwd=repository, check=True)
    done = subprocess.run(
        ["git", "status", "--porcelain", "-uall"], cwd=repository, capture_output=True, text=True
    )
    assert "lifted/a/fill/summary.json" in done.stdout
    assert ".lift-cache" not in done.stdout


def examples():
    """The YAML and TOML blocks of docs/ci.md, by the file that each says it is."""
    text = (ROOT / "docs" / "ci.md").read_text("utf-8")
    blocks = re.findall(r"```(yaml|toml)\n# (\S+?),?(?: [^\n]*)?\n(.*?)```", text, re.DOTALL)
    return {name: (kind, body) for kind, name, body in blocks}


def test_the_examples_of_the_page_are_what_they_say(repository):
    found = examples()
    assert set(found) == {
        ".github/workflows/lift.yml", ".gitlab-ci.yml", ".pre-commit-config.yaml", "lift.toml",
    }  # fmt: skip
    workflow = yaml.safe_load(found[".github/workflows/lift.yml"][1])
    [*_, step] = workflow["jobs"]["verify"]["steps"]
    assert set(step["with"]) <= set(ACTION["inputs"])
    gitlab = yaml.safe_load(found[".gitlab-ci.yml"][1])["lift"]
    assert gitlab["artifacts"]["reports"]["junit"] in gitlab["script"][0]
    [repo] = yaml.safe_load(found[".pre-commit-config.yaml"][1])["repos"]
    assert {h["id"] for h in repo["hooks"]} <= {h["id"] for h in HOOKS}
    (repository / "lift.toml").write_text(found["lift.toml"][1])
    settings = load_configuration(repository, COMMANDS)
    assert settings.of("lift")["timeout"] == 120
    assert settings.of("verify")["directory"] == "lifted"
