# SPDX-License-Identifier: BSL-1.0
# Copyright the warpguard authors

"""python3 terminal.py <text> <picture.svg>

Draws a text as a terminal shows it. The text stays text: it can be searched and is read aloud. A line that begins with
`$ ` is a command, a line of dots stands for lines that are left out, and a line that is too long goes on in the next.
"""

import sys
import textwrap
from html import escape
from pathlib import Path

COLUMNS = 112
ADVANCE = 7.8  # of a character, in pixels
LINE = 19

STYLE = """
.paper { fill: #f6f8fa; stroke: #d0d7de; }
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, "DejaVu Sans Mono", monospace; fill: #1f2328;
  white-space: pre; }
.command { font-weight: 600; }
.bad { fill: #b42318; font-weight: 600; }
.quiet { fill: #57606a; }
@media (prefers-color-scheme: dark) {
.paper { fill: #161b22; stroke: #30363d; }
text { fill: #e6edf3; }
.bad { fill: #ff8078; }
.quiet { fill: #a5aeb8; }
}
"""


def class_of(line):
    if line.startswith("$ "):
        return "command"
    if line.strip() == "...":
        return "quiet"
    return "bad" if "error:" in line or line.startswith("WORSE") else ""


def rows_of(line):
    indent = " " * (len(line) - len(line.lstrip()) + 2)
    return textwrap.wrap(line, COLUMNS, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False,
                         drop_whitespace=True) or [""]


def draw(text):
    rows = [(row, class_of(line)) for line in text.rstrip("\n").split("\n") for row in rows_of(line)]
    width = round(max(len(row) for row, _ in rows) * ADVANCE) + 40
    height = LINE * len(rows) + 32
    command = text.split("\n", 1)[0].removeprefix("$ ")
    drawn = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
             f'viewBox="0 0 {width} {height}" role="img" aria-labelledby="title description">',
             f'<title id="title">What {escape(command.split()[0])} prints</title>',
             f'<desc id="description">{escape(text.strip())}</desc>',
             f"<style>{STYLE}</style>",
             f'<rect class="paper" x="0.5" y="0.5" width="{width - 1}" height="{height - 1}" rx="6"/>']
    for number, (row, name) in enumerate(rows):
        if row:
            style = f' class="{name}"' if name else ""
            drawn.append(f'<text x="20" y="{LINE * number + 30}" xml:space="preserve"{style}>{escape(row)}</text>')
    return "\n".join(drawn) + "\n</svg>\n"


if __name__ == "__main__":
    Path(sys.argv[2]).write_text(draw(Path(sys.argv[1]).read_text()))
