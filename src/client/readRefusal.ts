/** Reads refusals that did not come through a link of tRPC, as the error that such a link would throw. */
import { TRPCClientError } from "@trpc/client"
import superjson, { type SuperJSONResult } from "superjson"
import type { AppRouter } from "../routers/app.ts"
import type { ParleyError } from "./errors.ts"

type Shape = NonNullable<ParleyError["shape"]>
type Data = Shape["data"]

/** What plain REST answers (RFC 9457). */
type Problem = Pick<Data, "code" | "issues"> & {
  message: string
  status: number
  instance?: string
}

/** The error of an answer: that of plain REST or of tRPC, or a sentence for the answer of another program. */
export async function readRefusal(response: Response): Promise<ParleyError> {
  const { status } = response
  const read = async (): Promise<unknown> => JSON.parse(await response.text())
  const answer = await read().catch(() => undefined)
  const shape = typeof answer === "object" && answer !== null ? shapeOf(answer) : undefined
  const message = shape?.message ?? `An answer of status ${status} did not come from Parley`
  return new TRPCClientError<AppRouter>(message, shape && { result: { error: shape } })
}

function shapeOf(answer: object): Shape | undefined {
  if ("error" in answer) return superjson.deserialize(answer.error as SuperJSONResult)
  if (!("reason" in answer && "message" in answer)) return undefined
  const { message, status, code, reason, data, issues, instance } = answer as Problem & Data
  const about = { code, httpStatus: status, reason, data, issues, requestId: instance }
  const given = Object.entries(about).filter(([, value]) => value !== undefined)
  return { code: numberOf(status), message, data: Object.fromEntries(given) as Data }
}

/** The number that tRPC has for a status. */
function numberOf(status: number): Shape["code"] {
  if (status >= 500) return -32603
  return (status === 400 ? -32600 : -32000 - (status % 100)) as Shape["code"]
}
