/** Sends a request and reads its answer, without waiting for the end of a stream. */

type Sent = {
  method: string
  /** Absent or null: without a token. */
  token?: string | null
  headers?: Record<string, string> | undefined
  /** Sent as JSON. */
  body?: unknown
}

/** The status and the text of an answer; a stream of events is left at once and has no text. */
export async function answerTo(
  url: string,
  { method, token = null, headers, body }: Sent,
): Promise<{ status: number; text: string }> {
  const leaving = new AbortController()
  const response = await fetch(url, {
    method,
    redirect: "manual",
    signal: leaving.signal,
    headers: {
      ...headers,
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true
  const text = isStream ? "" : await response.text()
  leaving.abort()
  return { status: response.status, text }
}
