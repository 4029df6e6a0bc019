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
  /** Copies the used memory; the returned function restores it. Neither may be called while code runs. */
  copyMemory(): () => void
}

/** The build of quickjs-emscripten 0.32 does not start with less. */
const firstPages = 256

/** The hard limit of a machine: 64 MB. */
const maxPages = 1024

/** Opens a new instance of the compiled QuickJS. */
export async function openMachine(wasmModule: WebAssembly.Module): Promise<Machine> {
  // The runtime's `setMemoryLimit` does not apply to large blocks; the size of the memory does.
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
        // A memory that has grown has a new buffer.
        const memory = new Uint8Array(wasmMemory.buffer)
        for (const { start, bytes } of copies) memory.set(bytes, start)
      }
    },
  }
}

const pageBytes = 64 * 1024
const emptyPage = Buffer.alloc(pageBytes)

/** Finds data and heap. Between them is the stack of 5 MB, which is unused while no code runs. */
function usedParts(memory: Buffer): { start: number; end: number }[] {
  const parts: { start: number; end: number }[] = []
  for (let start = 0; start < memory.length; start += pageBytes) {
    if (memory.subarray(start, start + pageBytes).equals(emptyPage)) continue
    const last = parts.at(-1)
    // Short gaps are used memory that happens to contain zeros.
    if (last && start - last.end < 2 ** 21) last.end = start + pageBytes
    else parts.push({ start, end: start + pageBytes })
  }
  return parts
}

// Otherwise a dying machine would write to the standard error of the process.
const silent: object = { print: () => {}, printErr: () => {} }
