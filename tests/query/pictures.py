# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""pictures.py <program> <folder>: what the pictures show is what the program says in JSON.

Curves and points are read back through the ticks of their axes, as a person would, so that this shares nothing with the
code that draws.
"""

import json
import math
import re
import subprocess
import sys
import xml.etree.ElementTree as xml

program, folder = sys.argv[1:]
failures = 0


def fail(words):
    global failures
    failures += 1
    print(words, file=sys.stderr)


def run(*arguments):
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{arguments}: exit code {done.returncode}:\n{done.stderr}")
    return done.stdout


def answers(*arguments):
    return json.loads(run(*arguments, "--json"))["answers"]


def elements(parent, tag, name=None):
    found = parent.iter("{http://www.w3.org/2000/svg}" + tag)
    return [each for each in found if name is None or each.get("class") == name]


def picture(*arguments):
    run(*arguments, "--svg", "picture.svg")
    root = xml.parse(folder + "/picture.svg").getroot()
    if root.get("role") != "img" or not elements(root, "title")[0].text or not elements(root, "desc")[0].text:
        fail(f"{arguments}: no text alternative")
    width, height = (float(root.get(name)) for name in ("width", "height"))
    for text in elements(root, "text"):
        if not (0 <= float(text.get("x")) <= width and 0 <= float(text.get("y")) <= height):
            fail(f"{arguments}: outside of the picture: {text.text}")
    return root


def scale(panel, name, place, value=float):
    """The function from coordinates to amounts, by the first tick and the last."""
    ticks = sorted((float(each.get(place)), value(each.text)) for each in elements(panel, "text", name))
    (first, low), (last, high) = ticks[0], ticks[-1]
    return lambda at: low + (at - first) * (high - low) / (last - first)


def warps_of(panel):
    to_warps = scale(panel, "tick left", "y")
    return lambda y: to_warps(y + 4.5)  # a text stands below the middle of its letters


def height_of_curve(path, x):
    """The y of a path of horizontal and vertical lines just left of x."""
    begin, at = re.match(r"M([\d.]+) ([\d.]+)", path).groups()
    height = float(at)
    for kind, number in re.findall(r"([HV])([\d.]+)", path):
        if kind == "H" and float(number) >= x:
            return height
        if kind == "V":
            height = float(number)
    return None


def check_curves(gpu, threads, registers, shared):
    kernel = ["--threads", str(threads), "--registers", str(registers), "--dynamic-shared", str(shared)]
    root = picture("query", "--gpu", gpu, *kernel)
    panels = elements(root, "g", "panel")
    now = answers("query", "--gpu", gpu, *kernel)[0]
    amounts = [("--threads", "threads_per_block", threads, 32, 1024, 1, 20),
               ("--registers", "registers_per_thread", registers, 16, 255, 1, 0.3),
               ("--dynamic-shared", "dynamic_shared_memory", shared, 1024, 65536, 1024, 40)]
    for panel, (option, member, amount, first, last, unit, inside) in zip(panels, amounts):
        to_amount, to_warps = scale(panel, "tick below", "x"), warps_of(panel)
        point = elements(panel, "circle")[0]
        found = unit * to_amount(float(point.get("cx"))), to_warps(float(point.get("cy")))
        if abs(found[0] - amount) > 0.002 * last or abs(found[1] - now["warps_per_sm"]) > 0.05:
            fail(f"{gpu} {kernel}: the point of {member} is at {found}, not {amount}, {now['warps_per_sm']}")
        curve = elements(panel, "path", "curve")[0].get("d")
        zero = min(float(each.get("x")) for each in elements(panel, "text", "tick below"))
        per_pixel = unit * (to_amount(zero + 1) - to_amount(zero))
        stated = kernel.copy()
        stated[stated.index(option) + 1] = f"{first}..{last}"
        for answer in answers("query", "--gpu", gpu, *stated):
            x = zero + (answer[member] - inside) / per_pixel
            y = height_of_curve(curve, x)
            drawn = 0 if y is None else to_warps(y)  # the axis ends at the most that a block may have
            if abs(drawn - answer["warps_per_sm"]) > 0.05:
                fail(f"{gpu} {kernel}: {answer[member]} {member}: drawn {drawn}, not {answer['warps_per_sm']}")
                break
        text = " ".join(each.text for each in elements(panel, "text"))
        steps = now["next_steps"]["shared_memory" if unit == 1024 else member]
        for step in (steps["more_blocks"], steps["fewer_blocks"]) if option != "--threads" else ():
            if step is not None and f"{step['amount']} {'bytes' if unit == 1024 else 'registers'}: " not in text:
                fail(f"{gpu} {kernel}: {step} is not in the panel: {text}")


for gpu in ("sm_90", "sm_86", "sm_75", "sm_60"):
    for kernel in ((256, 40, 16384), (320, 66, 20000), (1024, 24, 1000), (96, 168, 40000)):
        check_curves(gpu, *kernel)

# A bar's parts are to the numbers as their widths and heights: 800 blocks, of which 792 fit, or 648, or 160.
for gpu, sms, per_sm in (("H100 SXM", 132, 6), ("A100 SXM 80GB", 108, 6), ("T4", 40, 4)):
    slots = sms * per_sm
    for grid in (1, slots - 1, slots, slots + 1, 800, 20000):
        panel = elements(picture("query", "--gpu", gpu, "--threads", "256", "--registers", "40", "--grid", str(grid)),
                         "g", "panel")[0]
        full, tail = divmod(grid, slots)
        wave = scale(panel, "tick below", "x")
        size = {name: [tuple(float(each.get(side)) for side in ("x", "width", "height"))
                       for each in elements(panel, "rect", name)] for name in ("wave", "tail", "idle")}
        if full > 0 and abs(wave(sum(size["wave"][0][:2])) - full) > 0.01:
            fail(f"{gpu} {grid}: {wave(sum(size['wave'][0][:2]))} full waves are drawn, not {full}")
        if (full > 0) != bool(size["wave"]) or (tail > 0) != bool(size["tail"]):
            fail(f"{gpu} {grid}: waves {size['wave']}, tail {size['tail']}")
        if tail > 0:
            part = size["tail"][0][2] / size["idle"][0][2]
            if abs(part - tail / slots) > 0.04 or abs(wave(size["tail"][0][0]) - full) > 0.01:
                fail(f"{gpu} {grid}: the tail is {part} of the slots, not {tail / slots}")
        text = " ".join(each.text for each in elements(panel, "text"))
        if tail > 0 and not re.search(rf"tail: {tail} blocks?, .*{slots - tail} idle", text):
            fail(f"{gpu} {grid}: {text}")

# The roofline: the slope is the bandwidth, the roof is the peak (A100: 19.5 x 10^12 and 1555 GB/s by its data sheet).
for operations, expected in ((2, 2 / 12 * 1555.2), (150, 12.5 * 1555.2), (151, 19491.84), (12000, 19491.84)):
    arguments = ("roofline", "--gpu", "A100 SXM 40GB", "--operations", str(operations), "--bytes", "12")
    found = answers(*arguments)[0]
    if abs(found["attainable_operations_per_second"] / 1e9 - expected) > 0.001 * expected:
        fail(f"{operations}: {found}, not {expected}")
    if found["bound_by"] != ("memory" if expected < 19491 else "arithmetic"):
        fail(f"{operations}: bound by {found['bound_by']}")
    panel = elements(picture(*arguments), "g", "panel")[0]
    log = lambda text: math.log10(float(text))
    to_intensity, to_rate = scale(panel, "tick below", "x", log), scale(panel, "tick left", "y", log)
    point = elements(panel, "circle")[0]
    place = 10 ** to_intensity(float(point.get("cx"))), 10 ** to_rate(float(point.get("cy")) + 4.5)
    if abs(place[0] - operations / 12) > 0.01 * place[0] or abs(place[1] - expected) > 0.01 * expected:
        fail(f"{operations}: the point is at {place}, not {operations / 12}, {expected}")

# Many GPUs and one: a row of three panels for each.
gpus = "50 52 60 61 70 75 80 86 89 90 100 120".split()
root = picture("query", *(word for gpu in gpus for word in ("--gpu", gpu)), "--threads", "128", "--registers", "32")
if len(elements(root, "g", "panel")) != 36 or len(elements(root, "path", "curve")) != 36:
    fail("12 GPUs are not 36 panels")
for gpu in gpus:
    if f"sm_{gpu}" not in [each.text for each in elements(root, "text", "name")]:
        fail(f"no row for sm_{gpu}")
picture("query", "--gpu", "sm_21", "--threads", "2000", "--registers", "900", "--shared", "900k")
picture("query", "--gpu", "T4", "--threads", "256", "--grid", "9223372036854775807")
picture("query", "--gpu", "T4", "--threads", "2000", "--grid", "10")
picture("roofline", "--gpu", "T4", "--operations", "1", "--bytes", "9223372036854775807")
picture("roofline", "--gpu", "T4", "--operations", "9223372036854775807", "--bytes", "1")

# A name that is markup, and one that is longer than the page.
root = picture("query", "--from", "markup.lock", "--kernel", "markup")
heading = elements(root, "text", "heading")[0].text
if heading != "markup<\"&'>(int*)":
    fail(f"the name became {heading}")
root = picture("query", "--from", "markup.lock", "--kernel", "long")
heading, title = elements(root, "text", "heading")[0].text, elements(root, "title")[0].text
if len(heading) > 85 or not heading.endswith("\u2026") or "\u00fc" * 200 not in title:
    fail(f"the long name became {heading}, and {title}")
sys.exit(1 if failures else 0)
