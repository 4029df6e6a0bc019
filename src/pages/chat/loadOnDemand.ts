/** Loads what few chats need from the service. */
import type { onDemand } from "./onDemand.ts"

/** Rejects when the service cannot be reached, or the page around the chat forbids its scripts. */
export async function loadOnDemand(host: string): Promise<typeof onDemand> {
  const script = await import(`${host}/embed/on-demand.js?v=${ON_DEMAND_VERSION}`)
  return script.onDemand
}
