// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// The three curves: the occupancy over threads, registers and shared memory, with a marker that snaps to steps.

import {dashes_of, line_class, svg} from './svg.js';

const box = {width: 380, height: 230, left: 38, right: 16, top: 10, bottom: 34};
const inner_width = box.width - box.left - box.right;
const inner_height = box.height - box.top - box.bottom;
const captions = {
  threads: ['Threads per block', (amount) => String(amount)],
  registers: ['Registers per thread', (amount) => String(amount)],
  shared_memory: ['Shared memory per block, KiB', (amount) => `${Math.round(amount / 102.4) / 10}`],
};
const y_of = (percent) => box.top + inner_height * (1 - percent / 100);

// A run is [first amount, last amount, blocks, warps, percent].
const run_at = (curve, amount) => curve.runs.find(([, last]) => amount <= last);
const most_of = (curve) => curve.runs.at(-1)[1];

// ---- drawing --------------------------------------------------------------------------------------------------------

// The distance of ticks: at most six are shown.
function tick_distance(most, unit) {
  let distance = unit;
  while (most / distance > 6) distance *= 2;
  return distance;
}

function axes(name, most, x_of) {
  const [caption, written] = captions[name];
  const group = svg('g', {class: 'axes'});
  for (const percent of [0, 25, 50, 75, 100]) {
    group.append(svg('line', {x1: box.left, x2: box.width - box.right, y1: y_of(percent), y2: y_of(percent)}));
    group.append(svg('text', {x: box.left - 4, y: y_of(percent) + 4, 'text-anchor': 'end'},
        percent === 100 ? '100 %' : percent));
  }
  const distance = tick_distance(most, name === 'shared_memory' ? 8192 : 32);
  for (let amount = 0; amount <= most; amount += distance) {
    const y = box.height - box.bottom;
    group.append(svg('line', {x1: x_of(amount), x2: x_of(amount), y1: y, y2: y + 4}));
    group.append(svg('text', {x: x_of(amount), y: y + 15, 'text-anchor': 'middle'}, written(amount)));
  }
  group.append(svg('text', {x: box.left + inner_width / 2, y: box.height - 4, 'text-anchor': 'middle'}, caption));
  return group;
}

function path_of(curve, x_of) {
  return curve.runs.map(([first, last, , , percent], index) => {
    const begin = index === 0 ? `M${x_of(first)} ${y_of(percent)}` : `V${y_of(percent)}`;
    return `${begin}H${x_of(last)}`;
  }).join('');
}

// ---- one curve ------------------------------------------------------------------------------------------------------

// Shows the curve `name`. `set` is called with the amount that the user chooses.
function make_curve(name, set) {
  const [caption] = captions[name];
  const picture = svg('svg', {viewBox: `0 0 ${box.width} ${box.height}`, tabindex: 0, role: 'slider',
    'data-curve': name, 'aria-label': `Occupancy over ${caption.toLowerCase()}`,
    'aria-describedby': `curve_${name}_readout`});
  picture.id = `curve_${name}`;
  const readout = document.createElement('p');
  readout.id = `curve_${name}_readout`;
  readout.setAttribute('aria-live', 'off');
  const figure = document.createElement('figure');
  figure.append(picture, readout);
  const marker = svg('g', {class: 'marker'});

  let gpus = [];
  let curves = [];  // of the GPUs
  let amounts = [];  // at which the marker stops, ascending
  let most = 0;
  let at = 0;  // an index in `amounts`
  let drawn_axes = null;
  let drawn_most = 0;
  const x_of = (amount) => box.left + inner_width * amount / most;

  function show_marker() {
    const amount = amounts[at];
    const known = curves.map((curve) => run_at(curve, amount));
    const parts = known.map((run, index) => (run === undefined ? `${gpus[index]}: too much`
        : `${gpus[index]}: ${run[2]} ${run[2] === 1 ? 'block' : 'blocks'}, ${run[4]} %`));
    marker.replaceChildren(
        svg('line', {x1: x_of(amount), x2: x_of(amount), y1: box.top, y2: box.height - box.bottom}),
        ...known.flatMap((run, index) => (run === undefined ? []
            : [svg('circle', {cx: x_of(amount), cy: y_of(run[4]), r: 4, class: line_class(index)})])));
    const words = `${amount} ${name === 'shared_memory' ? 'bytes' : name}`;
    readout.textContent = `${words}. ${parts.join('; ')}`;
    picture.setAttribute('aria-valuenow', amount);
    picture.setAttribute('aria-valuetext', readout.textContent);
    picture.dataset.amount = amount;
  }

  // The step that is nearest to a pointer.
  function move_to_pointer(event) {
    const area = picture.getBoundingClientRect();
    const x = (event.clientX - area.left) * box.width / area.width;
    const wanted = (x - box.left) / inner_width * most;
    let nearest = 0;
    amounts.forEach((amount, index) => {
      if (Math.abs(amount - wanted) < Math.abs(amounts[nearest] - wanted)) nearest = index;
    });
    at = nearest;
    show_marker();
  }
  function back_to_now() {
    at = Math.max(0, amounts.indexOf(curves[0].now));
    show_marker();
  }

  // Only the curve that a user moves on is read out.
  picture.addEventListener('focus', () => readout.setAttribute('aria-live', 'polite'));
  picture.addEventListener('blur', () => readout.setAttribute('aria-live', 'off'));
  picture.addEventListener('pointermove', (event) => amounts.length > 0 && move_to_pointer(event));
  picture.addEventListener('pointerleave', () => amounts.length > 0 && back_to_now());
  picture.addEventListener('click', (event) => {
    if (amounts.length === 0) return;
    move_to_pointer(event);
    set(name, amounts[at]);
  });
  picture.addEventListener('keydown', (event) => {
    if (amounts.length === 0) return;
    const last = amounts.length - 1;
    const page = 5;
    const moves = {ArrowRight: at + 1, ArrowUp: at + 1, ArrowLeft: at - 1, ArrowDown: at - 1, PageUp: at + page,
      PageDown: at - page, Home: 0, End: last};
    if (event.key in moves) {
      at = Math.min(Math.max(moves[event.key], 0), last);
      show_marker();
    } else if (event.key === 'Enter' || event.key === ' ') {
      set(name, amounts[at]);
    } else if (event.key === 'Escape') {
      back_to_now();
    } else {
      return;
    }
    event.preventDefault();
  });

  return {
    figure,
    show(ids, of_gpus) {
      gpus = ids;
      curves = of_gpus;
      most = Math.max(...curves.map(most_of));
      const ends = curves.flatMap((curve) => curve.runs.map(([, last]) => last));
      const now = curves[0].now;
      amounts = [...new Set([...ends, ...(now <= most ? [now] : [])])].sort((one, other) => one - other);
      picture.setAttribute('aria-valuemin', amounts[0]);
      picture.setAttribute('aria-valuemax', amounts.at(-1));
      if (drawn_most !== most) drawn_axes = axes(name, most, x_of);
      drawn_most = most;
      figure.hidden = false;
      picture.replaceChildren(drawn_axes,
          ...(now <= most ? [svg('line', {class: 'now', x1: x_of(now), x2: x_of(now), y1: box.top,
            y2: box.height - box.bottom})] : []),
          ...curves.map((curve, index) => svg('path', {class: line_class(index), d: path_of(curve, x_of),
            'stroke-dasharray': dashes_of(index), 'data-gpu': gpus[index]})),
          marker);
      back_to_now();
    },
    clear() {
      amounts = [];
      figure.hidden = true;
      picture.replaceChildren();
      readout.textContent = '';
    },
  };
}

// ---- all curves -----------------------------------------------------------------------------------------------------

function show_legend(gpus) {
  document.getElementById('legend').replaceChildren(...gpus.map((id, index) => {
    const item = document.createElement('li');
    item.append(svg('svg', {viewBox: '0 0 40 10', width: 40, height: 10, 'aria-hidden': true},
        svg('path', {class: line_class(index), d: 'M0 5H40', 'stroke-dasharray': dashes_of(index)})), ` ${id}`);
    return item;
  }));
}

// `set`: called with the name of a curve and the amount that the user chooses.
export function make_curves(set) {
  const all = Object.keys(captions).map((name) => make_curve(name, set));
  document.getElementById('curves').append(...all.map((curve) => curve.figure));
  return {
    // `curves`: those of each GPU, as the module gives them.
    show(gpus, curves) {
      show_legend(gpus);
      all.forEach((curve, index) => curve.show(gpus, curves.map((of_gpu) => of_gpu[index])));
    },
    clear() {
      show_legend([]);
      for (const curve of all) curve.clear();
    },
  };
}

// ---- as a file ------------------------------------------------------------------------------------------------------

// The curves below each other, with a legend and the colours of this page.
export function svg_of_curves() {
  const pictures = [...document.querySelectorAll('#curves svg')];
  const lines = [...document.querySelectorAll('#legend li')];
  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);
  const rules = [0, 1, 2, 3, 4, 5].map((index) => `.line${index}{stroke:${colour(`line${index}`)}}`).join('');
  const style = svg('style', {}, `text{font:11px sans-serif;fill:${colour('ink')}}.axes line{stroke:${colour('rule')}}` +
      `.line{fill:none;stroke-width:2}${rules}.now,.marker line{stroke:${colour('edge')};stroke-dasharray:1 2}`);
  const legend_height = 18 * lines.length + 8;
  const height = legend_height + pictures.length * box.height;
  const root = svg('svg', {width: box.width, height, viewBox: `0 0 ${box.width} ${height}`}, style,
      svg('rect', {width: '100%', height: '100%', fill: colour('paper')}));
  lines.forEach((line, index) => root.append(
      svg('path', {class: line_class(index), d: `M${box.left} ${18 * index + 14}h40`,
        'stroke-dasharray': dashes_of(index)}),
      svg('text', {x: box.left + 48, y: 18 * index + 18}, line.textContent.trim())));
  pictures.forEach((picture, index) => {
    const place = `translate(0 ${legend_height + index * box.height})`;
    root.append(svg('g', {transform: place}, ...[...picture.children].map((child) => child.cloneNode(true))));
  });
  return new XMLSerializer().serializeToString(root);
}
