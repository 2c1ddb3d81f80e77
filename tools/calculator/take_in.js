// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// The section that takes text of a build, and lists its kernels.

import {read_kernels} from './read_ptxas.js';

const element = (id) => document.getElementById(id);
const longest_shown = 200000;  // characters; a browser is slow to lay out more
const size_of = ({length}) => (length < 1e6 ? `${Math.ceil(length / 1e3)} kB` : `${(length / 1e6).toFixed(1)} MB`);
const on = (kernel) => `${kernel.name} on sm_${kernel.compute_capability}`;

const most_listed = 1000;  // of the kernels; a browser is slow to lay out more

// `choose`: called with the kernel that the user chooses.
export function make_take_in(choose) {
  let kernels = [];

  function say(error, read) {
    element('paste_error').textContent = error;
    element('paste').setAttribute('aria-invalid', String(error !== ''));
    element('paste_read').textContent = read;
    element('kernel_choice').hidden = kernels.length === 0;
    list_kernels();
  }

  // Lists the kernels that have the searched text in their names.
  function list_kernels() {
    const searched = element('kernel_search').value.trim();
    const found = kernels.map((kernel, index) => [kernel, index])
        .filter(([kernel]) => kernel.name.includes(searched) || kernel.symbol?.includes(searched));
    element('kernel').replaceChildren(new Option('Choose a kernel', ''), ...found.slice(0, most_listed).map(
        ([kernel, index]) => new Option(`${on(kernel)}: ${kernel.numbers.registers} registers`, index)));
    element('kernel_note').textContent = found.length <= most_listed ? ''
        : `The list has the first ${most_listed} of ${found.length}: search for others.`;
  }

  function take(text, origin) {
    const read = text.trim() === '' ? {} : read_kernels(text);
    kernels = read.kernels ?? [];
    element('kernel_search').value = '';
    if (read.error !== undefined || read.kind === undefined) return say(read.error ?? '', '');
    const names = new Set(kernels.map((kernel) => kernel.symbol ?? kernel.name)).size;
    const unread = read.unread > 0 ? ` ${read.unread} lines could not be read: the text is cut or mixed.` : '';
    say('', `Read ${size_of(text)} of ${origin}: ${read.kind}, ${names} ${names === 1 ? 'kernel' : 'kernels'}, ` +
        `${kernels.length} with ${kernels.length === 1 ? 'its' : 'their'} architecture.${unread}`);
    return undefined;
  }

  // A long text is read and not shown.
  function take_long(text, origin) {
    take(text, origin);
    if (text.length > longest_shown) {
      element('paste').value = '';
      element('paste_read').textContent += ' The field stays empty, because the text is long.';
    }
  }

  element('paste').addEventListener('input', () => take_long(element('paste').value, 'text'));
  element('paste').addEventListener('paste', (event) => {
    const text = event.clipboardData.getData('text/plain');
    if (text.length <= longest_shown) return;
    event.preventDefault();
    take_long(text, 'text');
  });
  element('paste_file').addEventListener('change', async () => {
    const [file] = element('paste_file').files;
    if (file === undefined) return;
    try {
      take(await file.text(), file.name);
    } catch (error) {
      kernels = [];
      say(`${file.name} cannot be read: ${error.message}`, '');
    }
  });
  element('kernel_search').addEventListener('input', list_kernels);
  element('kernel').addEventListener('change', () => {
    const kernel = kernels[element('kernel').value];
    if (kernel === undefined) return;
    element('kernel_note').textContent = choose(kernel);
  });
}
