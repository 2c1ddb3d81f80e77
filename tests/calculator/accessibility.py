# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""The page for people who cannot see it, who have a narrow screen, or who prefer dark ones.

`Accessibility` reads what Chromium tells a screen reader, and measures the page; `Axe` applies the rules of axe-core.
"""

import json
import os

import harness

ROLES_WITH_A_NAME = {"textbox", "spinbutton", "checkbox", "radio", "combobox", "listbox", "searchbox", "button", "link",
                     "slider", "img", "image", "graphics-document", "table", "form", "group", "meter", "progressbar",
                     "option", "heading", "DisclosureTriangle"}


def show_all(page):
    """Four GPUs, the waves of a grid, and the kernels of a pasted text."""
    page.choose_gpus(["sm_75", "sm_86", "sm_90", "H100 SXM"])
    page.fill({"grid": 800, "paste": harness.text_of("tests/measure/texts/cuda_13_0.sm_90.txt")})


def show_errors(page):
    page.fill({"paste": "no output of ptxas"})
    page.fill({"block_x": "abc", "registers": "999999999999"})


# What the page can look like.
STATES = {"all results": show_all, "wrong input": show_errors}


class Accessibility(harness.Case):
    def test_controls_have_names(self):
        for state, reach in STATES.items():
            with self.subTest(state):
                self.page.open()
                reach(self.page)
                tree = self.browser.execute_cdp_cmd("Accessibility.getFullAXTree", {})["nodes"]
                shown = [node for node in tree if not node.get("ignored")]
                named = [node for node in shown if node["role"]["value"] in ROLES_WITH_A_NAME]
                self.assertGreater(len(named), 20)
                unnamed = [node["role"]["value"] + " " + json.dumps(node.get("properties", []))[:200]
                           for node in named if node["role"]["value"] != "group" and
                           not node.get("name", {}).get("value", "").strip()]
                self.assertEqual(unnamed, [])

    def test_fields_say_what_is_wrong(self):
        """A screen reader is told that a field is wrong and why: the sentence is the field's description."""
        self.page.set("registers", "abc")
        described = self.page.js("""
          const field = document.getElementById('registers');
          const ids = (field.getAttribute('aria-describedby') ?? '') + ' ' +
            (field.getAttribute('aria-errormessage') ?? '');
          return [field.getAttribute('aria-invalid'), ids.split(/\\s+/).includes('registers_error')];""")
        self.assertEqual(described, ["true", True])
        self.page.set("registers", "32")
        self.assertIn(self.page.js("return document.getElementById('registers').getAttribute('aria-invalid')"),
                      [None, "false"])

    def test_changes_are_announced(self):
        """The result is a live region, so that a screen reader says it after a change."""
        live = self.page.js("""return [...document.querySelectorAll('[aria-live], [role=status], output')]
                                 .map(at => at.textContent.trim()).filter(text => text);""")
        self.page.set("registers", "128")
        after = self.page.js("""return [...document.querySelectorAll('[aria-live], [role=status], output')]
                                  .map(at => at.textContent.trim()).filter(text => text);""")
        self.assertTrue(after)
        self.assertNotEqual(live, after)

    def test_outline(self):
        """The page has a language, a title, one first heading, no level left out, and landmarks."""
        lang, title, levels, mains = self.page.js("""
          return [document.documentElement.lang, document.title,
                  [...document.querySelectorAll('h1,h2,h3,h4,h5,h6')].filter(at => at.checkVisibility())
                    .map(at => Number(at.tagName[1])), document.querySelectorAll('main').length];""")
        self.assertEqual(lang, "en")
        self.assertTrue(title)
        self.assertEqual(mains, 1)
        self.assertEqual(levels.count(1), 1)
        self.assertEqual(levels[0], 1)
        for before, after in zip(levels, levels[1:]):
            self.assertLessEqual(after, before + 1, levels)

    def test_narrow_screens(self):
        """Nothing has to be scrolled sideways at 320 pixels, also not with text of twice the size at 640."""
        for width, zoom in ((320, 1), (640, 2)):
            for state, reach in STATES.items():
                with self.subTest(state, width=width):
                    self.browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                        "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": False})
                    self.page.open()
                    self.page.js("""document.documentElement.style.fontSize = arguments[0];
                                    for (const at of document.querySelectorAll('details')) at.open = true;""",
                                 f"{100 * zoom}%")
                    reach(self.page)
                    self.page.settle()
                    over = self.page.js("""
                      const width = document.documentElement.clientWidth;
                      if (document.documentElement.scrollWidth <= width) return [];
                      return [...document.querySelectorAll('body *')]
                        .filter(at => at.getBoundingClientRect().right > width + 1)
                        .map(at => at.tagName + '#' + at.id + '.' + at.getAttribute('class')).slice(0, 8)
                        .concat('scrolls to ' + document.documentElement.scrollWidth);""")
                    self.assertEqual(over, [])
        self.browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})

    def test_less_motion(self):
        """Who asks for less motion gets none."""
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-reduced-motion", "value": "reduce"}]})
        self.page.open()
        self.page.set("registers", "128")
        moving = self.page.js("return document.getAnimations().filter(at => at.playState === 'running').length")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
        self.assertEqual(moving, 0)

    def test_print(self):
        """On paper every result is there, and nothing is cut. (Browsers print in light colours.)"""
        show_all(self.page)
        shown = self.page.outputs()
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        hidden, cut = self.page.js("""
          const hidden = [...document.querySelectorAll('[data-output]')].filter(at => !at.checkVisibility())
            .map(at => at.dataset.output);
          const cut = [...document.querySelectorAll('main *')].filter(at => at.checkVisibility() &&
            ['auto', 'scroll', 'hidden'].includes(getComputedStyle(at).overflowX) &&
            at.scrollWidth > at.clientWidth + 1 && at.clientWidth > 1).map(at => at.tagName + '#' + at.id);
          return [hidden, cut];""")
        self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
        self.assertEqual(len(shown), 4)
        self.assertEqual((hidden, cut), ([], []))


class Axe(harness.Case):
    """No violation of axe-core's rules for WCAG 2.2 A and AA, and of its best practices."""

    def test_rules(self):
        for scheme in ("light", "dark"):
            for state, reach in STATES.items():
                with self.subTest(state, scheme=scheme):
                    self.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
                        "features": [{"name": "prefers-color-scheme", "value": scheme}]})
                    self.page.open()
                    reach(self.page)
                    found, rules = self.violations(*([] if scheme == "light" else ["color-contrast"]))
                    self.assertIn("color-contrast", rules)  # axe has looked
                    self.assertEqual(found, [])

    def test_finds_violations(self):
        """axe notices a field without a name and grey on grey, so its silence means something."""
        self.page.js("""
          const grey = document.createElement('p');
          grey.textContent = 'grey on grey';
          Object.assign(grey.style, {color: '#777', background: '#888'});
          document.querySelector('main').append(grey, document.createElement('input'));""")
        found, _ = self.violations("label", "color-contrast")
        self.assertEqual({each.split(":")[0] for each in found} & {"label", "color-contrast"},
                         {"label", "color-contrast"})

    def violations(self, *rules):
        """What axe finds by these rules, or by all; and the rules that had something to look at."""
        with open(harness.options.axe, encoding="utf-8") as file:
            self.page.js(file.read())
        result = self.browser.execute_async_script("""
          const [rules, done] = arguments;
          axe.run(document, {resultTypes: ['violations'], runOnly: rules.length > 0 ? {type: 'rule', values: rules}
            : ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']})
            .then(result => done({
              violations: result.violations.map(each => each.id + ': ' + each.help + ': ' +
                each.nodes.slice(0, 4).map(node => node.target.join(' ') + ' ' + node.failureSummary).join(' | ')),
              rules: result.passes.concat(result.violations).map(each => each.id)}),
              error => done({violations: [String(error)], rules: []}));""", rules)
        return result["violations"], result["rules"]


if __name__ == "__main__":
    harness.parse_arguments()
    if "Axe" in harness.options.cases and not os.path.exists(harness.options.axe):
        harness.skip("no axe.min.js: README's test command installs axe-playwright-python, which has it")
    harness.main()
