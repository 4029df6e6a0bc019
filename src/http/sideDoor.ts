/** The contract of what answers beside the procedures. */
import type { Exchange } from "./exchange.ts"

/** Answers a request, or says false when it concerns something else; what it throws is answered. */
export type SideDoor = (exchange: Exchange) => Promise<boolean>
