# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""A link restores the state; one that is broken is explained, and the page shows its defaults."""

import urllib.parse

import harness

FIELDS = ["block_x", "block_y", "block_z", "registers", "static_shared", "dynamic_shared", "barriers", "carve_out",
          "cluster", "grid", "minimum"]

# Fields and GPUs.
STATES = [
    ({"block_x": "96", "block_y": "3", "block_z": "2", "registers": "77", "static_shared": "1k",
      "dynamic_shared": "4096", "barriers": "3", "carve_out": "50", "cluster": "4", "grid": "12345", "minimum": "1"},
     ["sm_90"]),
    ({"block_x": "1024", "registers": "0", "carve_out": "", "grid": "", "minimum": ""},
     ["sm_10", "sm_75", "sm_121", "H100 SXM", "RTX 2080 Ti"]),
    ({"block_x": "1", "dynamic_shared": "232448", "grid": "9007199254740991"}, ["sm_100", "A100 SXM 40GB"]),
]


class Links(harness.Case):
    def shown(self):
        """What the page states and shows."""
        chosen = self.page.js("return [...document.querySelectorAll('#gpus input:checked')].map(at => at.value)")
        return ({name: self.page.value(name) for name in FIELDS}, sorted(chosen), self.page.outputs(),
                self.page.text("contract_text"), self.page.text("query_command"), self.page.state())

    def test_restored(self):
        for fields, gpus in STATES:
            self.page.open()
            self.page.fill(fields, gpus)
            self.page.settle()
            before = self.shown()
            self.assertEqual({name: before[0][name] for name in fields}, fields)
            self.assertEqual(before[1], sorted(gpus))
            self.page.open(before[-1])
            self.assertEqual(self.shown(), before)
            self.assertEqual(self.page.error("state"), "")

    def test_address(self):
        """The address of the page becomes the link when the user pauses, without an entry in the history."""
        entries = self.page.js("return history.length")
        self.page.set("registers", "99")
        self.page.wait_until("return location.href === document.getElementById('link').href", "another address")
        self.assertIn("registers=99", self.page.js("return location.hash"))
        self.assertEqual(self.page.js("return history.length"), entries)
        before = self.shown()
        self.browser.refresh()
        self.page.wait_until("return document.documentElement.dataset.ready === 'true'", "not ready")
        self.assertEqual(self.shown(), before)

    def test_followed(self):
        """A link that is followed on the open page restores its state too."""
        self.page.fill(*STATES[0])
        link, before = self.page.state(), self.shown()
        self.page.fill(*STATES[1])
        self.assertNotEqual(self.shown(), before)
        self.page.js("location.hash = arguments[0]", link)
        self.page.settle()
        self.assertEqual(self.shown(), before)

    def test_no_state(self):
        """An address without a state is no broken one."""
        for fragment in ("", "#", "#results"):
            self.page.open(fragment)
            self.assertEqual(self.page.error("state"), "", fragment)

    def test_broken(self):
        defaults = self.shown()
        right = dict(urllib.parse.parse_qsl(self.page.state()[1:], keep_blank_values=True))

        def link(**changes):
            words = {name: text for name, text in {**right, **changes}.items() if text is not None}
            return "#" + urllib.parse.urlencode(words)

        broken = {
            "letters": link(registers="abc"), "negative": link(registers="-5"), "too much": link(block_x=str(10**12)),
            "an empty field": link(block_x=""), "a missing field": link(registers=None),
            "an unknown GPU": link(gpus="sm_999"),
            "no GPU": link(gpus=""), "missing GPUs": link(gpus=None), "another version": link(v="999"),
            "no version": link(v=None), "half": self.page.state()[:len(self.page.state()) // 2],
            "markup": link(gpus="<img src=x onerror=alert(1)>"), "prose": "#some text that is no state=",
            "long": link(registers="9" * 100000), "controls": link(registers="\x00\x01"), "no value": "#v",
            "a wrong escape": "#v=1&gpus=%E0%A4%A", "a long name": link(gpus="x" * 100000),
        }
        for what, fragment in broken.items():
            with self.subTest(what):
                if what in ("letters", "prose"):
                    self.page.open(fragment)
                else:
                    self.page.fill({"registers": "99"})
                    self.page.js("location.hash = ''; location.hash = arguments[0];", fragment)
                    self.page.settle()
                said = self.page.error("state")
                self.assertNotEqual(said, "")
                self.assertLess(len(said), 300)
                self.assertEqual(self.shown(), defaults)
                self.assertEqual(self.page.js("return document.querySelectorAll('img').length"), 0)

    def test_mended(self):
        """The sentence about a broken link goes when the page has another state."""
        self.page.open("#v=1&gpus=sm_999")
        self.assertNotEqual(self.page.error("state"), "")
        self.page.js("location.hash = ''")
        self.page.fill(*STATES[0])
        link = self.page.state()
        self.page.js("location.hash = arguments[0]", link)
        self.page.settle()
        self.assertEqual(self.page.error("state"), "")


if __name__ == "__main__":
    harness.parse_arguments()
    harness.main()
