/** Loads QuickJS with a memory that cannot grow beyond its cap. */
import { readFile } from "node:fs/promises"
import { createRequire } from "node:module"
import quickJsBuild from "@jitl/quickjs-wasmfile-release-sync"
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSSyncVariant,
  type QuickJSWASMModule,
} from "quickjs-emscripten-core"

// Its declarations are written for CommonJS, where the build would be a member of the module.
const variant = quickJsBuild as unknown as QuickJSSyncVariant

// Node has it, but its declarations do not say so.
const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: {
    compile(bytes: Uint8Array): Promise<WebAssembly.Module>
    Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer }
  }
}

/** One instance of QuickJS and the memory that it lives in. */
export type Machine = {
  quickJs: QuickJSWASMModule
  /** Bytes taken so far; it never shrinks. */
  takenBytes(): number
}

/** The build of quickjs-emscripten 0.32 refuses to start with less. */
const firstPages = 256

/** The most that a machine can ever take is 64 MB. */
const maxPages = 1024

/** Compiles QuickJS once; each call of the returned function gives a new instance of it. */
export async function openMachines(): Promise<() => Promise<Machine>> {
  const path = createRequire(import.meta.url).resolve("@jitl/quickjs-wasmfile-release-sync/wasm")
  const wasmModule = await webAssembly.compile(await readFile(path))
  return async () => {
    // `setMemoryLimit` of the runtime does not hold for large blocks; the memory's own end does.
    const wasmMemory = new webAssembly.Memory({
      initial: firstPages,
      maximum: maxPages,
    })
    const quickJs = await newQuickJSWASMModuleFromVariant(
      newVariant(variant, { wasmModule, wasmMemory, emscriptenModule: silent }),
    )
    return { quickJs, takenBytes: () => wasmMemory.buffer.byteLength }
  }
}

// A machine that dies would write about it to the standard error of the whole process.
const silent: object = { print: () => {}, printErr: () => {} }
