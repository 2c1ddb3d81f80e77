# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""The page reads what the program reads, with the same numbers: the output of ptxas, locks, and the program's JSON."""

import glob
import json
import os

import harness

CORPORA = ["tests/measure/texts/*.txt", "tests/fuzz/corpus/log/*", "tests/fuzz/corpus/object_text/*"]


def files(pattern):
    return sorted(os.path.relpath(path, harness.options.root)
                  for path in glob.glob(os.path.join(harness.options.root, pattern), recursive=True))


def program(*arguments):
    done = harness.run_program(harness.options.program, *arguments, cwd=harness.options.root)
    return json.loads(done.stdout) if done.returncode == 0 else None


class Pasted(harness.Case):
    def read(self, text):
        """What the page reads: the numbers that each kernel fills the form with, or the sentence that there is none."""
        return self.page.js("""
          const [text] = arguments;
          const at = id => document.getElementById(id);
          const send = (id, kind) => at(id).dispatchEvent(new Event(kind, {bubbles: true}));
          at('paste').value = text;
          send('paste', 'input');
          const names = ['registers', 'static_shared', 'dynamic_shared', 'barriers', 'block_x', 'block_y', 'block_z'];
          const kernels = [...at('kernel').options].filter(option => option.value !== '').map(option => {
            for (const name of names) at(name).value = '1';
            for (const box of document.querySelectorAll('#gpus input:checked')) box.checked = false;
            at('kernel').value = option.value;
            send('kernel', 'change');
            return {text: option.textContent, note: at('kernel_note').textContent,
                    ...Object.fromEntries(names.map(name => [name, Number(at(name).value)]))};
          });
          return {kernels, error: at('paste_error').textContent, read: at('paste_read').textContent};""", text)

    def numbers(self, kernels, names):
        """Of each kernel its architecture and numbers, in an order that depends on nothing else."""
        found = []
        for kernel in kernels:
            capability = kernel["text"].split(" on sm_")[-1].split(":")[0]
            found.append((int(capability), *(kernel[name] for name in names)))
        return sorted(found)

    def test_logs(self):
        """Each kept log: the same kernels and numbers as `warpguard read`."""
        read = 0
        for pattern in CORPORA:
            for path in files(pattern):
                text = harness.text_of(path)
                page = self.read(text)
                of_program = program("read", "--json", "--largest", path)
                if of_program is None:
                    continue
                read += 1
                wanted = sorted((each["compute_capability"], each["registers"], each["static_shared_memory"],
                                 each["barriers"] or 0) for each in of_program["kernels"])
                with self.subTest(path):
                    self.assertEqual(self.numbers(page["kernels"], ["registers", "static_shared", "barriers"]), wanted)
        self.assertGreater(read, 8)

    def test_names(self):
        """The names of functions are those of the program without their arguments; others are the symbols."""
        path = "tests/measure/texts/cuda_13_0.sm_90.txt"
        wanted = {each["name"].split("(")[0] for each in program("read", "--json", path)["kernels"]}
        found = {each["text"].split(" on sm_")[0] for each in self.read(harness.text_of(path))["kernels"]}
        self.assertEqual(found, wanted)
        self.assertIn("app::sum", found)

    def test_cut(self):
        """A log that is cut at any line gives no kernel without its numbers, and says that lines are missing."""
        lines = harness.text_of("tests/measure/texts/cuda_13_0.sm_90.txt").split("\n")
        whole = self.numbers(self.read("\n".join(lines))["kernels"], ["registers", "static_shared"])
        for count in range(1, len(lines)):
            read = self.read("\n".join(lines[:count]))
            part = self.numbers(read["kernels"], ["registers", "static_shared"])
            self.assertEqual([each for each in part if each not in whole], [], count)
            if lines[count - 1].startswith("ptxas info    : Compiling entry"):
                self.assertIn("cut", read["error"] + read["read"], count)

    def test_locks(self):
        """Each lock of the examples: the same numbers as `warpguard query --from`."""
        paths = files("examples/**/*.lock")
        self.assertGreater(len(paths), 10)
        for path in paths:
            answers = program("query", "--json", "--from", path)["answers"]
            known = {}
            for each in answers:  # a kernel whose block is not stated has an answer for each size
                name = each["kernel"], each["compute_capability"]
                known.setdefault(name, []).append(each)
            wanted = sorted((each[0]["compute_capability"], each[0]["registers_per_thread"],
                             each[0]["static_shared_memory"], each[0]["dynamic_shared_memory"], each[0]["barriers"],
                             each[0]["threads_per_block"] if len(each) == 1 else 1) for each in known.values())
            page = self.read(harness.text_of(path))
            with self.subTest(path):
                self.assertEqual(self.numbers(page["kernels"], ["registers", "static_shared", "dynamic_shared",
                                                                "barriers", "block_x"]), wanted)

    def test_json(self):
        """What `warpguard read --json` prints, and the JSON of a check."""
        path = "tests/measure/texts/cuda_13_0.sm_80.txt"
        done = harness.run_program(harness.options.program, "read", "--json", path, cwd=harness.options.root)
        names = ["registers", "static_shared", "barriers"]
        page = self.read(done.stdout)
        self.assertEqual(self.numbers(page["kernels"], names),
                         self.numbers(self.read(harness.text_of(path))["kernels"], names))

    def test_report(self):
        """The JSON report that `warpguard check` writes."""
        work = harness.options.work
        text = harness.text_of("tests/measure/texts/cuda_13_0.sm_90.txt")
        files_of = {
            "app.o": "",
            "app.o.ptxas": "warpguard-ptxas-text 2\nobject 0 cbf29ce484222325\nargument nvcc\nargument -c\n"
                           f"argument app.cu\ntext\n{text}end\n",
            "request.txt": "warpguard-request 1\ntarget app\nname app\ncompiler nvcc 13.0.88\n"
                           f"header {work}/app.measured.hpp\nreports {work}\nroot {work}\ntoday 2027-01-15\n"
                           f"object {work}/app.o\n"}
        for name, content in files_of.items():
            with open(os.path.join(work, name), "w", encoding="utf-8", newline="") as file:
                file.write(content)
        done = harness.run_program(harness.options.program, "check", os.path.join(work, "request.txt"))
        self.assertEqual(done.returncode, 0, done.stderr)
        with open(os.path.join(work, "app.json"), encoding="utf-8") as file:
            report = file.read()
        names = ["registers", "static_shared", "barriers"]
        self.assertEqual(self.numbers(self.read(report)["kernels"], names),
                         self.numbers(self.read(text)["kernels"], names))

    def test_chosen(self):
        """A chosen kernel fills the form as a person would see it: its GPU is chosen, and the results follow."""
        self.page.choose_gpus(["sm_75"])
        self.page.set("paste", harness.text_of("tests/measure/texts/cuda_13_0.sm_90.txt"))
        index = next(index for index, text in enumerate(self.page.kernels(), 1) if text.startswith("spilling"))
        self.page.js("""const at = document.getElementById('kernel'); at.selectedIndex = arguments[0];
                        at.dispatchEvent(new Event('change', {bubbles: true}));""", index)
        self.page.settle()
        self.assertEqual(self.page.value("registers"), "32")
        self.assertEqual(self.page.value("static_shared"), "0")
        self.assertEqual(set(self.page.outputs()), {"sm_75", "sm_90"})
        self.assertIn("max_registers<32>", self.page.text("contract_text"))
        self.assertIn("sm_90", self.page.text("kernel_note"))

    def test_file(self):
        """A file is read as a pasted text is."""
        self.page.element("paste_file").send_keys(os.path.join(harness.options.root,
                                                               "tests/measure/texts/cuda_13_0.sm_90.txt"))
        self.page.wait_until("return document.getElementById('kernel').options.length > 1", "no kernel was read")
        self.assertEqual(len(self.page.kernels()), 4)

    def test_lines(self):
        """Lines may end as on Windows, and other lines may stand between those of ptxas."""
        text = harness.text_of("tests/measure/texts/cuda_13_0.sm_90.txt")
        names = ["registers", "static_shared", "barriers"]
        wanted = self.numbers(self.read(text)["kernels"], names)
        for other in (text.replace("\n", "\r\n"), "make: entering\n" + text.replace("\n", "\nnote: other words\n"),
                      text + "\n\n"):
            self.assertEqual(self.numbers(self.read(other)["kernels"], names), wanted)


if __name__ == "__main__":
    harness.parse_arguments()
    harness.main()
