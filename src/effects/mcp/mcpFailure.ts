/** Describes errors of connections to MCP servers, in words of the server where it has refused. */
import type { Failure } from "../../engine/calls.ts"
import { pick } from "../../lib/foreignJson.ts"
import { failed, networkFailure } from "../failures.ts"
import { ProviderError } from "../models/dialogue.ts"

const who = "The MCP server"
const unusable = `${who} gave no answer that can be used`

/** The code of the SDK for requests without an answer. */
const requestTimeout = -32_001

export function mcpFailure(error: unknown): Failure {
  if (error instanceof ProviderError) {
    const { message: details, status } = error
    if (status === undefined) return failed(unusable, { details })
    const reason = status === 401 || status === 403 ? "credentials" : undefined
    return failed(`${who} refused with status ${status}`, {
      details: details || undefined,
      status,
      reason,
      isInternal: true,
    })
  }
  // Errors of the SDK, which is not loaded here.
  const { name, message } = error instanceof Error ? error : { name: "", message: "" }
  if (name === "McpError") {
    return pick(error, "code") === requestTimeout
      ? failed(`${who} did not answer in time`, { reason: "timeout" })
      : failed(`${who} refused the call`, { details: message, isInternal: true })
  }
  if (name.endsWith("ZodError") || message.startsWith("Server's protocol version")) {
    const details = "It does not speak MCP, or only an unknown version of it"
    return failed(unusable, { details })
  }
  return networkFailure(error, who)
}
