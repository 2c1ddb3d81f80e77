// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// Draws an SM that is filled block by block: warp slots, register file and shared memory.

import {svg} from './svg.js';

const width = 320;
const columns = 16;  // of warp slots
const gap = 2;

// One path for all rectangles of a kind, because an SM has many warp slots.
class rectangles {
  paths = {block0: '', block1: '', free: ''};
  texts = [];

  add(kind, x, y, of_width, height) {
    this.paths[kind] += `M${x} ${y}h${of_width}v${height}h${-of_width}z`;
  }
  add_text(x, y, text) {
    this.texts.push(svg('text', {x, y, 'text-anchor': 'middle'}, text));
  }
  group() {
    return svg('g', {}, ...Object.entries(this.paths).map(([kind, d]) => svg('path', {class: kind, d})), ...this.texts);
  }
}

const tint = (block) => `block${block % 2}`;

function warp_slots(limit, blocks, top) {
  const side = (width - gap * (columns - 1)) / columns;
  const drawn = new rectangles();
  for (let slot = 0; slot < limit.per_sm; ++slot) {
    const block = Math.floor(slot / limit.per_block);
    const x = slot % columns * (side + gap);
    const y = top + Math.floor(slot / columns) * (side + gap);
    drawn.add(block < blocks ? tint(block) : 'free', x, y, side, side);
    if (block < blocks && slot % limit.per_block === 0) drawn.add_text(x + side / 2, y + side / 2 + 4, block + 1);
  }
  return {group: drawn.group(), height: Math.ceil(limit.per_sm / columns) * (side + gap)};
}

function bar(limit, blocks, top) {
  const height = 18;
  const of_block = limit.per_sm > 0 ? width * limit.per_block / limit.per_sm : 0;
  const drawn = new rectangles();
  for (let block = 0; block < blocks && of_block > 0; ++block) {
    drawn.add(tint(block), block * of_block, top, of_block, height);
    if (of_block > 14) drawn.add_text((block + 0.5) * of_block, top + 13, block + 1);
  }
  drawn.add('free', blocks * of_block, top, Math.max(width - blocks * of_block, 0), height);
  return {group: drawn.group(), height};
}

function taken(limit, blocks, unit) {
  const is_unknown = limit.name === 'registers' && limit.per_block === 0;
  return is_unknown ? 'not known' : `${blocks * limit.per_block} of ${limit.per_sm} ${unit}`;
}

function picture_of(id, answer) {
  const limit_of = (name) => answer.limits.find((limit) => limit.name === name);
  const blocks = answer.blocks_per_sm;
  const parts = [
    ['Warp slots', 'warps', 'warps', warp_slots],
    ['Register file', 'registers', 'registers', bar],
    ['Shared memory', 'shared memory', 'bytes', bar],
  ];
  const picture = svg('svg', {role: 'img', 'data-gpu': id});
  let top = 0;
  const words = [];
  for (const [caption, name, unit, draw] of parts) {
    const limit = limit_of(name);
    const numbers = taken(limit, blocks, unit);
    words.push(`${caption}: ${numbers}`);
    picture.append(svg('text', {x: 0, y: top + 12}, `${caption}: ${numbers}`));
    const {group, height} = draw(limit, blocks, top + 18);
    picture.append(group);
    top += height + 30;
  }
  picture.setAttribute('viewBox', `-1 0 ${width + 2} ${top}`);
  picture.setAttribute('aria-label', `${id}, ${blocks} blocks. ${words.join('. ')}`);
  const caption = document.createElement('figcaption');
  caption.textContent = blocks > 0 ? `${id}: ${blocks} ${blocks === 1 ? 'block' : 'blocks'}`
      : `${id}: cannot run: ${answer.obstructed_by}`;
  const figure = document.createElement('figure');
  figure.append(caption, ...(blocks > 0 ? [picture] : []));
  return figure;
}

export function show_sm_pictures(gpus, answers) {
  const pictures = answers.map((answer, index) => picture_of(gpus[index], answer));
  document.getElementById('sm_pictures').replaceChildren(...pictures);
}
