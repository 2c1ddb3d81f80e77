# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""What the page hands out: contracts that compile, commands that give the same numbers, CSV and SVG that parse.

`HandOuts` needs a host compiler and the program; `Nvcc` compiles the text as it is handed out.
"""

import csv
import json
import os
import re
import shlex
import time
import xml.etree.ElementTree as xml

import harness

# Fields and GPUs. Each kernel runs on its GPUs.
STATES = [
    ({}, ["sm_75", "sm_86", "sm_90", "sm_120"]),
    ({"block_x": "32", "block_y": "4", "block_z": "2", "registers": "64"}, ["sm_90"]),
    ({"block_x": "1024", "registers": "32"}, ["sm_75", "sm_89"]),
    ({"registers": "0", "dynamic_shared": "0"}, ["sm_80"]),
    ({"static_shared": "12000", "dynamic_shared": "30000", "barriers": "4"}, ["sm_100", "B200"]),
    ({"cluster": "4", "registers": "128"}, ["sm_90", "H100 SXM"]),
    ({"dynamic_shared": "232448", "registers": "255"}, ["H100 PCIe"]),
    ({"minimum": "2"}, ["sm_86", "sm_121"]),
    ({"block_x": "7", "block_y": "9", "registers": "17", "barriers": "0"}, ["sm_70", "sm_61"]),
    ({"block_x": "192", "registers": "40", "dynamic_shared": "1k", "grid": "5000"}, ["A100 SXM 40GB", "RTX 4090"]),
    ({"block_x": "512", "registers": "20", "dynamic_shared": "4000", "carve_out": "30"}, ["sm_90", "sm_75"]),
]
FIRST = {"block_x": "256", "block_y": "1", "block_z": "1", "registers": "40", "static_shared": "0",
         "dynamic_shared": "16k", "barriers": "1", "carve_out": "", "cluster": "1", "grid": "", "minimum": ""}


class HandOuts(harness.Case):
    def states(self):
        for fields, gpus in STATES:
            self.page.fill({**FIRST, **fields}, gpus)
            yield fields, gpus

    def contracts(self):
        """The contract of each state, in a namespace of its own."""
        texts = []
        for fields, gpus in self.states():
            text = self.page.text("contract_text")
            self.assertIn("#include <warpguard/launch.cuh>", text, (fields, gpus))
            # Only nvcc knows kernels.
            text, kernels = re.subn(r"__global__ void WARPGUARD_LAUNCH_BOUNDS\(my_contract\) .*", "", text)
            self.assertEqual(kernels, 1)
            texts.append(text.replace("#include <warpguard/launch.cuh>", ""))
        return [f"namespace state_{index} {{\n{text}\n}}\n" for index, text in enumerate(texts)]

    def compile(self, name, parts):
        """What the host compiler says."""
        path = os.path.join(harness.options.work, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write("#include <warpguard/contract.hpp>\n" + "".join(parts))
        include = os.path.join(harness.options.root, "include")
        return harness.run_program(harness.options.cxx, "-std=c++17", "-fsyntax-only", "-Wall", "-Wextra",
                                   "-DWARPGUARD_TARGETS=750", "-I" + include, path)

    def test_contracts(self):
        parts = self.contracts()
        done = self.compile("contracts.cpp", parts)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        # With one block more than the page says, each is refused, so each contract is checked.
        more = [re.sub(r"min_blocks_per_sm<(\d+)>", lambda found: f"min_blocks_per_sm<{int(found[1]) + 1}>", part)
                for part in parts]
        promises_less = [index for index, (fields, _) in enumerate(STATES)
                         if "minimum" in fields or "carve_out" in fields]
        done = self.compile("refused.cpp", more)
        for index in range(len(STATES)):
            if index not in promises_less:
                self.assertIn(f"state_{index}::my_contract", done.stderr)
        self.assertIn("the contract's minimum residency is out of reach", done.stderr)

    def test_no_contract(self):
        """A contract that the build would refuse is not handed out; the page says why."""
        for fields, gpus, why in (({"minimum": "32"}, ["sm_90"], "fewer blocks"),
                                  ({"cluster": "16"}, ["sm_75"], "cluster"),
                                  ({"block_x": "1024", "registers": "255"}, ["sm_90"], "block")):
            self.page.fill({**FIRST, **fields}, gpus)
            self.assertEqual(self.page.text("contract_text"), "")
            self.assertIn(why, self.page.text("contract_note"))
            self.assertIn(gpus[0], self.page.text("contract_note"))

    def test_commands(self):
        """The program, called with the command, gives the numbers that the page shows."""
        for fields, gpus in self.states():
            words = shlex.split(self.page.text("query_command"))
            self.assertEqual(words[:2], ["warpguard", "query"])
            done = harness.run_program(harness.options.program, *words[1:], "--json")
            self.assertEqual((done.returncode, done.stderr), (0, ""), words)
            # The program writes "H100 SXM (sm_90)" beside other GPUs.
            answers = {each["gpu"].split(" (")[0]: each for each in json.loads(done.stdout)["answers"]}
            shown = self.page.outputs()
            self.assertEqual(set(answers), set(shown))
            for gpu, answer in answers.items():
                self.assertEqual(shown[gpu]["blocks_per_sm"], str(answer["blocks_per_sm"]))
                self.assertEqual(shown[gpu]["warps_per_sm"],
                                 f"{answer['warps_per_sm']} of {answer['max_warps_per_sm']}")
                self.assertEqual(shown[gpu]["limited_by"].replace(" and ", "+").replace(" ", "_"),
                                 answer["limited_by"])
                for name in ("warps", "registers", "shared_memory", "block_slots", "barriers"):
                    blocks = answer["blocks_by_" + name]
                    self.assertEqual(shown[gpu]["limit_" + name].split(" ")[0],
                                     "any" if blocks is None else str(blocks))

    def test_command_with_grid(self):
        """On products the command has the grid, and the program says the same about its waves."""
        self.page.fill({**FIRST, "grid": "800"}, ["H100 SXM"])
        words = shlex.split(self.page.text("query_command"))
        self.assertEqual(words[words.index("--grid") + 1], "800")
        done = harness.run_program(harness.options.program, *words[1:])
        self.assertIn("1 full wave, of 792 blocks each, and a last one of 8 blocks", done.stdout)
        self.assertIn("1 full wave of 792 blocks and a last one of 8", self.page.outputs()["H100 SXM"]["waves"])

    def download(self, button):
        folder = os.path.join(harness.options.work, button)
        os.makedirs(folder, exist_ok=True)
        for name in os.listdir(folder):
            os.remove(os.path.join(folder, name))
        self.browser.execute_cdp_cmd("Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": folder})
        self.page.js("document.getElementById(arguments[0]).click()", button)
        end = time.monotonic() + 10
        while True:
            names = [name for name in os.listdir(folder) if not name.endswith(".crdownload")]
            if names:
                return os.path.join(folder, names[0])
            self.assertLess(time.monotonic(), end, "nothing was downloaded")
            time.sleep(0.02)

    def test_csv(self):
        self.page.fill({**FIRST, "grid": "800"}, ["sm_75", "H100 SXM"])
        path = self.download("download_csv")
        self.assertTrue(path.endswith(".csv"))
        with open(path, encoding="utf-8", newline="") as file:
            rows = {row["gpu"]: row for row in csv.DictReader(file, strict=True)}
        self.assertEqual(set(rows), {"sm_75", "H100 SXM"})
        for gpu, row in rows.items():
            self.assertNotIn(None, row)
            answer = self.page.js("""return window.warpguard.answer(arguments[0], {block_x: 256, block_y: 1, block_z: 1,
                registers: 40, static_shared: 0, dynamic_shared: 16384, barriers: 1, cluster: 1, grid: 800});""", gpu)
            self.assertEqual(row["registers"], "40")
            for name in ("blocks_per_sm", "warps_per_sm", "occupancy_percent", "unused_registers", "max_cluster"):
                self.assertEqual(row[name], str(answer[name]))
            for limit in answer["limits"]:
                name = "limits_" + limit["name"].replace(" ", "_")
                self.assertEqual(row[name + "_blocks"], "" if limit["blocks"] is None else str(limit["blocks"]))
        self.assertEqual(rows["H100 SXM"]["waves_slots"], "792")
        self.assertEqual(rows["sm_75"]["waves_slots"], "")

    def test_svg(self):
        self.page.fill(FIRST, ["sm_75", "sm_90"])
        drawn = self.page.js("return [...document.querySelectorAll('#curves path')].map(at => at.getAttribute('d'))")
        path = self.download("download_svg")
        self.assertTrue(path.endswith(".svg"))
        root = xml.parse(path).getroot()
        space = "{http://www.w3.org/2000/svg}"
        self.assertEqual(root.tag, space + "svg")
        paths = [each.get("d") for each in root.iter(space + "path")]
        self.assertEqual([each for each in drawn if each not in paths], [])
        self.assertEqual(len(drawn), 6)
        texts = " ".join(each.text or "" for each in root.iter(space + "text"))
        for word in ("sm_75", "sm_90", "Threads per block", "Registers per thread", "Shared memory per block"):
            self.assertIn(word, texts)
        self.assertEqual(list(root.iter(space + "script")), [])


class Nvcc(harness.Case):
    def test_text(self):
        """The text as it is, compiled for the GPUs that it names: ptxas keeps the launch bounds."""
        self.page.fill(*STATES[0])
        path = os.path.join(harness.options.work, "contract.cu")
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.page.text("contract_text") + "\n")
        known = harness.run_program(harness.options.nvcc, "--list-gpu-code").stdout.split()
        codes = [f"-gencode=arch=compute_{gpu[3:]},code={gpu}" for gpu in STATES[0][1] if gpu in known]
        self.assertGreater(len(codes), 1)
        done = harness.run_program(harness.options.nvcc, "-std=c++17", "-Werror", "all-warnings", "-Xptxas", "-Werror",
                                   *codes, "-I", os.path.join(harness.options.root, "include"), "-c", path, "-o",
                                   os.path.join(harness.options.work, "contract.o"))
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    harness.parse_arguments()
    if not harness.options.nvcc and "Nvcc" in harness.options.cases:
        harness.skip("no nvcc")
    harness.main()
