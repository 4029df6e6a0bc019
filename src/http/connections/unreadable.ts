/** Answers malformed and slow HTTP requests with the error document. */
import type { Server } from "node:http"
import { newUuid } from "../../ids.ts"
import type { Refusal } from "../../routers/refusal.ts"
import { problemOf } from "../problem.ts"
import type { Connections } from "./connections.ts"

/** Answers what Node's parser refuses; by itself Node sends no body. */
export function answerUnreadable(server: Server, connections: Connections): void {
  server.on("clientError", (error: Error & { code?: string }, socket) => {
    const response = connections.responseOn(socket)
    const isHalfSent = response?.headersSent === true && !response.writableFinished
    // A second answer inside the first would be taken for part of it.
    if (isHalfSent || !socket.writable || error.code === "ECONNRESET") {
      socket.destroy(error)
      return
    }
    socket.end(rawResponse(refusalOf(error.code), newUuid()), () => socket.destroy())
  })
}

/** By the codes of Node 20's server and of llhttp 9. */
function refusalOf(code: string | undefined): Refusal {
  switch (code) {
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return { status: 408, code: "TIMEOUT", message: "The request came too slowly" }
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return { status: 413, code: "PAYLOAD_TOO_LARGE", message: "The chunks are too large" }
    case "HPE_HEADER_OVERFLOW":
      return { status: 400, code: "BAD_REQUEST", message: "Address and headers are too long" }
    default:
      return { status: 400, code: "BAD_REQUEST", message: "This is no HTTP request" }
  }
}

/** The whole answer of HTTP that refuses a request. */
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
