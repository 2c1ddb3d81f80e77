// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// Makes elements of SVG.

export function svg(name, attributes = {}, ...children) {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

// Lines differ in colour and in dashes, so that they differ without colours too.
export const line_class = (index) => `line line${index % 6}`;
const dashes = ['', '8 3', '2 3', '8 3 2 3', '12 4', '5 2 1 2 1 2'];
export const dashes_of = (index) => dashes[(index + Math.floor(index / 6)) % 6];
