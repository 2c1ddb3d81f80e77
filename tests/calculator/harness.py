# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""What the tests of the calculator share: a server on this machine, headless Chromium, and access to the page.

Each test is a script: `inputs.py --page <folder of the built page> ...`. It exits with 77, which means skipped, if a
tool that it needs is missing. A test case fails if Chromium's console shows a warning or an error, if the page asks
another host for anything, or if a file is missing; a case that provokes this says so with `allowed`.
"""

import argparse
import functools
import http.server
import json
import os
import shutil
import subprocess
import sys
import threading
import time
import unittest

SKIPPED = 77


def skip(reason):
    print("SKIPPED: " + reason)
    sys.exit(SKIPPED)


try:
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
except ImportError:
    skip(sys.executable + " has no module selenium")

options = argparse.Namespace()


def parse_arguments():
    parser = argparse.ArgumentParser(allow_abbrev=False)
    parser.add_argument("--page", default="", help="the folder of the built page")
    parser.add_argument("--browser", default="", help="chromium")
    parser.add_argument("--driver", default="", help="chromedriver")
    parser.add_argument("--program", default="", help="the program warpguard")
    parser.add_argument("--answers", default="", help="the program of print_answers.cpp")
    parser.add_argument("--root", default="", help="the folder of the sources")
    parser.add_argument("--work", default="", help="a folder for files, which the test may empty")
    parser.add_argument("--cxx", default="", help="the host compiler")
    parser.add_argument("--nvcc", default="", help="nvcc, if there is one")
    parser.add_argument("--axe", default="", help="axe.min.js of axe-core")
    parser.add_argument("cases", nargs="*", help="some test cases only, such as Links.test_restored")
    parser.parse_args(namespace=options)
    options.browser = options.browser or shutil.which("chromium") or ""
    options.driver = options.driver or shutil.which("chromedriver") or ""
    for what in ("page", "browser", "driver"):
        path = getattr(options, what)
        if not path or not os.path.exists(path):
            skip(f"no {what}" + (f" at {path}" if path else ""))
    if options.work:
        os.makedirs(options.work, exist_ok=True)


class Handler(http.server.SimpleHTTPRequestHandler):
    extensions_map = {**http.server.SimpleHTTPRequestHandler.extensions_map, ".wasm": "application/wasm",
                      ".js": "text/javascript", ".mjs": "text/javascript", ".svg": "image/svg+xml"}

    def log_message(self, *_):
        pass

    def do_GET(self):
        # Chromium asks for this file of every host, whether a page names it or not.
        if self.path == "/favicon.ico":
            self.send_response(204)
            self.end_headers()
            return
        super().do_GET()


class Server:
    """Serves a folder on a free port of 127.0.0.1."""

    def __init__(self, folder, handler=Handler):
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=folder))
        self.address = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def start_browser():
    chosen = webdriver.ChromeOptions()
    chosen.binary_location = options.browser
    for argument in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu", "--no-first-run",
                     "--hide-scrollbars", "--lang=en-US", "--force-color-profile=srgb",
                     "--window-size=1280,1000",
                     # No name of a host but this machine's own can be resolved.
                     "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"):
        chosen.add_argument(argument)
    chosen.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(service=Service(options.driver), options=chosen)
    browser.set_script_timeout(120)
    return browser


class Page:
    """The page in a browser. set() writes as a person does; fill() is faster, and writes many fields."""

    def __init__(self, browser, address):
        self.browser = browser
        self.address = address
        self.loads = 0

    def js(self, script, *arguments):
        return self.browser.execute_script(script, *arguments)

    def open(self, state="", wait=True):
        """Loads the page anew. (With the same address, only another fragment would be followed.)"""
        self.loads += 1
        self.browser.get(f"{self.address}?{self.loads}{state}")
        if wait:
            self.wait_until("return document.documentElement.dataset.ready === 'true'", "the page is not ready")
            self.settle()

    def wait_until(self, script, failure, *arguments, seconds=20):
        end = time.monotonic() + seconds
        while not self.js(script, *arguments):
            if time.monotonic() > end:
                raise AssertionError(failure)
            time.sleep(0.01)

    def settle(self):
        """Waits until the page has shown what it computes for the last input: a frame without a computation."""
        self.browser.execute_async_script("""
          const done = arguments[0], root = document.documentElement.dataset;
          let last = root.computed, calm = 0;
          const frame = () => {
            calm = root.computed === last ? calm + 1 : 0;
            last = root.computed;
            calm < 2 ? requestAnimationFrame(frame) : done();
          };
          requestAnimationFrame(frame);""")

    def element(self, name):
        return self.browser.find_element(By.ID, name)

    def set(self, name, value):
        """Replaces the text of a field, as a person does."""
        field = self.element(name)
        field.click()
        self.js("arguments[0].select()", field)
        if value:
            self.browser.execute_cdp_cmd("Input.insertText", {"text": value})
        else:
            field.send_keys(Keys.DELETE)
        self.settle()

    def value(self, name):
        return self.js("return document.getElementById(arguments[0]).value", name)

    def text(self, name):
        return self.js("return document.getElementById(arguments[0]).textContent", name).strip()

    def error(self, name):
        """The sentence beside a field; empty if it is not shown."""
        return self.js("""const at = document.getElementById(arguments[0] + '_error');
                          return at && at.checkVisibility() ? at.textContent.trim() : '';""", name)

    def outputs(self):
        """What is shown: {gpu: {output: text}}."""
        return self.js("""
          const found = {};
          for (const at of document.querySelectorAll('[data-output]')) {
            const owner = at.closest('[data-gpu]');
            const gpu = owner ? owner.dataset.gpu : '';
            (found[gpu] ??= {})[at.dataset.output] = at.innerText.trim().replace(/\\s+/g, ' ');
          }
          return found;""")

    def fill(self, values, gpus=None):
        """Writes all fields at once, as a pasted text does, and shows the results of all together."""
        self.js("""
          const [values, gpus] = arguments;
          let last = null;
          for (const [name, value] of Object.entries(values)) {
            last = document.getElementById(name);
            last.value = value;
          }
          if (gpus !== null) {
            for (const box of document.querySelectorAll('#gpus input[type=checkbox]')) {
              box.checked = gpus.includes(box.value);
              last ??= box;
            }
            document.querySelector('#gpus input[type=checkbox]').dispatchEvent(new Event('change', {bubbles: true}));
          }
          last?.dispatchEvent(new Event('input', {bubbles: true}));""",
                {name: str(value) for name, value in values.items()}, gpus)

    def choose_gpus(self, names):
        """Ticks exactly these architectures and products."""
        self.fill({}, names)
        chosen = self.js("return [...document.querySelectorAll('#gpus input:checked')].map(box => box.value)")
        assert sorted(chosen) == sorted(names), (chosen, names)
        self.settle()

    def kernels(self):
        """The kernels of the pasted text that can be chosen."""
        return self.js("""return [...document.getElementById('kernel').options].filter(at => at.value !== '')
                            .map(at => at.textContent.trim())""")

    def state(self):
        """The part of the page's link that restores the state."""
        return self.js("return document.getElementById('link').hash")

    # ---- what Chromium noticed ----------------------------------------------------------------------------------

    def requests(self):
        """The addresses of all requests since the last question."""
        messages = [json.loads(entry["message"])["message"] for entry in self.browser.get_log("performance")]
        urls = [each["params"]["request"]["url"] for each in messages if each["method"] == "Network.requestWillBeSent"]
        return [url for url in urls if not url.startswith(("data:", "blob:", "about:"))]

    def complaints(self):
        """Warnings and errors of the console, requests to other hosts, and files that are missing."""
        found = [f"console: {each['level']}: {each['message']}" for each in self.browser.get_log("browser")
                 if each["level"] in ("WARNING", "SEVERE")]
        for entry in self.browser.get_log("performance"):
            message = json.loads(entry["message"])["message"]
            if message["method"] == "Network.requestWillBeSent":
                url = message["params"]["request"]["url"]
                if not url.startswith((self.address, "data:", "blob:", "about:")):
                    found.append("request to another host: " + url[:200])
            elif message["method"] == "Network.responseReceived":
                response = message["params"]["response"]
                if response["status"] >= 400:
                    found.append(f"status {response['status']}: {response['url'][:200]}")
        return found


class Case(unittest.TestCase):
    """A test case with one browser for all its functions, and a page that is opened anew for each of them."""

    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = Server(options.page)
        cls.browser = start_browser()
        cls.page = Page(cls.browser, cls.server.address)

    @classmethod
    def tearDownClass(cls):
        cls.browser.quit()
        cls.server.stop()

    def setUp(self):
        self.allowed = []  # parts of complaints that this case provokes
        self.page.open()

    def tearDown(self):
        found = [each for each in self.page.complaints() if not any(part in each for part in self.allowed)]
        self.assertEqual(found, [])


def text_of(path):
    """The text of a file of the sources."""
    with open(os.path.join(options.root, path), encoding="utf-8", errors="replace", newline="") as file:
        return file.read()


def run_program(*arguments, **keywords):
    return subprocess.run([str(each) for each in arguments], capture_output=True, text=True, timeout=300, **keywords)


def main():
    unittest.main(argv=[sys.argv[0], *options.cases], verbosity=1)
