// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// The fields: reads them, and says beside a field what is wrong with it.

const element = (id) => document.getElementById(id);
const kib = 1024;

// Reads a whole number; with `k` or `KiB` after it, KiB. Returns NaN for all else.
function read_number(written, takes_kib) {
  const [, digits, unit] = /^(\d+) ?(k|K|KiB)?$/.exec(written) ?? [];
  if (digits === undefined || (unit && !takes_kib)) return NaN;
  return Number(digits) * (unit ? kib : 1);
}

// Returns {number}, or {error} in words.
export function read_input(input, written) {
  written = written.trim();
  if (written === '') {
    return input.may_be_empty ? {number: input.when_empty} : {error: `Write a number from ${range_of(input)}.`};
  }
  const number = read_number(written, takes_kib(input));
  if (Number.isNaN(number)) return {error: `“${shortened(written)}” is no whole number from ${range_of(input)}.`};
  const is_in_range = input.least <= number && number <= input.most;
  if (!is_in_range) return {error: `${shortened(written)} is outside ${range_of(input)}.`};
  return {number};
}

const takes_kib = (input) => input.name.endsWith('_shared');
const range_of = (input) => `${input.least} to ${input.most}`;
export const shortened = (written) => (written.length > 24 ? `${written.slice(0, 24)}…` : written);

function show_error(id, error) {
  const place = element(`${id}_error`);
  if (place.textContent !== error) place.textContent = error;
}

// The numbers without those of empty fields.
export function given_numbers(model, numbers) {
  const is_empty = ({name, may_be_empty, when_empty}) => may_be_empty && numbers[name] === when_empty;
  return Object.fromEntries(model.inputs.map((input) => [input.name, is_empty(input) ? '' : numbers[input.name]]));
}

// The text of each field by its name.
export function written_inputs(model) {
  return Object.fromEntries(model.inputs.map(({name}) => [name, element(name).value.trim()]));
}

export function write_input(name, text) {
  element(name).value = text;
}

// Returns {numbers, gpus, bad}: the numbers by name, the ids of the GPUs, and the labels of bad fields.
export function read_inputs(model) {
  const numbers = {};
  const bad = [];
  for (const input of model.inputs) {
    const field = element(input.name);
    const {number, error} = read_input(input, field.value);
    show_error(input.name, error ?? '');
    field.setAttribute('aria-invalid', String(error !== undefined));
    if (error === undefined) numbers[input.name] = number;
    else bad.push(input.name);
  }
  const gpus = chosen_gpus();
  show_error('gpus', gpus.length === 0 ? 'Choose at least one GPU.' : '');
  if (gpus.length === 0) bad.push('gpus');
  return {numbers, gpus, bad: bad.map(label_of)};
}

function label_of(name) {
  return name === 'gpus' ? 'GPUs' : document.querySelector(`label[for="${name}"]`).textContent;
}

// ---- GPUs -----------------------------------------------------------------------------------------------------------

const boxes = () => [...document.querySelectorAll('#gpus_list input')];

export function chosen_gpus() {
  return boxes().filter((box) => box.checked).map((box) => box.value);
}

export function choose_gpus(ids) {
  for (const box of boxes()) box.checked = ids.includes(box.value);
  show_chosen();
  scroll_to_chosen();
}

// The oldest architectures are at the top of the list, which few people choose.
function scroll_to_chosen() {
  const list = element('gpus_list');
  const first = boxes().find((box) => box.checked);
  if (first) list.scrollTop += first.parentElement.getBoundingClientRect().top - list.getBoundingClientRect().top;
}

export const default_gpus = () => element('gpus').dataset.default.split(' ');

const version_of = (gpu) => `${Math.floor(gpu.compute_capability / 10)}.${gpu.compute_capability % 10}`;

function show_chosen() {
  element('gpus_chosen').replaceChildren(...chosen_gpus().map((id) => {
    const item = document.createElement('li');
    const button = document.createElement('button');
    button.type = 'button';
    button.dataset.removes = id;
    button.textContent = `${id} ×`;
    button.setAttribute('aria-label', `Remove ${id}`);
    item.append(button);
    return item;
  }));
}

// Shows the GPUs that have each searched word in one of their names.
function filter_gpus() {
  const words = element('gpus_search').value.toLowerCase().split(/\s+/);
  for (const label of document.querySelectorAll('#gpus_list label')) {
    label.hidden = !words.every((word) => label.dataset.names.includes(word));
  }
  element('gpus_none').hidden = document.querySelector('#gpus_list label:not([hidden])') !== null;
}

// Makes the boxes. `changed` is called when the choice changes.
export function show_gpus(model, changed) {
  const list = element('gpus_list');
  list.replaceChildren(...model.gpus.map((gpu) => {
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.value = gpu.id;
    const note = document.createElement('small');
    note.textContent = gpu.name ? `${version_of(gpu)}, ${gpu.sms} SMs` : version_of(gpu);
    const label = document.createElement('label');
    label.append(box, ` ${gpu.id} `, note);
    const capability = gpu.compute_capability;
    const names = [gpu.id, `sm_${capability}`, `sm${capability}`, version_of(gpu), gpu.other_names ?? ''];
    label.dataset.names = names.join(' ').toLowerCase();
    return label;
  }));
  list.addEventListener('change', () => {
    show_chosen();
    changed();
  });
  element('gpus_search').addEventListener('input', filter_gpus);
  element('gpus_chosen').addEventListener('click', (event) => {
    const removed = event.target.dataset.removes;
    if (removed === undefined) return;
    choose_gpus(chosen_gpus().filter((id) => id !== removed));
    element('gpus_search').focus();
    changed();
  });
}
