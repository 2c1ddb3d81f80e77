// SPDX-License-Identifier: BSL-1.0
// Copyright the warpguard authors

// Calls the module. It describes its inputs and GPUs, and answers in JSON, so this page has no list of either.

const text = new TextDecoder();

function read_json(exports, address) {
  const bytes = new Uint8Array(exports.memory.buffer, address);
  return JSON.parse(text.decode(bytes.subarray(0, bytes.indexOf(0))));
}

// What a person calls a GPU: a product's name, or sm_90.
function id_of(gpu) {
  return gpu.name ?? `sm_${gpu.compute_capability}`;
}

async function instantiate(address) {
  try {
    return await WebAssembly.instantiateStreaming(fetch(address));
  } catch {
    // A server may not know the type of the file.
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${address}: ${response.status}`);
    return WebAssembly.instantiate(await response.arrayBuffer());
  }
}

export async function load_model(address) {
  const {exports} = (await instantiate(address)).instance;
  const {inputs, gpus} = read_json(exports, exports.describe());
  for (const gpu of gpus) gpu.id = id_of(gpu);
  const index_of = new Map(gpus.map((gpu, index) => [gpu.id, index]));

  function set_inputs(numbers) {
    inputs.forEach((input, index) => {
      const number = numbers[input.name] ?? (input.may_be_empty ? input.when_empty : undefined);
      const is_in_range = input.least <= number && number <= input.most;
      const is_empty = input.may_be_empty && number === input.when_empty;
      if (!Number.isSafeInteger(number) || !(is_in_range || is_empty)) {
        throw new RangeError(`${input.name} is no whole number from ${input.least} to ${input.most}`);
      }
      exports.set_input(index, number);
    });
  }
  function index_for(gpu) {
    if (!index_of.has(gpu)) throw new RangeError(`no GPU is called ${gpu}`);
    return index_of.get(gpu);
  }

  return {
    inputs,
    gpus,
    find_gpu: (id) => gpus[index_of.get(id)],
    // Each takes the id of a GPU and the numbers by the names of the inputs.
    answer(gpu, numbers) {
      set_inputs(numbers);
      return read_json(exports, exports.answer(index_for(gpu)));
    },
    curves(gpu, numbers) {
      set_inputs(numbers);
      return read_json(exports, exports.curves(index_for(gpu)));
    },
    // Why the library refuses a contract that promises so many blocks, or an empty text.
    why_refused(gpu, numbers, promised) {
      set_inputs(numbers);
      return read_json(exports, exports.check_contract(index_for(gpu), promised)).refused;
    },
  };
}
