// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// What a user takes away: the contract and the kernel's line, the command, and files.

// ---- the contract ---------------------------------------------------------------------------------------------------

function options_of(numbers, promised) {
  const shape = [numbers.block_x, numbers.block_y, numbers.block_z];
  while (shape.length > 1 && shape.at(-1) === 1) shape.pop();
  const options = [`threads_per_block<${shape.join(', ')}>`];
  const add = (option, number, default_number) => {
    if (number !== default_number) options.push(`${option}<${number}>`);
  };
  add('max_registers', numbers.registers, 0);
  add('static_shared_memory', numbers.static_shared, 0);
  add('dynamic_shared_memory', numbers.dynamic_shared, 0);
  add('barriers', numbers.barriers, 1);
  add('cluster_size', numbers.cluster, 1);
  options.push(`min_blocks_per_sm<${promised}>`);
  return options.map((option) => `wg::${option}`);
}

// The text to paste into a .cu file.
function contract_text(numbers, capabilities, promised) {
  const architectures = capabilities.map((capability) => `wg::sm<${capability}>`);
  return `#include <warpguard/launch.cuh>

namespace wg = warpguard;

struct my_contract
    : wg::contract<${options_of(numbers, promised).join(',\n                   ')}> {};

static_assert(wg::guarantee_on<my_contract, ${architectures.join(', ')}>);

__global__ void WARPGUARD_LAUNCH_BOUNDS(my_contract) my_kernel() {}
`;
}

// Returns {text, note}. `text` is empty if the library would refuse the contract.
export function contract_of(model, gpus, numbers, answers) {
  const reached = Math.min(...answers.map((answer) => answer.blocks_per_sm));
  const promised = numbers.minimum > 0 ? numbers.minimum : Math.max(reached, 1);
  const refused_on = new Map();  // the GPUs by reason
  for (const id of gpus) {
    const why = model.why_refused(id, numbers, promised);
    if (why !== '') refused_on.set(why, [...refused_on.get(why) ?? [], id]);
  }
  if (refused_on.size > 0) {
    const reasons = [...refused_on].map(([why, ids]) => `${why} (${ids.join(', ')})`).join('; ');
    const promise = `${promised} ${promised === 1 ? 'block' : 'blocks'} per SM`;
    return {text: '', note: `The build would refuse a contract that promises ${promise}: ${reasons}.`};
  }
  const capabilities = [...new Set(gpus.map((id) => model.find_gpu(id).compute_capability))];
  return {
    text: contract_text(numbers, capabilities, promised),
    note: numbers.carve_out < 0 ? '' : 'A contract states no carve-out: its promise is for the largest.',
  };
}

// ---- the command ----------------------------------------------------------------------------------------------------

// Returns {text, note}.
export function query_of(model, gpus, numbers) {
  const words = ['warpguard', 'query'];
  for (const id of gpus) words.push('--gpu', /^\w+$/.test(id) ? id : `"${id}"`);
  words.push('--threads', numbers.block_x * numbers.block_y * numbers.block_z);
  const add = (option, number, default_number) => {
    if (number !== default_number) words.push(option, number);
  };
  add('--registers', numbers.registers, 0);
  add('--shared', numbers.static_shared, 0);
  add('--dynamic-shared', numbers.dynamic_shared, 0);
  add('--barriers', numbers.barriers, 1);
  add('--carveout', numbers.carve_out, -1);
  const are_products = gpus.every((id) => model.find_gpu(id).name !== undefined);
  const asks_for_grid = numbers.grid > 0;
  if (asks_for_grid && are_products) words.push('--grid', numbers.grid);
  return {
    text: words.join(' '),
    note: asks_for_grid && !are_products ? 'Without --grid, because not every GPU is a product.' : '',
  };
}

// ---- copies and files -----------------------------------------------------------------------------------------------

// Copies a text. Browsers have no clipboard on pages that are neither local nor encrypted; then it is selected there.
export async function copy(text) {
  if (navigator.clipboard !== undefined) return navigator.clipboard.writeText(text);
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const is_copied = document.execCommand('copy');
  field.remove();
  if (!is_copied) throw new Error('the browser did not copy');
}

export function download(name, type, text) {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], {type}));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
