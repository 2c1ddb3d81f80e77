# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""Each input changes each output that it should, and no other."""

import harness

GPUS = ["sm_75", "H100 SXM"]
BASE = {"block_x": "256", "block_y": "1", "block_z": "1", "registers": "40", "static_shared": "0",
        "dynamic_shared": "16384", "barriers": "1", "carve_out": "", "cluster": "1", "grid": "800", "minimum": ""}

# What follows from the blocks of an H100 SXM, of which 6 are resident at first, limited by registers.
BLOCKS = {"blocks_per_sm", "more_blocks", "fewer_blocks", "headroom_bytes", "headroom_barriers", "max_active_clusters",
          "waves"}
WARPS = {"warps_per_sm", "occupancy_percent"}
# Another limiter than registers: they have headroom, and so have the threads.
LIMITER = {"limited_by", "limit_registers", "headroom_registers", "headroom_threads", "more_warps"}

# An input, its new value, what changes on the H100 SXM, and which of the hand-outs change besides the link.
TABLE = [
    ("block_x", "128", BLOCKS | {"limit_warps", "limit_registers"}, {"contract_text", "query_command"}),
    ("block_y", "2", BLOCKS | {"limit_warps", "limit_registers"}, {"contract_text", "query_command"}),
    ("block_z", "2", BLOCKS | {"limit_warps", "limit_registers"}, {"contract_text", "query_command"}),
    ("registers", "64", BLOCKS | WARPS | {"limit_registers"}, {"contract_text", "query_command"}),
    ("static_shared", "32768", BLOCKS | WARPS | LIMITER | {"limit_shared_memory"}, {"contract_text", "query_command"}),
    ("dynamic_shared", "65536", BLOCKS | WARPS | LIMITER | {"limit_shared_memory"}, {"contract_text", "query_command"}),
    ("barriers", "16", BLOCKS | WARPS | LIMITER | {"limit_barriers"}, {"contract_text", "query_command"}),
    ("carve_out", "10", BLOCKS | WARPS | LIMITER | {"limit_shared_memory"}, {"contract_text", "query_command"}),
    ("cluster", "16", {"cluster", "max_active_clusters"}, {"contract_text"}),
    ("grid", "801", {"waves"}, set()),  # the command has no grid, because sm_75 is no product
    ("minimum", "2", set(), {"contract_text"}),
]

# What no input of this table changes.
CONSTANT = {"max_cluster", "limit_block_slots"}


class Inputs(harness.Case):
    def state(self):
        outputs = self.page.outputs()
        hand_outs = {name: self.page.text(name) for name in ("contract_text", "query_command")}
        curves = self.page.js("return [...document.querySelectorAll('#curves svg')].map(at => at.innerHTML)")
        pictures = self.page.js("return [...document.querySelectorAll('#sm_pictures svg')].map(at => at.innerHTML)")
        return outputs, hand_outs, self.page.state(), curves, pictures

    def test_table(self):
        self.page.fill(BASE, GPUS)
        outputs, hand_outs, link, curves, pictures = self.state()
        self.assertEqual(set(outputs), set(GPUS))
        seen = set()
        for name, value, wanted, wanted_hand_outs in TABLE:
            with self.subTest(name):
                self.page.set(name, value)
                now, hand_outs_now, link_now, curves_now, pictures_now = self.state()
                before, after = outputs["H100 SXM"], now["H100 SXM"]
                changed = {each for each in {**before, **after} if before.get(each) != after.get(each)}
                self.assertEqual(changed, wanted)
                self.assertEqual({each for each in hand_outs if hand_outs[each] != hand_outs_now[each]},
                                 wanted_hand_outs)
                self.assertNotEqual(link_now, link)
                # A curve and a drawing change with what is resident.
                self.assertEqual((curves_now != curves, pictures_now != pictures),
                                 ("blocks_per_sm" in wanted, "blocks_per_sm" in wanted))
                seen |= changed
                self.page.set(name, BASE[name])
                self.assertEqual(self.state(), (outputs, hand_outs, link, curves, pictures))
        self.assertEqual(set(outputs["H100 SXM"]) - seen, CONSTANT)

    def test_gpus(self):
        """Each GPU has a column and a line; adding one leaves the numbers of the others."""
        self.page.fill(BASE, ["sm_86"])
        alone = self.page.outputs()["sm_86"]
        self.page.fill({}, ["sm_86", "sm_10", "B200"])
        together = self.page.outputs()
        self.assertEqual(set(together), {"sm_86", "sm_10", "B200"})
        self.assertEqual({name: together["sm_86"][name] for name in alone}, alone)
        self.assertEqual(together["B200"]["max_cluster"].split(",")[0], "8")
        headings = self.page.js("""return [...document.querySelectorAll('#results_table thead th')]
                                     .map(at => at.textContent)""")
        self.assertEqual(sorted(headings[1:]), ["B200", "sm_10", "sm_86"])
        lines = self.page.js("return [...document.querySelectorAll('#legend li')].map(at => at.textContent.trim())")
        self.assertEqual(lines, headings[1:])
        for curve in ("threads", "registers", "shared_memory"):
            self.assertEqual(self.page.js("return document.querySelectorAll(`#curve_${arguments[0]} path`).length",
                                          curve), 3)
        self.assertEqual(self.page.js("return document.querySelectorAll('#sm_pictures figure').length"), 3)

    def test_clusters_are_the_architectures(self):
        """The largest cluster is that of the GPU."""
        self.page.fill(BASE, ["sm_86", "sm_90", "sm_120"])
        largest = {gpu: outputs["max_cluster"] for gpu, outputs in self.page.outputs().items()}
        self.assertEqual(largest["sm_86"], "1")
        self.assertIn("16 with the opt-in", largest["sm_90"])

    def test_kib(self):
        """16k, 16 KiB and 16384 are the same bytes; other fields take no unit."""
        shown = []
        for written in ("16384", "16k", "16 KiB", "16K"):
            self.page.fill({**BASE, "dynamic_shared": written}, GPUS)
            self.assertEqual(self.page.error("dynamic_shared"), "")
            shown.append((self.page.outputs(), self.page.text("contract_text")))
        self.assertEqual(shown, shown[:1] * 4)
        self.page.fill({"registers": "1k"})
        self.assertNotEqual(self.page.error("registers"), "")

    def test_waves(self):
        """A grid has waves on products only, and those of the program."""
        self.page.fill(BASE, GPUS)
        outputs = self.page.outputs()
        self.assertEqual(outputs["sm_75"]["waves"], "–")
        self.assertIn("1 full wave of 792 blocks and a last one of 8", outputs["H100 SXM"]["waves"])
        self.page.fill({"grid": ""})
        self.assertEqual({outputs.get("waves", "–") for outputs in self.page.outputs().values()}, {"–"})

    def test_pointer(self):
        """The marker follows the pointer, stops at the steps of the curve, and a click sets the input."""
        self.page.fill(BASE, ["sm_90"])
        at, width = self.page.js("""
          document.getElementById('curve_registers').scrollIntoView({block: 'center'});
          const box = document.getElementById('curve_registers').getBoundingClientRect();
          return [[box.left, box.top + box.height / 2], box.width];""")
        amounts = set()
        for part in range(12, 98, 2):
            self.move("mouseMoved", at[0] + width * part / 100, at[1])
            amounts.add(int(self.page.js("return document.getElementById('curve_registers').dataset.amount")))
        # The steps of 256 threads on 9.0: the most registers with each number of resident blocks.
        steps = {32, 40, 48, 64, 80, 128, 255}
        self.assertEqual(amounts, steps)
        x = at[0] + width * 0.5
        self.move("mouseMoved", x, at[1])
        amount = self.page.js("return document.getElementById('curve_registers').dataset.amount")
        self.assertEqual(amount, "128")  # the step that is nearest to half of 255
        for kind in ("mousePressed", "mouseReleased"):
            self.move(kind, x, at[1])
        self.assertEqual(self.page.value("registers"), amount)

    def move(self, kind, x, y):
        button = {"button": "left", "clickCount": 1} if kind != "mouseMoved" else {}
        self.browser.execute_cdp_cmd("Input.dispatchMouseEvent", {"type": kind, "x": x, "y": y, **button})

    def test_drawing(self):
        """The drawing of the SM has as many taken warp slots as warps, and as many parts of the others as blocks."""
        self.page.fill(BASE, ["sm_90"])
        taken, free, text = self.page.js("""
          const picture = document.querySelector('#sm_pictures svg');
          const rectangles = kind => [...picture.querySelectorAll(kind)].map(at => at.getAttribute('d'))
            .join('').split('M').length - 1;
          return [rectangles('.block0') + rectangles('.block1'), rectangles('.free'), picture.textContent];""")
        # 48 of 64 warps; 6 blocks in the register file and 6 in shared memory, and what they leave free.
        self.assertEqual((taken, free), (48 + 6 + 6, 16 + 1 + 1))
        self.assertIn("48 of 64 warps", text)
        self.assertIn("61440 of 65536 registers", text)
        self.assertIn("104448 of 233472 bytes", text)


if __name__ == "__main__":
    harness.parse_arguments()
    harness.main()
