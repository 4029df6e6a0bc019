/** What is changed of a conversation. */
import type { Inputs } from "../shell/api.ts"

export type Change = Omit<Inputs["conversation"]["updateSession"], "sessionId">
