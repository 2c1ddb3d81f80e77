// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

/// @file
/// The style and the script of the HTML page. The table is complete without the script, which sorts and filters it.

#pragma once

namespace measure {

constexpr char const* page_style = R"(
:root { color-scheme: light dark; }
body { font: 15px/1.4 system-ui, sans-serif; margin: 1.5em; background: Canvas; color: CanvasText; }
table { border-collapse: collapse; }
th, td { border-bottom: 1px solid color-mix(in srgb, CanvasText 25%, Canvas); padding: .25em .6em; text-align: right; }
th { position: sticky; top: 0; background: Canvas; }
th button { font: inherit; border: 0; background: none; color: inherit; cursor: pointer; padding: 0; }
th:first-child, td:first-child, th:nth-child(11), td:nth-child(11) {
  text-align: left; min-width: 16em; max-width: 60ch; overflow-wrap: anywhere;
}
p { overflow-wrap: anywhere; max-width: 100ch; }
code { font-family: ui-monospace, monospace; }
.fails { font-weight: bold; border: 2px solid; padding: 0 .25em; }
.tools { margin: 1em 0; display: none; gap: 1em; }
.script .tools { display: flex; flex-wrap: wrap; }
svg { vertical-align: middle; }
polyline { fill: none; stroke: currentColor; stroke-width: 1.5; }
)";

constexpr char const* page_script = R"(
'use strict';
document.documentElement.className = 'script';
const table = document.querySelector('table');
const body = table.tBodies[0];
const rows = Array.from(body.rows);
const [text, gpu, changed] = ['text', 'gpu', 'changed'].map(id => document.getElementById(id));
for (const name of new Set(rows.map(row => row.cells[1].textContent))) gpu.add(new Option(name, name));
function filter() {
  const words = text.value.toLowerCase();
  for (const row of rows) {
    row.hidden = !row.cells[0].textContent.toLowerCase().includes(words)
      || (gpu.value !== '' && row.cells[1].textContent !== gpu.value)
      || (changed.checked && row.dataset.changed === undefined);
  }
}
for (const control of [text, gpu, changed]) control.addEventListener('input', filter);
const value = (row, column) => row.cells[column].dataset.value ?? row.cells[column].textContent;
Array.from(table.tHead.rows[0].cells).forEach((heading, column) => {
  const button = document.createElement('button');
  button.textContent = heading.textContent;
  heading.replaceChildren(button);
  let direction = -1;
  button.addEventListener('click', () => {
    direction = -direction;
    for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
    heading.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
    rows.sort((a, b) => direction * value(a, column).localeCompare(value(b, column), 'en', {numeric: true}));
    body.append(...rows);
  });
});
)";

}  // namespace measure
