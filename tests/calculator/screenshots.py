# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""Writes pictures of the page, for people to look at: on a desktop, a phone, a dark screen and paper."""

import base64
import os

import harness

# name: width, pixels for each, medium, colour scheme, what is done
PICTURES = {
    "desktop": (1280, 1, "", "light", None),
    "desktop_four_gpus": (1280, 1, "", "light", "gpus"),
    "desktop_wrong_input": (1280, 1, "", "light", "wrong"),
    "desktop_pasted": (1280, 1, "", "light", "pasted"),
    "dark": (1280, 1, "", "dark", "gpus"),
    "phone": (390, 2, "", "light", None),
    "phone_four_gpus": (390, 2, "", "light", "gpus"),
    "phone_dark": (390, 2, "", "dark", None),
    "narrow": (320, 2, "", "light", "pasted"),
    "print": (794, 1, "print", "light", "gpus"),
}


def reach(page, what):
    if what == "gpus":
        page.choose_gpus(["sm_75", "sm_86", "sm_90", "H100 SXM"])
        page.set("grid", "800")
    elif what == "wrong":
        page.set("block_x", "abc")
        page.set("registers", "999999999999")
        page.set("dynamic_shared", "-1")
    elif what == "pasted":
        page.fill({"paste": harness.text_of("tests/measure/texts/cuda_13_0.sm_90.txt")})


def main():
    harness.parse_arguments()
    server = harness.Server(harness.options.page)
    browser = harness.start_browser()
    page = harness.Page(browser, server.address)
    for name, (width, ratio, medium, scheme, what) in PICTURES.items():
        browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": 900, "deviceScaleFactor": ratio, "mobile": width < 500})
        browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "media": medium, "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        page.open()
        reach(page, what)
        page.settle()
        size = browser.execute_cdp_cmd("Page.getLayoutMetrics", {})["cssContentSize"]
        picture = browser.execute_cdp_cmd("Page.captureScreenshot", {
            "captureBeyondViewport": True,
            "clip": {"x": 0, "y": 0, "width": width, "height": size["height"], "scale": 1}})
        path = os.path.join(harness.options.work, name + ".png")
        with open(path, "wb") as file:
            file.write(base64.b64decode(picture["data"]))
        print(f"{path}: {width} x {round(size['height'])}")
    browser.quit()
    server.stop()


if __name__ == "__main__":
    main()
