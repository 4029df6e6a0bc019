/** Measures what the heap holds. */
import { once } from "node:events"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { Worker } from "node:worker_threads"
import { until } from "./waiting.ts"

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

/** Waits for work, and collects all the while what nothing refers to any more. */
export async function whileCollecting<Result>(work: Promise<Result>): Promise<Result> {
  let isOver = false
  const end = () => {
    isOver = true
  }
  work.then(end, end)
  await until(() => {
    collect()
    return isOver
  })
  return await work
}

/** Bytes outside of the heap that something still refers to, such as those of files. */
export function heldBuffers(): number {
  collect()
  return process.memoryUsage().arrayBuffers
}

/** Bytes of the heap that something still refers to. */
export function heldBytes(): number {
  collect()
  return process.memoryUsage().heapUsed
}

/**
 * Bytes that a value takes once it was parsed from its JSON. Measured in a heap of its own: to collect one
 * with the product in it takes half a second.
 */
export async function parsedBytes(text: string): Promise<number> {
  const worker = new Worker(measuring, { eval: true, workerData: text })
  const [bytes] = await once(worker, "message")
  await worker.terminate()
  return bytes
}

const measuring = `
const { parentPort, workerData } = require("node:worker_threads")
const collect = require("node:vm").runInNewContext("gc")
const heldBytes = () => {
  collect()
  return process.memoryUsage().heapUsed
}
const before = heldBytes()
const parsed = JSON.parse(workerData)
const bytes = heldBytes() - before
// The value is in use until here.
parentPort.postMessage(parsed === undefined ? 0 : bytes)
`
