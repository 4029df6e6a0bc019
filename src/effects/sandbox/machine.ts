/** Loads QuickJS with a memory that cannot grow beyond its cap, and that can be put back. */
import quickJsBuild from "@jitl/quickjs-wasmfile-release-sync"
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core"

// Its declarations are for CommonJS, where the build is a member of the module.
const variant = quickJsBuild as unknown as QuickJSSyncVariant

// Missing in the declarations of Node.
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: {
    Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
  }
}

/** One instance of QuickJS, and its memory. */
export type Machine = {
  quickJs: QuickJSWASMModule
  /** Bytes of memory so far; it never shrinks. */
  takenBytes(): number
  /** Copies what is in the memory; the function returned puts that back. Nothing may run meanwhile. */
  copyMemory(): () => void
}

/** The build of quickjs-emscripten 0.32 refuses to start with less. */
const firstPages = 256

/** The most that a machine can ever take is 64 MB. */
const maxPages = 1024

/** Opens a new instance of the compiled QuickJS. */
export async function openMachine(wasmModule: WebAssembly.Module): Promise<Machine> {
  // `setMemoryLimit` of the runtime does not hold for large blocks; the end of the memory does.
  const wasmMemory = new webAssembly.Memory({ initial: firstPages, maximum: maxPages })
  const quickJs = await newQuickJSWASMModuleFromVariant(
    newVariant(variant, { wasmModule, wasmMemory, emscriptenModule: silent }),
  )
  return {
    quickJs,
    takenBytes: () => wasmMemory.buffer.byteLength,
    copyMemory: () => {
      const copies = usedParts(Buffer.from(wasmMemory.buffer)).map(({ start, end }) => {
        return { start, bytes: new Uint8Array(wasmMemory.buffer.slice(start, end)) }
      })
      return () => {
        // A memory that has grown has another buffer.
        const memory = new Uint8Array(wasmMemory.buffer)
        for (const { start, bytes } of copies) memory.set(bytes, start)
      }
    },
  }
}

const pageBytes = 64 * 1024
const emptyPage = Buffer.alloc(pageBytes)

/** Data and heap. The stack between them has 5 MB, and nothing in it counts while nothing runs. */
function usedParts(memory: Buffer): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = []
  for (let start = 0; start < memory.length; start += pageBytes) {
    if (memory.subarray(start, start + pageBytes).equals(emptyPage)) continue
    const last = parts.at(-1)
    // Short gaps are memory in use that happens to hold zeros.
    if (last && start - last.end < 2 ** 21) last.end = start + pageBytes
    else parts.push({ start, end: start + pageBytes })
  }
  return parts
}

// A machine that dies would otherwise write to the standard error of the process.
const silent: object = { print: () => {}, printErr: () => {} }
