/** Sends refusals to people who have opened an address in a browser. Programs get the error document. */
import { STATUS_CODES } from "node:http"
import { retryAfterOf } from "../../lib/errors.ts"
import { describeRefusal, type Refusal } from "../../routers/refusal.ts"
import { addRetryAfter } from "../answer.ts"
import type { Exchange } from "../exchange.ts"
import { acceptsHtml, html, sendPage, wordsPolicy } from "./html.ts"

/** Whether a refusal of this request is for a person: of an address, and not of a change. */
export function isForPeople(exchange: Exchange): boolean {
  return (exchange.method === "GET" || exchange.method === "HEAD") && acceptsHtml(exchange)
}

/** Sends the page of an error, and returns the refusal. */
export async function sendProblemPage(exchange: Exchange, error: unknown): Promise<Refusal> {
  const refusal = describeRefusal(error, exchange)
  const { status, message } = refusal
  const title = status === 404 ? "Page not found" : (STATUS_CODES[status] ?? "Error")
  addRetryAfter(exchange, retryAfterOf(refusal))
  await sendPage(exchange, {
    status,
    lang: "en",
    head: html`<title>${title}</title>
<meta name="robots" content="noindex">`,
    body: html`<main class="words">
<h1>${title}</h1>
<p>${message.replace(/([^.!?])$/, "$1.")}</p>
${exchange.isOnChatOrigin ? undefined : html`<p><a href="/">Go to the first page</a></p>`}
</main>`,
    policy: wordsPolicy,
  })
  return refusal
}
