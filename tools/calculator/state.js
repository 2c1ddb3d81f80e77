// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// The state of the page as the fragment of its address: #v=1&gpus=sm_75,sm_90&block_x=256...

import {read_input, shortened} from './inputs.js';

const version = '1';

// `written`: the text of each field by its name.
export function fragment_of(written, gpus) {
  return `#${new URLSearchParams({v: version, gpus: gpus.join(','), ...written})}`;
}

// Returns {written, gpus}; or {error}, why a fragment cannot be read; or null if it has no state: it is empty, or names
// a place on the page.
export function read_fragment(fragment, model) {
  if (fragment.length < 2 || document.getElementById(fragment.slice(1)) !== null) return null;
  const words = new URLSearchParams(fragment.slice(1));
  if (words.get('v') === null) return {error: 'it has no version'};
  if (words.get('v') !== version) return {error: `it has version ${shortened(words.get('v'))}, and this page reads ${version}`};
  if (!words.get('gpus')) return {error: 'it has no GPUs'};
  const gpus = words.get('gpus').split(',');
  const unknown = gpus.find((id) => model.find_gpu(id) === undefined);
  if (unknown !== undefined) return {error: `there is no GPU “${shortened(unknown)}”`};
  const written = {};
  for (const input of model.inputs) {
    const text = words.get(input.name);
    if (text === null) return {error: `it has no ${input.name}`};
    const {error} = read_input(input, text);
    if (error !== undefined) return {error: `${input.name}: ${error.replace(/\.$/, '')}`};
    written[input.name] = text;
  }
  return {written, gpus};
}
