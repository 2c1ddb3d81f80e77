# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""Prints how much the page transfers, when it is painted first, and how long a change takes until it is shown."""

import gzip
import os
import statistics
import time

import harness

LOADS = 15
CHANGES = 300


class CompressingHandler(harness.Handler):
    """Compresses every file, as a web server does; delays the module by `delay` seconds."""

    delay = 0.0

    def do_GET(self):
        path = self.translate_path(self.path)
        if os.path.isdir(path):
            path = os.path.join(path, "index.html")
        if not os.path.isfile(path):
            return super().do_GET()
        if path.endswith(".wasm"):
            time.sleep(CompressingHandler.delay)
        with open(path, "rb") as file:
            content = gzip.compress(file.read(), 9)
        self.send_response(200)
        self.send_header("Content-Type", self.guess_type(path))
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)
        return None


def median_and_most(values, digits=1):
    return f"median {statistics.median(values):.{digits}f}, most {max(values):.{digits}f}"


def print_transfer(page):
    page.open()
    files = page.js("""
      return performance.getEntriesByType('navigation').concat(performance.getEntriesByType('resource'))
        .map(each => [new URL(each.name).pathname, each.encodedBodySize, each.decodedBodySize]);""")
    files = [(name, packed, plain) for name, packed, plain in files if plain > 0]
    print("Transfer, compressed with gzip -9, in bytes (uncompressed):")
    for name, packed, plain in files:
        print(f"  {packed:7} ({plain:7})  {name}")
    module = sum(packed for name, packed, _ in files if name.endswith(".wasm"))
    print(f"  {sum(packed for _, packed, _ in files) - module:7}            the page, without the module")
    print(f"  {module:7}            the module")


def print_first_paint(page, delay):
    CompressingHandler.delay = delay
    paints, ready = [], []
    for _ in range(LOADS if delay == 0 else 3):
        page.open()
        paints.append(page.js("return performance.getEntriesByName('first-contentful-paint')[0].startTime"))
        ready.append(page.js("return performance.getEntriesByType('resource').filter(each => "
                             "each.name.endsWith('.wasm')).map(each => each.responseEnd)[0]"))
    CompressingHandler.delay = 0.0
    print(f"First paint after the navigation began, in ms{f', the module delayed by {delay} s' if delay else ''}: "
          f"{median_and_most(paints)} (module loaded: {median_and_most(ready)})")


# Work is what the page does between the event and the new layout, without waiting for the frame to begin. Shown is the
# time from the event to the beginning of the first frame after the one in which the page computed.
CHANGE = """
const [name, values, done] = arguments;
const field = document.getElementById(name), root = document.documentElement;
const work = [], shown = [];
const change = index => {
  if (index === values.length) { done([work, shown]); return; }
  let frame = 0, total = 0;
  const before = root.dataset.computed, begin = performance.now();
  requestAnimationFrame(() => { frame = performance.now(); });
  const computed = new MutationObserver(() => {
    computed.disconnect();
    document.body.offsetHeight;  // forces the layout
    const now = performance.now();
    work.push(frame ? total + now - frame : now - begin);
    requestAnimationFrame(() => {
      shown.push(performance.now() - begin);
      setTimeout(() => change(index + 1), 5 + Math.random() * 20);
    });
  });
  computed.observe(root, {attributes: true, attributeFilter: ['data-computed']});
  field.value = values[index];
  field.dispatchEvent(new Event('input', {bubbles: true}));
  total = performance.now() - begin;
};
change(0);
"""


def print_changes(page, gpus):
    page.open()
    page.choose_gpus(gpus)
    print(f"A change with {len(gpus)} GPUs ({', '.join(gpus)}), {CHANGES} changes of each field, in ms:")
    for name, values in (("registers", [16 + index * 7 % 200 for index in range(CHANGES)]),
                         ("block_x", [32 + index * 37 % 990 for index in range(CHANGES)]),
                         ("dynamic_shared", [index * 977 % 99000 for index in range(CHANGES)])):
        work, shown = page.browser.execute_async_script(CHANGE, name, values)
        print(f"  {name:15} work: {median_and_most(work)};  to the next frame: {median_and_most(shown)}")


def main():
    harness.parse_arguments()
    server = harness.Server(harness.options.page, CompressingHandler)
    browser = harness.start_browser()
    page = harness.Page(browser, server.address)
    print_transfer(page)
    print_first_paint(page, 0)
    print_first_paint(page, 1)
    print_changes(page, ["sm_90"])
    print_changes(page, ["sm_75", "sm_86", "sm_90", "H100 SXM"])
    browser.quit()
    server.stop()


if __name__ == "__main__":
    main()
