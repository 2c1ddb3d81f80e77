# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""python3 site_whole.py <site> <docs>

The built site is whole: every link leads to a file and to a place in it, every page of docs/ is in the navigation of
every page, nothing is loaded from another host, and no markdown or comment is left as text. Prints each fault, and
exits with 1 if there is one.
"""

import re
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

LOADED = {("script", "src"), ("img", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("video", "src"),
          ("audio", "src"), ("object", "data"), ("embed", "src"), ("image", "href"), ("use", "href")}
QUIET = {"script", "style", "code", "pre"}  # whose text may look like anything


class Page(HTMLParser):
    """The links, places and faults of a page."""

    def __init__(self, text):
        super().__init__()
        self.links = []
        self.places = {"", "top"}
        self.faults = []
        self.quiet = 0
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        for name, value in attributes:
            if name in ("id", "name") and value:
                self.places.add(value)
            if value and name in ("href", "src", "data"):
                if (tag, name) in LOADED and re.match(r"([a-z]+:)?//", value):
                    self.faults.append(f"loads {value}")
                self.links.append(value)
        if tag in QUIET:
            self.quiet += 1

    def handle_endtag(self, tag):
        if tag in QUIET:
            self.quiet -= 1

    def handle_data(self, data):
        if self.quiet == 0:
            for sign in ("<!--", "-->", "](h", "](.", "```", "| |"):
                if sign in data:
                    self.faults.append(f"shows {sign!r} in: {data.strip()[:80]}")


def main(site, docs):
    pages = {path: Page(path.read_text(errors="replace")) for path in site.rglob("*.html")}
    faults = []
    links = 0
    pages.pop(site / "404.html", None)  # has addresses of the host's root, because it is shown for any address
    for path, page in sorted(pages.items()):
        name = path.relative_to(site)
        faults += [f"{name}: {fault}" for fault in page.faults]
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            links += 1
            target = path if not parts.path else (path.parent / unquote(parts.path)).resolve()
            if target.is_dir():
                target /= "index.html"
            if site not in target.parents or not target.is_file():
                faults.append(f"{name}: the link {link} leads to no file")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].places:
                faults.append(f"{name}: the link {link} leads to no place in its page")
    for sheet in site.rglob("*.css"):
        for found in re.findall(r"(?:url\(|@import )['\"]?(?:https?:)?//[^)'\"]*", sheet.read_text(errors="replace")):
            faults.append(f"{sheet.relative_to(site)}: loads {found}")

    wanted = {page.stem + ".html" for page in docs.glob("*.md") if page.stem != "README"}
    wanted |= {"index.html", "contributing.html", "reference/modules.html", "reference/group__options.html"}
    for name in sorted(wanted):
        if site / name not in pages:
            faults.append(f"there is no page {name}")
    index = site / "index.html"
    if index in pages:
        listed = {link.partition("#")[0] for link in pages[index].links} | {"index.html"}
        faults += [f"no link leads from index.html to {name}" for name in sorted(wanted - listed)]

    for fault in faults:
        print(fault)
    print(f"site: {len(pages)} pages, {links} links, {len(faults)} faults")
    return 1 if faults or len(pages) < 30 or links < 1000 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()))
