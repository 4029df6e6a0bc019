/** Sends a request from the browser of the person, where the author wants that. */
import type { ActionOf } from "../payload.ts"
import { anySignal } from "../talk/anySignal.ts"
import type { Talk } from "../talk/talk.ts"

const timeoutMs = 120_000

type Asked = ActionOf<"httpRequestToExecute">["httpRequestToExecute"]

/** Returns status and body as JSON. A request that does not get through has the status 500. */
export async function sendRequest({ closing }: Talk, asked: Asked): Promise<string> {
  const { url, method = "GET", headers, body } = asked
  const answered = fetch(url, {
    method,
    ...(headers && { headers }),
    ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    signal: anySignal(closing.signal, AbortSignal.timeout(timeoutMs)),
    // The author chose the address and reads the answer, so no hop gets cookies of the person.
    credentials: "omit",
    referrerPolicy: "strict-origin",
  }).then(async (response) => ({
    statusCode: response.status,
    data: readJson(await response.text()),
  }))
  return JSON.stringify(
    await answered.catch((error: unknown) => ({ statusCode: 500, data: String(error) })),
  )
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
