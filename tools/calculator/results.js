// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// The table of results, with a column for each GPU, and the same numbers as CSV.

const plural = (count, noun) => `${count} ${noun}${count === 1 ? '' : 's'}`;
const percent = (number) => `${number}\u00a0%`;  // no line ends before the sign
const runs = (answer) => answer.blocks_per_sm > 0;

// "32 registers (8 fewer): 8 blocks, 100 %".
function words_of(step, unit) {
  const by = Math.abs(step.by);
  return `${step.amount} ${unit} (${by} ${step.by < 0 ? 'fewer' : 'more'}): ` +
      `${plural(step.blocks_per_sm, 'block')}, ${percent(step.occupancy_percent)}`;
}

const steps_to = (answer, which) => answer.next_steps.filter((each) => each[which] !== null)
    .map((each) => words_of(each[which], each.unit));

function sizes_with_more_warps(answer) {
  return [answer.more_warps_in_smaller_blocks, answer.more_warps_in_larger_blocks]
      .filter((step) => step !== null).map((step) => words_of(step, 'threads'));
}

function words_of_waves({waves}) {
  if (waves === undefined) return '–';
  const full = `${plural(waves.full_waves, 'full wave')} of ${waves.slots} blocks`;
  const tail = waves.tail_blocks > 0 ? ` and a last one of ${waves.tail_blocks}` : '';
  return `${full}${tail}; ${percent(waves.percent)} of the slots used`;
}

function words_of_largest_cluster(answer) {
  const more = answer.max_cluster_nonportable;
  if (more === null) return `${answer.max_cluster}; more is not published`;
  return more > answer.max_cluster ? `${answer.max_cluster}, or ${more} with the opt-in` : String(answer.max_cluster);
}

const limits_of = (answer) => answer.limits.filter((limit) => limit.limits).map((limit) => limit.name);
const limiter_of = (answer) => (runs(answer) ? limits_of(answer).join(' and ') : `cannot run: ${answer.obstructed_by}`);
export const sentence_of = (answer) => (runs(answer)
    ? `${plural(answer.blocks_per_sm, 'block')}, ${percent(answer.occupancy_percent)}, limited by ${limiter_of(answer)}`
    : limiter_of(answer));

// The rows: a name, a heading, and what a cell shows: text, a list of texts, or {text, limits}.
function rows_of(answers) {
  const rows = [
    ['occupancy_percent', 'Occupancy', (answer) => percent(answer.occupancy_percent)],
    ['blocks_per_sm', 'Blocks', (answer) => String(answer.blocks_per_sm)],
    ['warps_per_sm', 'Warps', (answer) => `${answer.warps_per_sm} of ${answer.max_warps_per_sm}`],
    ['limited_by', 'Limited by', limiter_of],
  ];
  answers[0].limits.forEach(({name}, index) => {
    rows.push([`limit_${name.replace(' ', '_')}`, `Blocks by ${name}`, (answer) => {
      const {blocks, limits} = answer.limits[index];
      return {text: String(blocks ?? 'any'), limits};
    }]);
  });
  const units = [...new Set(answers.flatMap((answer) => answer.next_steps.map((each) => each.unit)))];
  for (const unit of units) {
    rows.push([`headroom_${unit}`, `Headroom in ${unit}`, (answer) => {
      const step = answer.next_steps.find((each) => each.unit === unit);
      return step === undefined ? '–' : String(step.headroom);
    }]);
  }
  rows.push(
      ['more_blocks', 'More blocks with one change', (answer) => steps_to(answer, 'more_blocks')],
      ['more_warps', 'More warps with another block', sizes_with_more_warps],
      ['fewer_blocks', 'Fewer blocks from here on', (answer) => steps_to(answer, 'fewer_blocks')],
      ['max_cluster', 'Largest cluster', words_of_largest_cluster],
      ['cluster', 'This cluster', (answer) => answer.cluster]);
  if (answers.some((answer) => answer.max_active_clusters !== undefined)) {
    rows.push(['max_active_clusters', 'Active clusters at most',
      (answer) => String(answer.max_active_clusters ?? '–')]);
  }
  if (answers.some((answer) => answer.waves !== undefined)) rows.push(['waves', 'Waves', words_of_waves]);
  return rows;
}

function list_of(texts) {
  const list = document.createElement('ul');
  list.append(...texts.map((text) => {
    const item = document.createElement('li');
    item.textContent = text;
    return item;
  }));
  return list;
}

function fill(cell, shown) {
  delete cell.dataset.limits;
  if (Array.isArray(shown)) {
    cell.replaceChildren(shown.length > 0 ? list_of(shown) : '–');
  } else if (shown.limits) {
    const mark = document.createElement('strong');
    mark.textContent = `${shown.text} ◂ limits`;
    cell.replaceChildren(mark);
    cell.dataset.limits = 'true';
  } else {
    cell.textContent = shown.text ?? shown;
  }
}

function heading_of(text, scope) {
  const heading = document.createElement('th');
  heading.scope = scope;
  heading.textContent = text;
  return heading;
}

const table = () => document.getElementById('results_table');
let made_for = '';  // the GPUs and rows of the table
let cells = [];  // by row and GPU: the cell and what it shows

export function clear_results() {
  table().replaceChildren();
  made_for = '';
}

function make_table(gpus, rows) {
  const head = document.createElement('tr');
  head.append(heading_of('GPU', 'col'), ...gpus.map((id) => heading_of(id, 'col')));
  cells = rows.map(([name]) => gpus.map((id) => {
    const cell = document.createElement('td');
    cell.dataset.gpu = id;
    cell.dataset.output = name;
    return {cell, shown: ''};
  }));
  const body = rows.map(([, heading], index) => {
    const row = document.createElement('tr');
    row.append(heading_of(heading, 'row'), ...cells[index].map(({cell}) => cell));
    return row;
  });
  table().replaceChildren(document.createElement('thead'), document.createElement('tbody'));
  table().tHead.append(head);
  table().tBodies[0].append(...body);
  table().style.setProperty('--gpus', gpus.length);
}

// `gpus`: ids, in the order of `answers`. Only cells that change are filled anew.
export function show_results(gpus, answers) {
  const rows = rows_of(answers);
  const needed = JSON.stringify([gpus, rows.map(([name]) => name)]);
  if (needed !== made_for) make_table(gpus, rows);
  made_for = needed;
  rows.forEach(([, , shown_in], row) => answers.forEach((answer, column) => {
    const shown = shown_in(answer);
    const written = JSON.stringify(shown);
    const place = cells[row][column];
    if (place.shown !== written) fill(place.cell, shown);
    place.shown = written;
  }));
}

// ---- CSV ------------------------------------------------------------------------------------------------------------

// Every number of the answers; members of members have both names.
function flat(value, name, into) {
  if (Array.isArray(value)) {
    for (const each of value) flat(each, `${name}_${(each.name ?? each.unit).replace(' ', '_')}`, into);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, each] of Object.entries(value)) {
      if (key !== 'name' && key !== 'unit') flat(each, name === '' ? key : `${name}_${key}`, into);
    }
  } else {
    into[name] = value ?? '';
  }
  return into;
}

const quoted = (value) => (/[",\n]/.test(value) ? `"${String(value).replaceAll('"', '""')}"` : String(value));

export function csv_of(gpus, numbers, answers) {
  const rows = answers.map((answer, index) => ({gpu: gpus[index], ...numbers, ...flat(answer, '', {})}));
  const columns = [...new Set(rows.flatMap(Object.keys))];
  return [columns, ...rows.map((row) => columns.map((column) => row[column] ?? ''))]
      .map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}
