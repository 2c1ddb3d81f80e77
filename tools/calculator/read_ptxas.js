// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// Reads the kernels of a build from the output of `ptxas -v`, a lock, or JSON that the program wrote. Returns
// {kind, kernels, unread}: each kernel has a name, the architecture that it was compiled for, and the numbers of the
// form that are known. `unread` counts lines that look like the format and cannot be read. Or returns {error}.

const lock_line = /^(.+) sm_(\d+(?:,\d+)*): (registers=.+)$/;

// ---- ptxas -v -------------------------------------------------------------------------------------------------------

const ptxas_info = /^ptxas info *: (.*)$/;
const compiling = /^Compiling entry function '([^']+)' for '(?:sm|compute|lto)_(\d+)[a-z]?'$/;
const sum_of = (terms) => terms.split('+').reduce((sum, term) => sum + Number(term), 0);

// Reads `Used 40 registers, used 1 barriers, 48+0 bytes smem`. Returns null if it has no registers.
function numbers_used(text) {
  const numbers = {registers: null, static_shared: 0, barriers: 0};
  for (const part of text.slice('Used '.length).split(', ')) {
    const [, amount, what] = /^(?:used )?(\d+(?:\+\d+)*) (.+)$/.exec(part) ?? [];
    if (what === 'registers') numbers.registers = sum_of(amount);
    if (what === 'barriers') numbers.barriers = sum_of(amount);
    if (what === 'bytes smem') numbers.static_shared += sum_of(amount);
  }
  return numbers.registers === null ? null : numbers;
}

// The name of a function of namespaces: app::sum for _ZN3app3sumEPf. Other names stay as they are.
export function plain_name(symbol) {
  const [, nested, rest] = /^_Z(N?)(\d.*)$/.exec(symbol) ?? [];
  if (rest === undefined) return symbol;
  const parts = [];
  let at = 0;
  for (let digits; (digits = /^\d+/.exec(rest.slice(at, at + 6))) !== null && (nested || parts.length === 0);) {
    const begin = at + digits[0].length;
    at = begin + Number(digits[0]);
    if (at > rest.length) return symbol;
    parts.push(rest.slice(begin, at));
  }
  return nested && rest[at] !== 'E' ? symbol : parts.join('::');
}

function read_ptxas(lines) {
  const kernels = [];
  let unread = 0;
  let open = null;  // the kernel whose numbers come next
  for (const line of lines) {
    const [, text] = ptxas_info.exec(line) ?? [];
    if (text === undefined) {
      if (line.includes('ptxas info')) ++unread;  // two lines are mixed
      continue;
    }
    if (text.startsWith('Compiling entry function')) {
      if (open !== null) ++unread;
      const [, symbol, capability] = compiling.exec(text) ?? [];
      open = symbol === undefined ? null : {name: plain_name(symbol), symbol, compute_capability: Number(capability)};
      if (open === null) ++unread;
    } else if (text.startsWith('Used ')) {
      const numbers = numbers_used(text);
      if (open !== null && numbers !== null) kernels.push({...open, numbers});
      else ++unread;
      open = null;
    }
  }
  if (open !== null) ++unread;
  return {kind: 'output of ptxas', kernels, unread};
}

// ---- a lock ---------------------------------------------------------------------------------------------------------

// The words of a lock's line that the form has a field for. `any:256` and `?` are not known.
function numbers_of_lock(text) {
  const words = new Map(text.split(' ').map((word) => word.split('=')));
  const number_of = (word) => (/^\d+$/.test(words.get(word) ?? '') ? Number(words.get(word)) : undefined);
  return {registers: number_of('registers'), static_shared: number_of('static'), dynamic_shared: number_of('dynamic'),
    barriers: number_of('barriers'), threads: number_of('threads')};
}

function read_lock(lines) {
  const kernels = [];
  let unread = 0;
  for (const line of lines) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, capabilities, text] = lock_line.exec(line) ?? [];
    if (name !== undefined) {
      const numbers = numbers_of_lock(text);
      if (numbers.registers === undefined) ++unread;
      else for (const each of capabilities.split(',')) kernels.push({name, compute_capability: Number(each), numbers});
    } else if (!/^(warpguard-lock|policy|compare|allow|compiler|end) /.test(line)) {
      ++unread;
    }
  }
  return {kind: 'lock', kernels, unread};
}

// ---- JSON -----------------------------------------------------------------------------------------------------------

function read_json(text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return {error: `This begins as JSON, and is none: ${error.message}`};
  }
  if (!Array.isArray(value?.kernels)) return {error: 'This JSON has no list “kernels”: it is none of warpguard.'};
  const whole = (number) => (Number.isSafeInteger(number) && number >= 0 ? number : undefined);
  let unread = 0;
  const kernels = [];
  for (const one of value.kernels) {
    const name = one?.name ?? one?.kernel;
    const compute_capability = whole(one?.compute_capability);
    const registers = whole(one?.registers);
    if (typeof name !== 'string' || compute_capability === undefined || registers === undefined) {
      ++unread;
      continue;
    }
    kernels.push({name, symbol: one.symbol, compute_capability, numbers: {registers,
      static_shared: whole(one.static_shared_memory), dynamic_shared: whole(one.dynamic_shared_memory),
      barriers: whole(one.barriers), threads: one.threads_stated === false ? undefined : whole(one.threads)}});
  }
  return {kind: 'JSON of warpguard', kernels, unread};
}

// ---- any of them ----------------------------------------------------------------------------------------------------

export function read_kernels(text) {
  if (/^\s*[{[]/.test(text)) return read_json(text);
  const lines = text.split(/\r*\n/);
  const is_lock = lines[0].startsWith('warpguard-lock ') || lock_line.test(lines[0]);
  const read = is_lock ? read_lock(lines) : read_ptxas(lines);
  if (read.kernels.length > 0) return read;
  if (is_lock) return {error: 'This lock has no kernel that can be read.'};
  return {error: read.unread > 0 ? 'This output of ptxas is cut: no kernel has its line “Used … registers”.'
    : 'This is no output of ptxas -v, no lock and no JSON of warpguard. Compile with nvcc -Xptxas -v and paste all.'};
}
