/** Loads parts from the service that the first messages of a chat do not need. */
import type { onDemand } from "./onDemand.ts"

const loaded = new Map<string, typeof onDemand>()

/** The parts loaded already. */
export function loadedOnDemand(host: string): typeof onDemand | undefined {
  return loaded.get(host)
}

/** Rejects when the service cannot be reached, or the page around the chat forbids its scripts. */
export async function loadOnDemand(host: string): Promise<typeof onDemand> {
  const script = await import(`${host}/embed/on-demand.js?v=${ON_DEMAND_VERSION}`)
  loaded.set(host, script.onDemand)
  return script.onDemand
}
