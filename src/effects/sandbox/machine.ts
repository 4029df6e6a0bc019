/** Loads QuickJS with a memory that has a hard limit and can be restored. */
import quickJsBuild from "@jitl/quickjs-wasmfile-release-sync"
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core"

// The type declarations are for CommonJS, where the build is a member of the module.
const variant = quickJsBuild as unknown as QuickJSSyncVariant

// Missing in Node's type declarations.
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: {
    Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
  }
}

/** An instance of QuickJS and its memory. */
export type Machine = {
  quickJs: QuickJSWASMModule
  /** The size of the memory in bytes; it never shrinks. */
  takenBytes(): number
  /**
   * Copies the used memory. The returned function restores it and clears everything that code has used
   * since. `allocate` takes a block from the allocator; none of the three may be called while code runs.
   */
  copyMemory(allocate: (bytes: number) => void): () => void
}

/** The build of quickjs-emscripten 0.32 does not start with less. */
const firstPages = 256

/** The hard limit of a machine: 64 MB. */
const maxPages = 1024

/** Creates a new instance of the compiled QuickJS. */
export async function createMachine(wasmModule: WebAssembly.Module): Promise<Machine> {
  // The runtime's `setMemoryLimit` does not apply to large blocks; the size of the memory does.
  const wasmMemory = new webAssembly.Memory({ initial: firstPages, maximum: maxPages })
  const quickJs = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmModule, wasmMemory, emscriptenModule: silent }),
  )
  return {
    quickJs,
    takenBytes: () => wasmMemory.buffer.byteLength,
    copyMemory: (allocate) => copyMemory(() => new Uint8Array(wasmMemory.buffer), allocate),
  }
}

const pageBytes = 64 * 1024

/** `memory` returns a view of the whole memory: one that has grown has a new buffer. */
function copyMemory(
  memory: () => Uint8Array,
  allocate: (bytes: number) => void,
): ReturnType<Machine["copyMemory"]> {
  const copies = usedParts(memory()).map(({ start, end }) => {
    return { start, end, bytes: memory().slice(start, end) }
  })
  const [data, heap] = copies
  if (!data || !heap || copies.length > 2) throw new Error("The memory has an unknown layout")
  const readHeapEnd = findHeapEnd(memory, data.end, allocate)
  const reset = () => {
    const bytes = memory()
    const end = readHeapEnd(bytes)
    // The heap only grows: with another end, the script has damaged the machine and may have used anything.
    const isDamaged = end < firstEnd || end > bytes.length
    bytes.fill(0, heap.end, isDamaged ? bytes.length : Math.max(heap.end, end))
    clearStack(bytes, data.end, heap.start)
    for (const copy of copies) bytes.set(copy.bytes, copy.start)
  }
  const firstEnd = readHeapEnd(new Uint8Array(data.bytes))
  reset()
  return reset
}

const emptyPage = Buffer.alloc(pageBytes)

function isEmpty(memory: Uint8Array, start: number): boolean {
  return emptyPage.equals(memory.subarray(start, start + pageBytes))
}

/** Finds data and heap. Between them is the stack of 5 MB, which is unused while no code runs. */
function usedParts(memory: Uint8Array): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = []
  for (let start = 0; start < memory.length; start += pageBytes) {
    if (isEmpty(memory, start)) continue
    const last = parts.at(-1)
    // Short gaps are used memory that happens to contain zeros.
    if (last && start - last.end < 2 ** 21) last.end = start + pageBytes
    else parts.push({ start, end: start + pageBytes })
  }
  return parts
}

/** Clears what code left on the stack, which grows down; frames leave no page between them empty. */
function clearStack(memory: Uint8Array, bottom: number, top: number): void {
  for (
    let start = top - pageBytes;
    start >= bottom && !isEmpty(memory, start);
    start -= pageBytes
  ) {
    memory.fill(0, start, start + pageBytes)
  }
}

const blockBytes = 4 * pageBytes

/**
 * Finds where the allocator keeps the end of the heap, which only rises: `sbrk` is not exported. Several
 * words of the data grow with every large block (totals, the top chunk); the end is the largest of them.
 */
function findHeapEnd(
  memory: () => Uint8Array,
  dataEnd: number,
  allocate: (bytes: number) => void,
): (memory: Uint8Array) => number {
  const words = () => new Uint32Array(memory().slice(0, dataEnd).buffer)
  const before = words()
  allocate(blockBytes)
  const between = words()
  allocate(blockBytes)
  const after = words()
  const { length } = memory()
  let address = 0
  let end = 0
  // Without closures, which cold code calls slowly: there are 32,000 words, and a thread does this once.
  for (let index = 0; index < after.length; index++) {
    const word = after[index] ?? 0
    if (word <= end || word > length) continue
    const last = word - (between[index] ?? 0)
    const first = word - last - (before[index] ?? 0)
    if (Math.min(first, last) < blockBytes || Math.max(first, last) > 2 * blockBytes) continue
    address = index * Uint32Array.BYTES_PER_ELEMENT
    end = word
  }
  if (end === 0) throw new Error("The end of the heap was not found")
  return (bytes) => new DataView(bytes.buffer).getUint32(address, true)
}

// Otherwise a dying machine would write to the standard error of the process.
const silent: object = { print: () => {}, printErr: () => {} }
