# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""python3 workflows.py <repository>

The workflows of the project, and those that users copy, are YAML with a trigger, permissions and jobs; every step runs
a command that a shell can read, or uses an action of a fixed version; every job that is needed is there; and the target
`site` and the folder that pages.yml publishes are those of the preset. No forge is asked.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

try:
    import yaml
except ImportError:
    print("SKIPPED: python3 has no yaml")
    sys.exit(0)


def faults_of(path):
    workflow = yaml.safe_load(path.read_text())
    # YAML 1.1 reads the key `on` as true.
    for key in ("name", True, "permissions", "jobs"):
        if key not in workflow:
            yield f"has no {'on' if key is True else key}"
    for name, job in workflow.get("jobs", {}).items():
        needed = job.get("needs", [])
        for other in [needed] if isinstance(needed, str) else needed:
            if other not in workflow["jobs"]:
                yield f"{name} needs {other}, which is no job"
        for key in ("runs-on", "steps"):
            if key not in job:
                yield f"{name} has no {key}"
        for step in job.get("steps", []):
            if ("run" in step) == ("uses" in step):
                yield f"{name}: a step either runs or uses something: {step}"
            if "uses" in step and not re.fullmatch(r"[\w.-]+/[\w./-]+@(v\d+|[0-9a-f]{40})", step["uses"]):
                yield f"{name}: {step['uses']} is no action of a fixed version"
            if "run" in step:
                command = re.sub(r"\$\{\{.*?\}\}", "expression", step["run"])
                checked = subprocess.run(["bash", "-n"], input=command, capture_output=True, text=True)
                if checked.returncode != 0:
                    yield f"{name}: {checked.stderr.strip()}"


def main(root):
    workflows = [*sorted((root / ".github/workflows").glob("*.yml")), *sorted((root / "examples/ci").glob("*.yml"))]
    faults = [f"{path.relative_to(root)}: {fault}" for path in workflows for fault in faults_of(path)]
    presets = [preset["name"] for preset in json.loads((root / "CMakePresets.json").read_text())["buildPresets"]]
    pages = yaml.safe_load((root / ".github/workflows/pages.yml").read_text())["jobs"]["build"]["steps"]
    built = [found for step in pages
             for found in re.findall(r"cmake --build --preset ([\w-]+) --target site", step.get("run", ""))]
    published = [step["with"]["path"] for step in pages if step.get("uses", "").startswith("actions/upload-pages")]
    if len(built) != 1 or built[0] not in presets or published != [f"build/{built[0]}/site"]:
        faults.append(f"pages.yml builds {built} and publishes {published}")
    for fault in faults:
        print(fault)
    print(f"workflows: {len(workflows)}, {len(faults)} faults")
    return 1 if faults or len(workflows) < 5 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
