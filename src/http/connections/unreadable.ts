/** Answers malformed and slow HTTP requests with the error document. */
import type { Server } from "node:http"
import { AppError, badRequest, tooLarge } from "../../lib/errors.ts"
import { newUuid } from "../../lib/ids.ts"
import { describeRefusal, type Refusal } from "../../routers/refusal.ts"
import { problemOf } from "../problem.ts"
import type { Connections } from "./connections.ts"

/** Answers requests that Node's parser refuses; Node itself would send no body. */
export function answerUnreadable(server: Server, connections: Connections): void {
  server.on("clientError", (error: Error & { code?: string }, socket) => {
    const response = connections.responseOn(socket)
    const isHalfSent = response?.headersSent === true && !response.writableFinished
    // The client would take a second answer for part of the first.
    if (isHalfSent || !socket.writable || error.code === "ECONNRESET") {
      socket.destroy(error)
      return
    }
    socket.end(rawResponse(describeRefusal(refusalOf(error.code)), newUuid()), () =>
      socket.destroy(),
    )
  })
}

/** Those of Node 20. */
const maxExtensionBytes = 16 * 1024

/** The refusal for a code of Node 20's server or of llhttp 9. */
function refusalOf(code: string | undefined): AppError {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return new AppError("TIMEOUT", "The request came too slowly")
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return tooLarge("The chunk extensions are too long", maxExtensionBytes)
    case "HPE_HEADER_OVERFLOW":
      return badRequest("The address and headers are too long")
    default:
      return badRequest("This is not an HTTP request")
  }
}

/** Writes a refusal as a whole HTTP response. */
export function rawResponse(refusal: Refusal, requestId: string): string {
  const problem = problemOf(refusal, requestId)
  const body = JSON.stringify(problem)
  return [
    `HTTP/1.1 ${problem.status} ${problem.title}`,
    "content-type: application/problem+json; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    `x-request-id: ${requestId}`,
    // Pages of other origins may read every refusal.
    "access-control-allow-origin: *",
    "connection: close",
    "",
    body,
  ].join("\r\n")
}
