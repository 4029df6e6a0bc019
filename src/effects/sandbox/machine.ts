/** Loads QuickJS with a memory that cannot grow beyond its cap. */
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
  return { quickJs, takenBytes: () => wasmMemory.buffer.byteLength }
}

// A machine that dies would otherwise write to the standard error of the process.
const silent: object = { print: () => {}, printErr: () => {} }
