# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""10,000 random questions have the same answers in the page as in C++, and a hundred of them as the page shows them."""

import json

import harness

QUESTIONS = 10000
SHOWN = 100
SEED = 20260707

UNLIMITED = 2147483647
IMPOSSIBLE = -1

OBSTACLES = ["", "this architecture cannot be computed", "a block has too many threads, or none",
             "a thread has too many registers", "there is no such carve-out", "an amount is negative",
             "a block needs too many registers", "a block needs too much shared memory",
             "a block needs too many barriers", "a block needs too many virtual resources"]
SUPPORT = ["portable", "needs the opt-in to non-portable sizes", "not known: the largest size is not published",
           "refused"]
# What limits: its name in the page, its bit, and the numbers of the model.
LIMITS = [("warps", 1, "blocks_by_warps", "warps_per_block", "max_warps_per_sm"),
          ("registers", 2, "blocks_by_registers", "registers_per_block", "registers_per_sm"),
          ("shared memory", 4, "blocks_by_shared_memory", "shared_memory_per_block", "shared_memory_budget"),
          ("block slots", 8, "blocks_by_block_slots", None, "max_blocks_per_sm"),
          ("barriers", 16, "blocks_by_barriers", None, "block_barriers_per_sm")]
STEPS = [("registers", "registers_per_thread"), ("bytes", "shared_memory"), ("barriers", "barriers"),
         ("threads", "threads_per_block")]


def hundredths(part, whole):
    """A percentage with two decimals, rounded half up."""
    return (20000 * part + whole) // (2 * whole) / 100 if whole > 0 else 0


def step(of_model, now, max_warps):
    if of_model is None:
        return None
    return {"amount": of_model["amount"], "by": of_model["amount"] - now, "blocks_per_sm": of_model["blocks_per_sm"],
            "occupancy_percent": hundredths(of_model["warps_per_sm"], max_warps)}


def expected(question):
    """The page's answer, as it follows from that of C++."""
    inputs, of = question["inputs"], question["answer"]
    threads = inputs["block_x"] * inputs["block_y"] * inputs["block_z"]
    now = {"registers": inputs["registers"], "bytes": inputs["static_shared"] + inputs["dynamic_shared"],
           "barriers": inputs["barriers"], "threads": threads}
    warps = of["max_warps_per_sm"]
    answer = {name: of[name] for name in ("blocks_per_sm", "warps_per_sm", "threads_per_sm", "max_warps_per_sm",
                                          "unused_warps", "unused_registers", "unused_shared_memory")}
    answer["occupancy_percent"] = hundredths(of["warps_per_sm"], warps)
    answer["obstructed_by"] = OBSTACLES[of["obstructed_by"]]
    answer["limits"] = []
    for name, bit, blocks, per_block, per_sm in LIMITS:
        answer["limits"].append({
            "name": name, "blocks": None if of[blocks] == UNLIMITED else of[blocks],
            "per_block": of[per_block] if per_block else inputs["barriers"] if name == "barriers" else 1,
            "per_sm": of[per_sm], "limits": of["blocks_per_sm"] > 0 and of["limited_by"] & bit != 0})
    answer["next_steps"] = [
        {"unit": unit, "now": now[unit], "headroom": of[name]["headroom"],
         "more_blocks": step(of[name]["more_blocks"], now[unit], warps),
         "fewer_blocks": step(of[name]["fewer_blocks"], now[unit], warps)}
        for unit, name in STEPS if unit != "registers" or now["registers"] > 0]
    for name in ("more_warps_in_smaller_blocks", "more_warps_in_larger_blocks"):
        answer[name] = step(of[name], threads, warps)
    answer["max_cluster"] = of["max_cluster"]
    answer["max_cluster_nonportable"] = None if of["max_cluster_nonportable"] == IMPOSSIBLE \
        else of["max_cluster_nonportable"]
    answer["cluster"] = SUPPORT[of["cluster_support"]]
    if "max_active_clusters" in of:
        most = of["max_active_clusters"]
        answer["max_active_clusters"] = None if most == IMPOSSIBLE else most
    waves = of.get("waves", {"slots": 0})
    if waves["slots"] > 0:
        answer["waves"] = {
            "sms": of["sms"], "slots": waves["slots"],
            "waves": waves["full_waves"] + (waves["tail_blocks"] > 0), "full_waves": waves["full_waves"],
            "tail_blocks": waves["tail_blocks"],
            "percent": hundredths(inputs["grid"], inputs["grid"] + waves["idle_slots"])}
    return answer


class SameNumbers(harness.Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        done = harness.run_program(harness.options.answers, QUESTIONS, SEED)
        assert done.returncode == 0, done.stderr
        cls.questions = json.loads(done.stdout)
        asked = [[each["gpu"], each["inputs"]] for each in cls.questions]
        cls.page.open()
        cls.answers = cls.browser.execute_async_script("""
          const [asked, done] = arguments;
          done(asked.map(([gpu, inputs]) => window.warpguard.answer(gpu, inputs)));""", asked)

    def test_questions(self):
        """The questions are about everything: each GPU, kernels that run and that do not, each limiter alone."""
        gpus = {each["gpu"] for each in self.questions}
        known = self.page.js("return [...document.querySelectorAll('#gpus input[type=checkbox]')].map(at => at.value)")
        self.assertEqual(gpus, set(known))
        of = [each["answer"] for each in self.questions]
        running = [each for each in of if each["blocks_per_sm"] > 0]
        self.assertGreater(len(running), QUESTIONS // 2)
        self.assertGreater(len(of) - len(running), QUESTIONS // 10)
        for bit in (1, 2, 4, 8, 16):
            self.assertGreater(sum(each["limited_by"] == bit for each in running), 5, bit)
        self.assertEqual({each["cluster_support"] for each in of}, {0, 1, 2, 3})
        self.assertEqual({each["obstructed_by"] for each in of}, {0, 2, 3, 6, 7})
        self.assertGreater(sum("waves" in each for each in of), 500)

    def test_answers(self):
        wrong = []
        for question, answer in zip(self.questions, self.answers):
            wanted = expected(question)
            if answer != wanted:
                wrong.append((question["gpu"], question["inputs"],
                              {name: [answer.get(name), wanted.get(name)] for name in {**answer, **wanted}
                               if answer.get(name) != wanted.get(name)}))
        self.assertEqual(len(self.answers), QUESTIONS)
        self.assertEqual(wrong[:3], [], f"{len(wrong)} of {QUESTIONS} answers differ: page, C++")

    def test_contracts(self):
        """The page offers a contract exactly where the library accepts it."""
        asked = [[each["gpu"], each["inputs"]] for each in self.questions]
        refused = self.browser.execute_async_script("""
          const [asked, done] = arguments;
          import('./model.js').then(({load_model}) => load_model('warpguard.wasm')).then(model =>
            done(asked.map(([gpu, inputs]) => model.why_refused(gpu, inputs, inputs.minimum) !== '')));""", asked)
        of_cxx = [each["answer"]["refused"] for each in self.questions]
        self.assertIn(True, of_cxx)
        self.assertIn(False, of_cxx)
        wrong = [question for question, one, other in zip(self.questions, refused, of_cxx) if one != other]
        self.assertEqual([(each["gpu"], each["inputs"], each["answer"]["refused"]) for each in wrong[:3]], [])

    def test_curves(self):
        """At any amount, and at both ends, the curves are at the number of blocks that the model gives."""
        asked = [[each["gpu"], each["inputs"], each["answer"]["curves"]] for each in self.questions[::8]]
        wrong = self.browser.execute_async_script("""
          const [asked, done] = arguments;
          import('./model.js').then(({load_model}) => load_model('warpguard.wasm')).then(model => {
            const wrong = [];
            let points = 0;
            for (const [gpu, inputs, wanted] of asked) {
              for (const curve of model.curves(gpu, inputs)) {
                for (const [amount, blocks, warps] of wanted[curve.of]) {
                  const run = curve.runs.find(([first, last]) => first <= amount && amount <= last);
                  ++points;
                  if (run?.[2] !== blocks || run?.[3] !== warps)
                    wrong.push([gpu, inputs, curve.of, amount, run ?? null, blocks, warps]);
                }
              }
            }
            done([points, wrong.length, wrong.slice(0, 3)]);
          });""", asked)
        self.assertEqual(wrong, [QUESTIONS // 8 * 12, 0, []])

    def test_shown(self):
        """The page shows the numbers that it computes: the fields filled, and the table read."""
        sample = self.questions[::QUESTIONS // SHOWN]
        shown = self.browser.execute_async_script("""
          const [sample, done] = arguments;
          const result = [];
          for (const {gpu, inputs} of sample) {
            for (const box of document.querySelectorAll('#gpus input[type=checkbox]'))
              if (box.checked !== (box.value === gpu)) box.click();
            for (const [name, value] of Object.entries(inputs)) {
              const stands_for_empty = (name === 'carve_out' && value === -1) || (name === 'grid' && value === 0);
              document.getElementById(name).value = stands_for_empty ? '' : String(value);
            }
            document.getElementById('registers').dispatchEvent(new Event('input', {bubbles: true}));
            const cells = {};
            for (const cell of document.querySelectorAll('[data-output]')) {
              if (cell.dataset.gpu !== gpu) cells.other = cell.dataset.gpu;
              cells[cell.dataset.output] = cell.innerText.trim().replace(/\\s+/g, ' ');
            }
            result.push(cells);
          }
          done(result);""", [{"gpu": each["gpu"], "inputs": each["inputs"]} for each in sample])
        for question, cells in zip(sample, shown):
            asked = question["gpu"], question["inputs"]
            self.assertEqual({name: cells.get(name) for name in self.cells(question)}, self.cells(question), asked)
            self.assertNotIn("other", cells)

    @staticmethod
    def cells(question):
        """What the table shows, in words."""
        answer = expected(question)
        runs = answer["blocks_per_sm"] > 0
        cells = {"occupancy_percent": f"{answer['occupancy_percent']:g} %",
                 "blocks_per_sm": str(answer["blocks_per_sm"]),
                 "warps_per_sm": f"{answer['warps_per_sm']} of {answer['max_warps_per_sm']}"}
        names = [limit["name"] for limit in answer["limits"] if limit["limits"]]
        cells["limited_by"] = " and ".join(names) if runs else "cannot run: " + answer["obstructed_by"]
        for limit in answer["limits"]:
            blocks = "any" if limit["blocks"] is None else str(limit["blocks"])
            if runs:
                cells["limit_" + limit["name"].replace(" ", "_")] = blocks + (" ◂ limits" if limit["limits"] else "")
        for each in answer["next_steps"]:
            cells["headroom_" + each["unit"]] = str(each["headroom"])
        for name in ("more_blocks", "fewer_blocks"):
            steps = [(each[name], each["unit"]) for each in answer["next_steps"] if each[name] is not None]
            cells[name] = SameNumbers.words(steps)
        sizes = [(answer[name], "threads") for name in ("more_warps_in_smaller_blocks", "more_warps_in_larger_blocks")
                 if answer[name] is not None]
        cells["more_warps"] = SameNumbers.words(sizes)
        cells["cluster"] = answer["cluster"]
        return cells

    @staticmethod
    def words(steps):
        return " ".join(
            f"{step['amount']} {unit} ({abs(step['by'])} {'fewer' if step['by'] < 0 else 'more'}): "
            f"{step['blocks_per_sm']} block{'' if step['blocks_per_sm'] == 1 else 's'}, "
            f"{step['occupancy_percent']:g} %" for step, unit in steps) or "–"

    def test_invalid(self):
        """A number that a field would refuse is refused here too, and the message names the field."""
        right = {"block_x": 128, "block_y": 1, "block_z": 1, "registers": 40, "static_shared": 0, "dynamic_shared": 0,
                 "barriers": 1, "carve_out": -1, "cluster": 1, "grid": 0, "minimum": 0}
        wrong = [(name, value) for name in right for value in (-2, 10**12 if name != "grid" else 2**53, 1.5, None, "x")]
        wrong += [("block_x", 0), ("block_z", 0), ("cluster", 0), ("carve_out", 101), ("registers", 2**32 + 40)]
        said = self.page.js("""
          const [right, wrong] = arguments;
          return wrong.map(([name, value]) => {
            try {
              return 'accepted: ' + JSON.stringify(window.warpguard.answer('sm_90', {...right, [name]: value}));
            } catch (error) {
              return error.message;
            }
          });""", right, wrong)
        accepted = [(name, value) for (name, value), message in zip(wrong, said)
                    if not (value is None and name in ("carve_out", "grid", "minimum"))  # these may be empty
                    and (name not in message or message.startswith("accepted"))]
        self.assertEqual(accepted, [])
        unknown = self.page.js("""try { return window.warpguard.answer('sm_999', arguments[0]); }
                                  catch (error) { return error.message; }""", right)
        self.assertIn("sm_999", unknown)


if __name__ == "__main__":
    harness.parse_arguments()
    harness.main()
