/** Explains each reason of refusals where `type` of a problem leads: as a page for people, as JSON for programs. */
import { errorCodeOf, errorReasons, type ParleyErrorCode } from "../../lib/errors.ts"
import { addVary, sendText } from "../answer.ts"
import type { Page } from "../dispatch.ts"
import type { Exchange } from "../exchange.ts"
import { remedies } from "../guide/remedies.ts"
import { acceptsHtml, html, sendPage, wordsPolicy } from "../pages/html.ts"
import { problemType } from "../problem.ts"
import { problemExample } from "./problemParts.ts"

/** The pages by path. */
export function problemPages(): Record<string, Page> {
  const reasons = Object.keys(errorReasons) as ParleyErrorCode[]
  return Object.fromEntries(reasons.map((reason) => [problemType(reason), pageOf(reason)]))
}

function pageOf(reason: ParleyErrorCode): Page {
  const { status, when } = errorReasons[reason]
  const whatToDo = remedies[reason]
  const example = problemExample(reason)
  const type = problemType(reason)
  const code = errorCodeOf(reason)
  const facts = JSON.stringify({ type, status, code, reason, description: when, whatToDo, example })
  return async (exchange: Exchange) => {
    addVary(exchange, "accept")
    if (!acceptsHtml(exchange)) return sendText(exchange, 200, facts)
    await sendPage(exchange, {
      lang: "en",
      head: html`<title>${reason}</title>`,
      body: html`<main class="words">
<h1>${reason}</h1>
<p>${when}. Status ${String(status)}.</p>
<p>${whatToDo.replaceAll("`", "")}.</p>
<pre>${JSON.stringify(example, null, 2)}</pre>
<p><a href="/docs/errors#${type.slice("/problems/".length)}">All errors</a></p>
</main>`,
      policy: wordsPolicy,
    })
  }
}
