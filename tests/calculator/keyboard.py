# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""Everything can be reached and used with the keys alone, and one always sees where one is."""

import harness

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

# What the keys should reach: all that a mouse can use.
FOCUSABLE = """
  const found = [...document.querySelectorAll('a[href], button, input, select, textarea, summary, [tabindex]')]
    .filter(at => at.checkVisibility({visibilityProperty: true}) && !at.disabled && at.tabIndex >= 0);"""


class Keyboard(harness.Case):
    def press(self, *keys):
        chain = ActionChains(self.browser)
        for key in keys:
            chain.send_keys(key).pause(0.02)
        chain.perform()
        self.page.settle()

    def test_order(self):
        """Tab reaches everything, in the order of the page, and leaves it again; the focus can be seen each time."""
        self.page.fill({"paste": harness.text_of("tests/measure/texts/cuda_13_0.sm_90.txt")})
        everything = self.page.js(FOCUSABLE + """
          window.everything = found;
          window.seen = [];
          window.unmarked = [];
          const marked = at => getComputedStyle(at).outlineStyle !== 'none' &&
            parseFloat(getComputedStyle(at).outlineWidth) >= 1;
          document.addEventListener('focusin', ({target}) => {
            seen.push(target);
            if (!marked(target)) unmarked.push(target);
            setTimeout(() => {
              const box = target.getBoundingClientRect();
              const is_seen = box.bottom > 0 && box.top < innerHeight && box.width > 2;
              if (document.activeElement === target && !is_seen) unmarked.push(target);
            });
          });
          document.activeElement.blur();
          window.scrollTo(0, 0);
          return found.length;""")
        self.assertGreater(everything, 30)
        self.press(*[Keys.TAB] * (everything + 1))
        missed, unmarked, backwards = self.page.js("""
          const name = at => at.outerHTML.slice(0, 100);
          const once = seen.slice(0, everything.length);
          const backwards = once.slice(1).filter((at, index) =>
            once[index].compareDocumentPosition(at) & Node.DOCUMENT_POSITION_PRECEDING);
          return [everything.filter(at => !seen.includes(at)).map(name), unmarked.map(name), backwards.map(name)];""")
        self.assertEqual((missed, unmarked, backwards), ([], [], []))

    def test_gpus(self):
        """A GPU is chosen with the space bar."""
        boxes = self.page.js("return [...document.querySelectorAll('#gpus input[type=checkbox]')]"
                             ".filter(at => at.checkVisibility() && !at.checked)")
        before = set(self.page.outputs())
        value = self.page.js("arguments[0].focus(); return arguments[0].value", boxes[0])
        self.press(Keys.SPACE)
        self.assertEqual(set(self.page.outputs()), before | {value})
        self.press(Keys.SPACE)
        self.assertEqual(set(self.page.outputs()), before)

    def focus(self, name):
        self.page.js("document.getElementById(arguments[0]).focus()", name)

    def test_numbers(self):
        """A number is typed; Enter neither leaves the page nor loses it."""
        before = self.page.outputs()
        self.focus("registers")
        self.page.element("registers").send_keys(Keys.CONTROL, "a", Keys.NULL)
        self.press("2", "0", "1", Keys.ENTER)
        self.assertEqual(self.page.value("registers"), "201")
        self.assertNotEqual(self.page.outputs(), before)

    def test_search(self):
        """A GPU is found by one of its names, and the others are hidden."""
        self.focus("gpus_search")
        self.press("h", "1", "0", "0")
        shown = self.page.js("""return [...document.querySelectorAll('#gpus_list input')]
            .filter(at => at.checkVisibility()).map(at => at.value)""")
        self.assertEqual(shown, ["H100 SXM", "H100 PCIe", "H100 NVL"])

    def test_curves(self):
        """The marker of each curve goes from step to step; what it says is what the results say; Enter sets it."""
        for name, field in (("threads", "block_x"), ("registers", "registers"), ("shared_memory", "dynamic_shared")):
            self.page.open()
            self.page.choose_gpus(["sm_90"])
            self.focus("curve_" + name)
            said = []
            for key in (Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.END, Keys.ARROW_LEFT):
                self.press(key)
                said.append((int(self.page.js("return document.activeElement.getAttribute('aria-valuenow')")),
                             self.page.text(f"curve_{name}_readout")))
            amounts = [amount for amount, _ in said]
            self.assertTrue(amounts[0] < amounts[1] < amounts[2] < amounts[4] < amounts[3], amounts)
            self.press(Keys.ARROW_LEFT, Keys.ENTER)
            amount = self.page.js("return document.activeElement.getAttribute('aria-valuenow')")
            self.assertEqual(self.page.value(field), amount)
            shown = self.page.outputs()["sm_90"]
            self.assertIn(f"sm_90: {shown['blocks_per_sm']} block", self.page.text(f"curve_{name}_readout"))
            self.assertIn(shown["occupancy_percent"], self.page.text(f"curve_{name}_readout"))

    def test_pasted(self):
        """A kernel of a pasted text is chosen with the arrows."""
        self.page.fill({"paste": harness.text_of("tests/measure/texts/cuda_13_0.sm_90.txt")})
        self.focus("kernel")
        self.press(Keys.ARROW_DOWN)
        self.assertEqual(self.page.value("registers"), "12")

    def test_copies(self):
        """A button copies by Enter, and says so."""
        self.browser.execute_cdp_cmd("Browser.grantPermissions", {
            "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        for source, wanted in (("contract_text", self.page.text("contract_text")),
                               ("query_command", self.page.text("query_command")),
                               ("link", self.page.js("return document.getElementById('link').href"))):
            self.page.js("document.querySelector(`[data-copies=${arguments[0]}]`).focus()", source)
            self.press(Keys.ENTER)
            copied = self.browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])")
            self.assertEqual(copied.strip(), wanted.strip())
            self.assertIn("Copied", self.page.text("copied"))


if __name__ == "__main__":
    harness.parse_arguments()
    harness.main()
