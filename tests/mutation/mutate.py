#!/usr/bin/env python3
# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors
"""Changes one operator or constant of a source file at a time, and asks whether a test notices.

    mutate.py --set model|readers [--files NAME...] [--count N] [--minutes M] [--seed S] [--program-objects FOLDER]

A change is noticed if the file's own tests do not compile or do not pass. Of the changes, N are chosen by the seed; all
of them without --count. What nothing notices has to be listed in survivors.txt with the reason; otherwise the exit code
is 1. Each change needs a compiler, so the targets `mutation` and `mutation_readers` take minutes.
"""

import argparse
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SURVIVORS = pathlib.Path(__file__).resolve().parent / "survivors.txt"

OPERATORS = {
    "<": ["<="], "<=": ["<"], ">": [">="], ">=": [">"], "==": ["!="], "!=": ["=="], "&&": ["||"], "||": ["&&"],
    "+": ["-"], "-": ["+"], "*": ["/"], "/": ["*"], "%": ["/"], "+=": ["-="], "-=": ["+="], "*=": ["/="],
}
# Operators stand between spaces, as clang-format writes them; so `a<b>` and `int const&` are no operators.
TOKEN = re.compile(r"(?<= )(<=|>=|==|!=|&&|\|\||\+=|-=|\*=|[<>+\-*/%])(?= )|(?<![\w.'])(\d+)(?=\D|$)|\b(true|false)\b")


def mutants_of(text):
    """Yields (line number, new line). Comments, strings, the preprocessor and declarations of operators stay."""
    in_raw_string = False
    for number, line in enumerate(text.splitlines()):
        code = line.split("//")[0]
        stripped = code.strip()
        if not stripped or stripped.startswith(("#", "*", "template", "static_assert", "using ", "namespace", "enum ")):
            continue
        if 'R"' in code:
            in_raw_string = True
        if in_raw_string:
            in_raw_string = ')"' not in code
            continue
        quoted = [match.span() for match in re.finditer(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\'', code)]
        for match in TOKEN.finditer(code):
            if any(begin <= match.start() < end for begin, end in quoted):
                continue
            token = match.group(0)
            if match.group(2):
                replacements = [str(int(token) + 1)]
            elif match.group(3):
                replacements = ["false" if token == "true" else "true"]
            else:
                replacements = OPERATORS[token]
            for replacement in replacements:
                yield number, line[: match.start()] + replacement + line[match.end():]


def passes(command, seconds, folder):
    """Whether a command ends with 0. One that does not end in time is a change that was noticed."""
    try:
        return subprocess.run(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              timeout=seconds).returncode == 0
    except subprocess.TimeoutExpired:
        return False


class Model:
    """A header of include/warpguard/model/. Its tests are of the same name; the rules of allocation have those of what
    uses them, and the second model of published_formulas.cpp."""

    MORE = {"allocation": ["model/occupancy", "model/capacity", "oracle/published_formulas"],
            "occupancy": ["oracle/published_formulas"],
            "single_change": ["model/next_steps", "model/reaching_changes"]}

    def __init__(self, arguments, work):
        self.compiler, self.work = arguments.compiler, work
        self.flags = ["-std=c++17", "-O1", f"-I{work}/include", "-w"]
        shutil.copytree(ROOT / "include", work / "include")
        shutil.copytree(ROOT / "tests", work / "tests", ignore=shutil.ignore_patterns("corpus"))
        self.main = work / "main.o"
        subprocess.run([self.compiler, "-std=c++17", "-c", ROOT / "tests/main.cpp", "-o", self.main], check=True)

    @staticmethod
    def files():
        return sorted((ROOT / "include/warpguard/model").glob("*.hpp"))

    def tests_of(self, file):
        names = [f"model/{file.stem}"] + self.MORE.get(file.stem, [])
        return [self.work / "tests" / f"{name}.cpp" for name in names if (ROOT / "tests" / f"{name}.cpp").exists()]

    def notices(self, file):
        # Most changes already break a static_assert.
        tests = self.tests_of(file)
        if any(not passes([self.compiler, *self.flags, "-fsyntax-only", test], 120, self.work) for test in tests):
            return True
        program = self.work / "program"
        if not passes([self.compiler, *self.flags, *tests, self.main, "-o", program], 300, self.work):
            return True
        return not passes([program], 120, self.work)


class Readers:
    """A file of tools/ that only one object of the program includes. The tests run the program."""

    TESTS = {
        "tools/query/profile_text.cpp": ["query/profile.cmake"],
        "tools/log.cpp": ["measure/texts.cmake", "measure/read.cmake"],
        "tools/sources.cpp": ["measure/gate.cmake", "measure/read.cmake", "measure/delta.cmake"],
    }

    def __init__(self, arguments, work):
        self.compiler, self.work = arguments.compiler, work
        if not arguments.program_objects:
            sys.exit("readers need --program-objects: the folder with the objects of the program")
        objects = pathlib.Path(arguments.program_objects).resolve()
        self.objects = [each for each in objects.rglob("*.o")]
        self.flags = ["-std=c++17", "-O0", "-w", "-DFMT_HEADER_ONLY=1", f"-I{work}/include",
                      f"-I{work}/cmake/measure"]
        for folder in ("include", "cmake", "tools", "tests", "docs", "examples"):
            shutil.copytree(ROOT / folder, work / folder)

    def files(self):
        return [ROOT / each for each in self.TESTS]

    def notices(self, file):
        name = str(file.relative_to(ROOT))
        new = self.work / "new.o"
        program = self.work / "warpguard"
        others = [each for each in self.objects if not str(each).endswith(name.removeprefix("tools/") + ".o")]
        if len(others) + 1 != len(self.objects):
            sys.exit(f"{len(self.objects) - len(others)} objects of {name}")
        if not passes([self.compiler, *self.flags, "-c", self.work / name, "-o", new], 120, self.work):
            return True
        if not passes([self.compiler, new, *others, "-o", program], 120, self.work):
            return True
        for test in self.TESTS[name]:
            command = ["cmake", f"-DPROGRAM={program}", f"-DROOT={self.work}", f"-DWORK={self.work}/run",
                       f"-DCXX={self.compiler}", f"-DINCLUDES={self.work}/include", "-DGIT=git",
                       "-P", self.work / "tests" / test]
            if not passes(command, 300, self.work):
                return True
        return False


def explained():
    """The changes of survivors.txt: a line each with the file, the old and the new line, and then the reason."""
    changes = {}
    file = old = new = None
    for line in SURVIVORS.read_text().splitlines():
        if line.startswith("== "):
            file = line[3:].strip()
        elif line.startswith("- "):
            old = line[2:].strip()
        elif line.startswith("+ "):
            new = line[2:].strip()
        elif line.startswith("  ") and file:
            changes[(file, old, new)] = line.strip()
    return changes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", choices=["model", "readers"], required=True)
    parser.add_argument("--files", nargs="*", default=[])
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--minutes", type=float, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--program-objects")
    arguments = parser.parse_args()
    known = explained()
    with tempfile.TemporaryDirectory(prefix="warpguard_mutation_") as folder:
        work = pathlib.Path(folder)
        tested = (Model if arguments.set == "model" else Readers)(arguments, work)
        changes = []
        for file in tested.files():
            if arguments.files and file.name not in arguments.files:
                continue
            if tested.notices(file):
                sys.exit(f"{file}: its tests fail without a change")
            changes += [(file, number, line) for number, line in mutants_of(file.read_text())]
        total = len(changes)
        random.Random(arguments.seed).shuffle(changes)
        if arguments.count:
            changes = changes[: arguments.count]
        begin = time.monotonic()
        noticed = tried = listed = 0
        wrong = []
        for file, number, line in changes:
            if arguments.minutes and time.monotonic() - begin > 60 * arguments.minutes:
                break
            lines = file.read_text().splitlines()
            old = lines[number]
            lines[number] = line
            copy = work / file.relative_to(ROOT)
            copy.write_text("\n".join(lines) + "\n")
            tried += 1
            key = (str(file.relative_to(ROOT)), old.strip(), line.strip())
            if tested.notices(file):
                noticed += 1
            elif key in known:
                listed += 1
            else:
                wrong.append(key)
                print(f"nothing notices:\n== {key[0]}\n- {key[1]}\n+ {key[2]}\n", flush=True)
            copy.write_text(file.read_text())
        print(f"{arguments.set}: {tried} of {total} changes tried, {noticed} noticed "
              f"({100 * noticed / max(tried, 1):.1f} %), {listed} listed in survivors.txt, {len(wrong)} not explained; "
              f"{time.monotonic() - begin:.0f} s")
        return 1 if wrong or tried == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
