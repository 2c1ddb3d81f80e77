# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""Wrong input is explained beside its field, the page goes on with what is right, and nothing of it becomes HTML."""

import json
import threading
import time

import harness

NUMBERS = ["block_x", "block_y", "block_z", "registers", "static_shared", "dynamic_shared", "barriers", "carve_out",
           "cluster", "grid", "minimum"]

# A value that is right in each field.
RIGHT = {"block_x": "64", "block_y": "2", "block_z": "2", "registers": "48", "static_shared": "1024",
         "dynamic_shared": "2048", "barriers": "2", "carve_out": "50", "cluster": "2", "grid": "1000", "minimum": "1"}

WRONG = {"letters": "abc", "negative": "-5", "10^12": "1000000000000", "a fraction": "1.5", "an exponent": "1e2",
         "two numbers": "32 32", "markup": "<b>32</b>", "digits of another script": "\u0663\u0662",
         "a long number": "9" * 400, "hexadecimal": "0x20"}

HOSTILE = "<img src=x onerror=\"window.hacked = 1\"><script>window.hacked = 1</script>"


class BadInput(harness.Case):
    def errors_after(self, steps):
        """Sets one field after the other: for each step the sentences that are then shown, by their fields."""
        return self.page.js("""
          const [steps, names] = arguments;
          return steps.map(([name, value]) => {
            const field = document.getElementById(name);
            field.value = value;
            field.dispatchEvent(new Event('input', {bubbles: true}));
            return Object.fromEntries(names.map(other => [other, document.getElementById(other + '_error')])
              .filter(([, at]) => at.checkVisibility() && at.textContent.trim())
              .map(([other, at]) => [other, at.textContent.trim()]));
          });""", steps, NUMBERS)

    def test_numbers(self):
        """Each wrong value in each field is explained there and only there; the right one takes the sentence away."""
        self.page.choose_gpus(["sm_90"])
        for name in NUMBERS:
            wrong = {**WRONG, "10^12": "1" + "0" * (16 if name == "grid" else 12)}  # a grid may have 10^12 blocks
            steps = [(name, value) for each in wrong.values() for value in (each, RIGHT[name])]
            shown = self.errors_after(steps)
            for what, bad, good in zip(wrong, shown[::2], shown[1::2]):
                self.assertEqual((list(bad), good), ([name], {}), (name, what))
                self.assertLess(len(bad[name]), 200)

    def test_limits(self):
        """The first and the last right number of each field are accepted, and their neighbours are not."""
        limits = {"block_x": (1, 1024), "block_y": (1, 1024), "block_z": (1, 64), "registers": (0, 255),
                  "static_shared": (0, 49152), "dynamic_shared": (0, 232448), "barriers": (0, 16),
                  "carve_out": (0, 100), "cluster": (1, 16), "grid": (1, 2**53 - 1), "minimum": (1, 32)}
        for name, (least, most) in limits.items():
            shown = self.errors_after([(name, str(value)) for value in (least, most, least - 1, most + 1, least)])
            self.assertEqual([name in each for each in shown], [False, False, True, True, False], name)

    def test_empty(self):
        """An empty field stands for what its help says, or is explained."""
        for name in NUMBERS:
            shown = self.errors_after([(name, ""), (name, RIGHT[name])])
            may_be_empty = name in ("carve_out", "grid", "minimum")
            self.assertEqual([list(each) for each in shown], [[] if may_be_empty else [name], []], name)

    def test_no_gpu(self):
        self.page.choose_gpus([])
        self.assertNotEqual(self.page.error("gpus"), "")
        self.page.choose_gpus(["sm_90"])
        self.assertEqual(self.page.error("gpus"), "")

    def test_by_keys(self):
        """The same when a person types."""
        self.page.set("registers", "abc")
        self.assertNotEqual(self.page.error("registers"), "")
        self.page.set("registers", "40")
        self.assertEqual(self.page.error("registers"), "")

    def test_many_at_once(self):
        """Two wrong fields have a sentence each, and the page works again once both are right."""
        before = self.page.outputs()
        old = {name: self.page.value(name) for name in ("block_x", "registers")}
        self.page.set("block_x", "abc")
        self.page.set("registers", "-1")
        self.assertNotEqual(self.page.error("block_x"), "")
        self.assertNotEqual(self.page.error("registers"), "")
        for name, value in old.items():
            self.page.set(name, value)
        self.assertEqual(self.page.outputs(), before)

    def test_wrong_input_shows_no_number(self):
        """While a field is wrong there is no number, because it would be that of another kernel."""
        before = self.page.outputs()
        self.page.set("registers", "abc")
        stale = [(gpu, name) for gpu, outputs in self.page.outputs().items() for name, text in outputs.items()
                 if name in ("occupancy_percent", "blocks_per_sm", "warps_per_sm") and text == before[gpu][name]]
        self.assertEqual(stale, [])

    def test_more_than_a_gpu_has(self):
        """What is a number but more than a GPU can run is explained where the results are."""
        self.page.set("block_x", "1024")
        self.page.set("registers", "255")
        texts = " ".join(text for outputs in self.page.outputs().values() for text in outputs.values())
        self.assertIn("registers", texts)

    # ---- pasted texts -----------------------------------------------------------------------------------------

    def assert_nothing_interpreted(self):
        self.assertFalse(self.page.js("return 'hacked' in window"))
        self.assertEqual(self.page.js("return document.querySelectorAll('img, iframe, object, embed').length"), 0)
        self.assertEqual(self.page.js("""return [...document.querySelectorAll('*')].filter(at =>
            [...at.attributes].some(each => each.name.startsWith('on'))).length"""), 0)

    def test_not_of_ptxas(self):
        for what, text in {"prose": "It was a dark and stormy night.\nThe rain fell in torrents.\n",
                           "a file of C++": "int main() { return 0; }\n", "JSON of others": '{"a": [1, 2, {"b": 3}]}',
                           "half of JSON": '{"kernels": [', "JSON without sense": '{"kernels": "x", "version": null}',
                           "a number": "17", "null": "null", "controls": "\x01\x02\x7f\ufffd" * 50,
                           "a header only": "warpguard-lock 2\n"}.items():
            with self.subTest(what):
                self.page.set("paste", text)
                self.assertNotEqual(self.page.error("paste"), "")
                self.assertEqual(self.page.kernels(), [])
        self.page.set("paste", "")
        self.assertEqual(self.page.error("paste"), "")

    def test_five_megabytes(self):
        """5 MB are read, or refused with a reason, within seconds."""
        line = "ptxas info    : 0 bytes gmem, and this is a line of a log that goes on and on\n"
        for what, text in {"lines": line * (5 * 2**20 // len(line)), "one line": "x" * (5 * 2**20)}.items():
            with self.subTest(what):
                begin = time.monotonic()
                self.page.js("""const at = document.getElementById('paste');
                  at.value = arguments[0]; at.dispatchEvent(new Event('input', {bubbles: true}));""", text)
                self.page.settle()
                self.assertLess(time.monotonic() - begin, 20)
                self.assertNotEqual(self.page.error("paste"), "")
                self.page.set("registers", "40")  # the page still answers
                self.assertEqual(self.page.error("registers"), "")

    def test_markup_in_names(self):
        """A kernel may be called anything: the name is shown as it is, and never interpreted."""
        text = ("ptxas info    : Compiling entry function '" + HOSTILE + "' for 'sm_90'\n"
                "ptxas info    : Function properties for " + HOSTILE + "\n"
                "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                "ptxas info    : Used 12 registers, used 1 barriers, 256 bytes smem\n")
        lock = ("warpguard-lock 2\npolicy significant\n" + HOSTILE + " sm_90: registers=30 static=64 spills=0/0 "
                "stack=0 barriers=1 dynamic=0 threads=256 blocks=8\n")
        for what, pasted in {"a log": text, "a lock": lock, "JSON": self.json_with(HOSTILE)}.items():
            with self.subTest(what):
                self.page.set("paste", pasted)
                self.page.settle()
                self.assertIn(HOSTILE, " ".join(self.page.kernels()))
                self.assert_nothing_interpreted()

    def json_with(self, name):
        return json.dumps({"version": 1, "not_understood_lines": 0, "kernels": [
            {"kernel": name, "name": name, "symbol": name, "compute_capability": 90, "registers": 12,
             "static_shared_memory": 256, "spill_stores": 0, "spill_loads": 0, "stack": 0, "barriers": 1,
             "bounds_ignored": False, "place": name}]})

    # ---- browsers that cannot run the page -----------------------------------------------------------------------

    def test_without_webassembly(self):
        """A browser without WebAssembly gets a sentence instead of a page that does nothing."""
        script = self.browser.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument",
                                              {"source": "delete window.WebAssembly"})
        self.page.open(wait=False)
        self.page.wait_until("return document.getElementById('status').innerText.includes('WebAssembly')",
                             "nothing says so", seconds=5)
        self.browser.execute_cdp_cmd("Page.removeScriptToEvaluateOnNewDocument", script)

    def test_without_script(self):
        self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
        self.page.open(wait=False)
        tree = self.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
        self.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
        said = " ".join(node["name"]["value"] for node in tree if not node.get("ignored") and "name" in node)
        self.assertIn("JavaScript is off", said)

    def test_without_module(self):
        """The module cannot be loaded, or is none: the page says so."""
        self.browser.execute_cdp_cmd("Network.enable", {})
        self.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": ["*.wasm"]})
        self.page.open(wait=False)
        self.page.wait_until("return document.getElementById('status').innerText.trim() !== ''", "nothing says so",
                             seconds=5)
        self.browser.execute_cdp_cmd("Network.setBlockedURLs", {"urls": []})
        self.allowed = ["ERR_BLOCKED_BY_CLIENT"]

    def test_slow_module(self):
        """The form is there before the module is."""
        class SlowHandler(harness.Handler):
            def do_GET(self):
                if self.path.endswith(".wasm"):
                    loads.wait(20)
                super().do_GET()

        loads = threading.Event()
        server = harness.Server(harness.options.page, SlowHandler)
        page = harness.Page(self.browser, server.address)
        self.assertEqual(self.page.complaints(), [])
        page.open(wait=False)
        self.assertTrue(page.element("registers").is_displayed())
        self.assertNotEqual(page.js("return document.documentElement.dataset.ready"), "true")
        page.wait_until("return performance.getEntriesByName('first-contentful-paint').length > 0",
                        "nothing is painted")
        loads.set()
        page.wait_until("return document.documentElement.dataset.ready === 'true'", "the page is not ready")
        self.assertEqual(page.complaints(), [])
        server.stop()


if __name__ == "__main__":
    harness.parse_arguments()
    harness.main()
