/** How long a start takes: from the command to the first answer of a chat, the first time and again. */
import { copyProduct, removeFolder, startProduct } from "../drills/product.ts"

const limitsMs = { first: 10_000, second: 3_000 }

/** Starts a copy of the product twice, with nothing built and no data before the first time. */
export async function run(): Promise<void> {
  const folder = await copyProduct()
  try {
    for (const [name, limitMs] of Object.entries(limitsMs)) {
      const { readyMs, answeredMs } = await start(folder)
      const verdict = answeredMs < limitMs ? "ok" : "too slow"
      console.log(
        `${name} start: ready after ${readyMs} ms, chat answered after ${answeredMs} ms (wanted: < ${limitMs} ms, ${verdict})`,
      )
    }
  } finally {
    await removeFolder(folder)
  }
}

async function start(folder: string): Promise<{ readyMs: number; answeredMs: number }> {
  const startedAt = performance.now()
  const service = await startProduct(folder)
  const readyMs = Math.round(performance.now() - startedAt)
  try {
    await service.api.start("demo")
    return { readyMs, answeredMs: Math.round(performance.now() - startedAt) }
  } finally {
    service.child.kill("SIGTERM")
    await service.ended
  }
}
