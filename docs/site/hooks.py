# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""What MkDocs does with the pages of docs/, which are written for the forge.

- The navigation is docs/README.md: its headings are the sections, its links the pages.
- `<!-- site: ... -->` in docs/README.md is a line for the site alone: what is built, and not a file of docs/.
- A link to a file or folder outside docs/ leads to a page with its text.
- Headings get the anchors that the forge gives them.
"""

import os
import re
from pathlib import Path, PurePosixPath

from mkdocs.structure.files import File

FENCE = re.compile(r"^( *)(```+|~~~+)")
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
SITE_LINE = re.compile(r"^<!-- site: (.*) -->$", re.MULTILINE)
LANGUAGES = {".cu": "cuda", ".cuh": "cuda", ".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".yml": "yaml",
             ".cmake": "cmake", ".txt": "cmake", ".mk": "make", ".ini": "ini", ".bzl": "starlark",
             ".bazel": "starlark", ".build": "meson"}

root = None  # the repository
generated = None  # what is on the site beside the pages of docs/
seen_anchors = {}  # of the page that is being rendered


def outside_of_code(text, change):
    """Returns the text with `change` applied to each line outside of fenced blocks."""
    lines = []
    fence = None
    for line in text.split("\n"):
        found = FENCE.match(line)
        if fence is None and found:
            fence = found.group(2)
        elif fence is not None and line.strip() == fence:
            fence = None
        elif fence is None:
            line = change(line)
        lines.append(line)
    return "\n".join(lines)


def outside_of_spans(line, change):
    """Returns the line with `change` applied to its parts outside of `code`."""
    return "".join(part if index % 2 else change(part) for index, part in enumerate(re.split(r"(`+[^`]*`+)", line)))


def place_on_site(file):
    """The page that a file or folder of the repository has, given by its path in the repository."""
    if file.parts[:1] == ("docs",):
        return PurePosixPath(*file.parts[1:])
    if file == PurePosixPath(".github/CONTRIBUTING.md"):
        return PurePosixPath("contributing.md")
    if file.suffix == ".md":
        return PurePosixPath("source", file)
    return PurePosixPath("source", str(file) + ".md")


def with_links(text, file):
    """Returns the page with links that lead to pages of the site; `file` is its path in the repository."""
    place = place_on_site(file)

    def replace(found):
        target, _, anchor = found.group(2).partition("#")
        if not target or re.match(r"[a-z]+:", target):
            return found.group(0)
        linked = PurePosixPath(os.path.normpath(file.parent / target))
        if not (root / linked).exists():
            return found.group(0)  # what is generated; MkDocs refuses what is not there
        to = os.path.relpath(place_on_site(linked), place.parent)
        return found.group(1) + to + ("#" + anchor if anchor else "") + found.group(3)

    return outside_of_code(text, lambda line: outside_of_spans(line, lambda part: LINK.sub(replace, part)))


def linked_outside(text, file):
    """The files and folders outside docs/ to which a page links."""
    found = set()

    def collect(line):
        for link in LINK.finditer(line):
            target = link.group(2).partition("#")[0]
            if not target or re.match(r"[a-z]+:", target):
                continue
            linked = PurePosixPath(os.path.normpath(file.parent / target))
            if linked.parts[0] != "docs" and (root / linked).exists():
                found.add(linked)
        return line

    outside_of_code(text, lambda line: outside_of_spans(line, collect))
    return found


def write(source, text):
    """Writes the page of a file or folder outside docs/."""
    page = generated / place_on_site(source)
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(text)


def fenced(text, file):
    language = LANGUAGES.get(file.suffix, "make" if file.name == "Makefile" else "text")
    return f"````{language}\n{text.rstrip()}\n````\n"


def write_source(source, written):
    """Writes a page with a file, or with the files of a folder and links to its folders."""
    if source in written:
        return
    written.add(source)
    path = root / source
    text = f"# {source}\n\n"
    if path.is_dir():
        for folder in sorted(entry for entry in path.iterdir() if entry.is_dir()):
            text += f"- [{folder.name}/]({path.name}/{folder.name}.md)\n"
            write_source(source / folder.name, written)
        for file in sorted(entry for entry in path.iterdir() if entry.is_file()):
            text += f"\n## {file.name}\n\n" + fenced(file.read_text(), file)
    else:
        text += fenced(path.read_text(), source)
    write(source, text)


def navigation(index):
    """The sections of docs/README.md with their links, as MkDocs wants them."""
    sections = [{"Start": [{"Overview": "README.md"}]}]
    title = None
    for line in index.split("\n"):
        if line.startswith("## "):
            title = line[3:]
        link = re.match(r"- \[([^]]+)\]\(([^)#]+)\)", line)
        if link and title:
            if title not in sections[-1]:
                sections.append({title: []})
            sections[-1][title].append({link.group(1): link.group(2)})
    return sections


def site_lines(text):
    """Uncovers the lines for the site, except for a calculator that was not built."""

    def uncover(found):
        is_there = "](calculator/" not in found.group(1) or (generated / "calculator" / "index.html").exists()
        return found.group(1) if is_there else ""

    return SITE_LINE.sub(uncover, text)


def slugify(text, separator):
    """The forge's anchor: lower case, no punctuation, hyphens for spaces, and a number if it was there before."""
    anchor = re.sub(r"[^\w -]", "", text.lower()).replace(" ", separator)
    count = seen_anchors.get(anchor, 0)
    seen_anchors[anchor] = count + 1
    return f"{anchor}{separator}{count}" if count else anchor


def on_config(config):
    global root, generated
    root = Path(config["docs_dir"]).parent
    generated = Path(config["extra"]["generated"])
    to_read = [PurePosixPath("docs", page.name) for page in (root / "docs").glob("*.md")]
    written = set()
    while to_read:
        page = to_read.pop()
        text = (root / page).read_text()
        if page.parts[0] != "docs":
            write(page, with_links(text, page))
        for linked in linked_outside(text, page) - written:
            if linked.suffix == ".md":
                written.add(linked)
                to_read.append(linked)
            else:
                write_source(linked, written)
    index = site_lines((root / "docs" / "README.md").read_text())
    config["nav"] = navigation(with_links(index, PurePosixPath("docs/README.md")))
    config["mdx_configs"].setdefault("toc", {})["slugify"] = slugify
    return config


def on_files(files, config):
    for file in list(files):
        is_of_site = file.src_uri.startswith("images/") or re.fullmatch(r"[^/]+\.md", file.src_uri)
        if root / "docs" in Path(file.abs_src_path).parents and not is_of_site:
            files.remove(file)
    for path in sorted(generated.rglob("*")):
        if path.is_file():
            files.append(File(path.relative_to(generated).as_posix(), str(generated), config["site_dir"], False))
    return files


def on_page_markdown(markdown, page, config, files):
    seen_anchors.clear()
    if page.file.src_uri == "README.md":
        markdown = site_lines(markdown)
    if Path(page.file.abs_src_path).parent == root / "docs":
        markdown = with_links(markdown, PurePosixPath("docs", page.file.src_uri))

    def change(line):
        if line.strip().startswith("<!-- ") and line.endswith(" -->"):
            return ""
        # Within a table the forge wants \| for a | in code, and shows |.
        if line.startswith("|"):
            return re.sub(r"`[^`]+`", lambda code: code.group(0).replace("\\|", "|"), line)
        return line

    return outside_of_code(markdown, change)
