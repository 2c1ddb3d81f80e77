# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""The page is a folder of static files: it asks no other host for anything, and runs wherever it is put."""

import os
import re
import shutil
import time

import harness


class OtherHosts(harness.Case):
    def test_no_request(self):
        """Every use of the page, and the only requests are for its own files, when it is opened."""
        self.page.browser.get_log("performance")
        self.page.open()
        self.page.choose_gpus(["sm_75", "sm_90", "H100 SXM"])
        for name, value in {"block_x": "128", "registers": "64", "grid": "500", "minimum": "50"}.items():
            self.page.set(name, value)
        self.page.fill({"paste": harness.text_of("tests/measure/texts/cuda_13_0.sm_90.txt")})
        self.page.open(self.page.state())
        requests = self.page.requests()
        self.assertTrue(any(url.endswith(".wasm") for url in requests))
        self.assertEqual([url for url in requests if not url.startswith(self.page.address)], [])

    def test_requests_are_noticed(self):
        """This test would notice a request to another host, and one for a missing file."""
        self.browser.execute_async_script("""
          fetch('http://example.com/from_page').catch(() => 0);
          fetch('missing.js').then(arguments[0]);""")
        self.browser.get("data:text/html,<img src='http://example.com/from_elsewhere'>")
        found = []
        end = time.monotonic() + 10
        wanted = ["example.com/from_page", "request to another host: http://example.com/from_elsewhere", "status 404"]
        while time.monotonic() < end and not all(any(part in each for each in found) for part in wanted):
            found += self.page.complaints()
        self.assertEqual([part for part in wanted if not any(part in each for each in found)], [])

    def test_without_network(self):
        """Once it is open, the page needs no network at all."""
        self.browser.execute_cdp_cmd("Network.enable", {})
        self.browser.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": True, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
        before = self.page.outputs()
        self.page.set("registers", "128")
        self.page.choose_gpus(["sm_75", "sm_100"])
        after = self.page.outputs()
        self.browser.execute_cdp_cmd("Network.emulateNetworkConditions", {
            "offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1})
        self.assertNotEqual(before, after)

    def test_in_a_folder(self):
        """The page works below a path too, as a project's pages on a forge."""
        parent = os.path.join(harness.options.work, "parent")
        shutil.rmtree(parent, ignore_errors=True)
        shutil.copytree(harness.options.page, os.path.join(parent, "some project", "calculator"))
        server = harness.Server(parent)
        page = harness.Page(self.browser, server.address + "some%20project/calculator/")
        self.assertEqual(self.page.complaints(), [])
        page.open()
        self.assertTrue(page.outputs())
        self.assertEqual(page.complaints(), [])
        server.stop()

    def test_names_no_host(self):
        """No file loads anything by an absolute address. Links that a person may follow are none."""
        loads = re.compile(r"""(?:\bsrc\s*=|@import|\burl\(|\bfrom\s|\bimport\s*\(?|\bfetch\(|<link\b[^>]*\bhref\s*=)"""
                           r"""\s*["'(]?\s*(?:https?:)?//""")
        for folder, _, files in os.walk(harness.options.page):
            for name in files:
                if name.endswith((".html", ".css", ".js", ".mjs", ".svg")):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        self.assertIsNone(loads.search(file.read()), name)


if __name__ == "__main__":
    harness.parse_arguments()
    harness.main()
