// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// Starts the page: loads the module, and shows the answers anew whenever an input changes.

import {make_curves, svg_of_curves} from './curves.js';
import {contract_of, copy, download, query_of} from './hand_out.js';
import {choose_gpus, chosen_gpus, default_gpus, read_inputs, show_gpus, given_numbers, write_input, written_inputs}
  from './inputs.js';
import {load_model} from './model.js';
import {clear_results, csv_of, sentence_of, show_results} from './results.js';
import {show_sm_pictures} from './sm_picture.js';
import {fragment_of, read_fragment} from './state.js';
import {make_take_in} from './take_in.js';

const element = (id) => document.getElementById(id);
const page = document.documentElement;

function start(model) {
  const curves = make_curves(set_amount);
  let csv = '';
  let timer = 0;
  const defaults = {written: written_inputs(model), gpus: default_gpus()};

  // ---- showing ----

  // Shows in place of all numbers why there are none.
  function show_unknown(bad) {
    const why = bad.length === 0 ? '' : `No results: correct ${bad.map((label) => `“${label}”`).join(', ')}.`;
    for (const place of document.querySelectorAll('.unknown')) {
      place.hidden = why === '';
      place.textContent = why;
    }
    for (const id of ['download_svg', 'download_csv']) element(id).disabled = why !== '';
    for (const button of document.querySelectorAll('[data-copies]')) button.disabled = why !== '';
    if (why === '') return;
    clear_results();
    element('sm_pictures').replaceChildren();
    curves.clear();
    csv = '';
    show_text('contract_text', {text: '', note: why}, 'contract_note');
    show_text('query_command', {text: '', note: why}, 'query_note');
    element('link').removeAttribute('href');
    announce(why);
  }

  function show_text(id, {text, note}, note_id) {
    element(id).textContent = text;
    element(id).hidden = text === '';
    element(note_id).textContent = note;
    element(note_id).hidden = note === '';
    document.querySelector(`[data-copies="${id}"]`).disabled = text === '';
  }

  // A screen reader says the results when the user pauses; the address is written then, too.
  function announce(words, fragment) {
    clearTimeout(timer);
    element('announcement').textContent = '';
    timer = setTimeout(() => {
      element('announcement').textContent = words;
      if (fragment !== undefined && location.hash !== fragment) history.replaceState(null, '', fragment);
    }, 400);
  }

  function compute() {
    const {numbers, gpus, bad} = read_inputs(model);
    show_unknown(bad);
    element('copied').textContent = '';
    if (bad.length === 0) {
      const answers = gpus.map((id) => model.answer(id, numbers));
      show_results(gpus, answers);
      curves.show(gpus, gpus.map((id) => model.curves(id, numbers)));
      show_sm_pictures(gpus, answers);
      show_text('contract_text', contract_of(model, gpus, numbers, answers), 'contract_note');
      show_text('query_command', query_of(model, gpus, numbers), 'query_note');
      csv = csv_of(gpus, given_numbers(model, numbers), answers);
      const fragment = fragment_of(written_inputs(model), gpus);
      element('link').href = fragment;
      announce(answers.map((answer, index) => `${gpus[index]}: ${sentence_of(answer)}`).join('. '), fragment);
    }
    page.dataset.computed = Number(page.dataset.computed ?? 0) + 1;
  }

  // ---- what changes the inputs ----

  function set_threads(threads) {
    const per_row = Number(element('block_y').value) * Number(element('block_z').value);
    const keeps_rows = threads % per_row === 0;
    write_input('block_x', keeps_rows ? threads / per_row : threads);
    if (keeps_rows) return;
    write_input('block_y', 1);
    write_input('block_z', 1);
  }

  // Sets the input of a curve. Dynamic shared memory is what static leaves of the bytes.
  function set_amount(name, amount) {
    const {numbers} = read_inputs(model);
    if (name === 'threads') set_threads(amount);
    if (name === 'registers') write_input('registers', amount);
    if (name === 'shared_memory') {
      write_input('static_shared', Math.min(numbers.static_shared, amount));
      write_input('dynamic_shared', Math.max(amount - numbers.static_shared, 0));
    }
    compute();
  }

  // Fills the form with the numbers of a kernel, and returns what the user should know.
  function choose_kernel({compute_capability, numbers}) {
    const {threads, ...others} = numbers;
    for (const [name, number] of Object.entries(others)) {
      if (number !== undefined) write_input(name, number);
    }
    if (threads !== undefined) {
      write_input('block_x', threads);
      write_input('block_y', 1);
      write_input('block_z', 1);
    }
    const id = `sm_${compute_capability}`;
    const is_known = model.find_gpu(id) !== undefined;
    const chosen = chosen_gpus();
    const is_chosen = chosen.some((each) => model.find_gpu(each).compute_capability === compute_capability);
    if (is_known && !is_chosen) choose_gpus([...chosen, id]);
    compute();
    const missing = [...(threads === undefined ? ['the block'] : []),
      ...(others.dynamic_shared === undefined ? ['the dynamic shared memory'] : [])].join(' and ');
    return `Filled with the numbers of the code for ${id}${is_known ? '' : ', which warpguard does not know'}; ` +
        'code for other architectures may take others.' +
        (missing === '' ? '' : ` The text does not state ${missing}: what is above stays.`);
  }

  function restore({written, gpus}) {
    for (const [name, text] of Object.entries(written)) write_input(name, text);
    choose_gpus(gpus);
  }

  function restore_from_address() {
    const state = read_fragment(location.hash, model);
    const error = state?.error;
    element('state_error').hidden = error === undefined;
    element('state_error').textContent = error === undefined ? ''
        : `The link's state cannot be read: ${error}. The page shows its defaults.`;
    if (state !== null) restore(error === undefined ? state : defaults);
    compute();
  }

  // ---- the start ----

  show_gpus(model, compute);
  choose_gpus(default_gpus());
  make_take_in(choose_kernel);
  element('inputs').addEventListener('input', (event) => {
    if (model.inputs.some(({name}) => name === event.target.id)) compute();
  });
  element('inputs').addEventListener('submit', (event) => event.preventDefault());
  window.addEventListener('hashchange', restore_from_address);
  for (const button of document.querySelectorAll('[data-copies]')) {
    button.addEventListener('click', async () => {
      const source = element(button.dataset.copies);
      try {
        await copy(source.href ?? source.textContent);
        element('copied').textContent = 'Copied.';
      } catch (error) {
        element('copied').textContent = `Not copied: ${error.message}.`;
      }
    });
  }
  element('download_svg').addEventListener('click', () => download('occupancy.svg', 'image/svg+xml', svg_of_curves()));
  element('download_csv').addEventListener('click', () => download('occupancy.csv', 'text/csv', csv));
  restore_from_address();
  window.warpguard = {answer: (gpu, inputs) => model.answer(gpu, inputs)};
  page.dataset.ready = 'true';
}

function fail(words) {
  element('status').textContent = words;
  element('status').hidden = false;
  element('gpus_list').replaceChildren();
}

if (typeof WebAssembly === 'undefined') {
  fail('This browser has no WebAssembly, so the page shows no numbers. `warpguard query` gives the same answers.');
} else {
  load_model('warpguard.wasm').then(start,
      (error) => fail(`The module does not load, so the page shows no numbers: ${error.message}`));
}
