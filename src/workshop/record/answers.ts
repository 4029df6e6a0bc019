/** Describes calls to the outside as questions, and reads typed answers. */
import { cut } from "../../lib/cut.ts"
import { readJson } from "../../lib/foreignJson.ts"
import type { Answered, Asked } from "./openRecording.ts"

/** Hints for calls whose answers matter. */
const hints: Partial<Record<Asked["kind"], string>> = {
  http: "status and JSON or text; empty line: 200 {}",
  sheet: "status and JSON; empty line: 200 {}",
  email: "empty line: sent",
  model: "its answer",
  paymentIntent: "empty line: it can be made",
  paymentCheck: "empty line: it was made; no: it was not",
}

/** The question; undefined: the answer does not matter. */
export function questionOf(asked: Asked): { text: string; hint: string } | undefined {
  const hint = hints[asked.kind]
  return hint === undefined ? undefined : { text: wordsOf(asked), hint: `${hint}; !text: fails` }
}

function wordsOf(asked: Asked): string {
  switch (asked.kind) {
    case "http": {
      const { method, url, body } = asked.request
      return [method, cut(url, 1_000), body && cut(body, 1_000)].filter(Boolean).join(" ")
    }
    case "sheet":
      return "spreadsheet"
    case "email":
      return `email to ${cut(asked.to.join(", "))}: ${cut(asked.subject ?? "")}`
    case "model": {
      const said = asked.messages.at(-1)?.content ?? ""
      const words = cut(typeof said === "string" ? said : JSON.stringify(said), 1_000)
      return `${asked.model ?? "model"}: ${words}`
    }
    case "mcpTool": {
      const given = asked.arguments.map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
      return `tool ${cut(asked.tool)}: ${cut(given.join(", "), 1_000)}`
    }
    case "paymentIntent":
      return `payment of ${asked.amount} of the smallest units of ${asked.currency}`
    default:
      return "payment"
  }
}

export function readAnswer({ kind }: Asked, line: string): Answered {
  const typed = line.trim()
  if (typed.startsWith("!")) return { fail: typed.slice(1, 1_001).trim() || "No answer" }
  switch (kind) {
    case "http":
    case "sheet":
      return readResponse(typed, kind)
    case "email":
      return {}
    case "model":
    case "mcpTool":
      return { text: line.slice(0, 100_000) }
    case "paymentIntent":
      return { intentId: "pi_1", clientSecret: "pi_1_secret_1", publicKey: "pk_test_1" }
    case "paymentCheck":
      return { succeeded: !/^no?$/i.test(typed) }
    case "qrCode":
      return { url: "https://files.example/code.png" }
    case "jwt":
      return { token: "e30.e30.e30" }
  }
}

/** `404`, `{"id": 42}`, `201 {"id": 42}`, `500 Oh no`; other lines are text. */
function readResponse(typed: string, kind: "http" | "sheet"): Answered {
  const [, status, body = ""] = /^(?:([1-5]\d\d)(?:\s+|$))?(.*)$/s.exec(typed) ?? []
  const answer = { status: Number(status ?? 200) }
  if (body === "") {
    return status === undefined || kind === "sheet" ? { ...answer, json: {} } : answer
  }
  const json = readJson(body)
  if (json === body && kind === "http") return { ...answer, text: body.slice(0, 100_000) }
  return { ...answer, json: json as AnsweredJson }
}

/** A body of JSON that answers a request. */
export type AnsweredJson = Extract<Answered, { json?: unknown; status: number }>["json"]
