/** Samples of a service's memory over the time of a drill. */
import { quantile } from "./figures.ts"
import { send } from "./post.ts"
import { megabytesOf, type Run } from "./product.ts"

/** What was seen at one moment, in megabytes. */
export type Sample = { minute: number; resident: number; heap: number; external: number }

/** Looks at the memory of a process, and at what it says of itself. */
export async function sampleMemory(run: Run, minute: number): Promise<Sample> {
  const { text } = await send(`${run.address}/metrics`)
  const megabytes = (name: string) =>
    Math.round(Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]) / 1024 ** 2)
  return {
    minute,
    resident: megabytesOf(run.pid),
    heap: megabytes("nodejs_heap_size_used_bytes"),
    external: megabytes("nodejs_external_memory_bytes"),
  }
}

/** The medians of a minute, counted from 1. */
export function memoryOf(samples: readonly Sample[], minute: number): Omit<Sample, "minute"> {
  const own = samples.filter((sample) => sample.minute === minute)
  const middle = (pick: (sample: Sample) => number) => quantile(own.map(pick), 0.5)
  return {
    resident: middle(({ resident }) => resident),
    heap: middle(({ heap }) => heap),
    external: middle(({ external }) => external),
  }
}
