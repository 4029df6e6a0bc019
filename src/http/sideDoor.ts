/** The contract of what answers beside the procedures. */
import type { Exchange } from "./exchange.ts"

/**
 * The work that answers a request; undefined: it concerns something else, which is found out without
 * waiting because every request asks. What the work rejects with is answered.
 */
export type SideDoor = (exchange: Exchange) => Promise<void> | undefined
