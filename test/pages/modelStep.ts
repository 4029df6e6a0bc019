/** Answers a page instead of the service, so that the page streams the answer of a model. */
import type { Page } from "playwright-core"

/** The step with which the service lets the client stream the answer of a model. */
export const modelStep = {
  messages: [],
  clientSideActions: [{ type: "stream", stream: true, expectsDedicatedReply: true }],
}

/** Has the first answer lead to a model, and the next one to "The end"; returns the texts that were sent. */
export async function leadToModel(page: Page): Promise<(string | undefined)[]> {
  const content = { type: "markdown", markdown: "The end" }
  const end = { messages: [{ id: "end", type: "text", content }] }
  const sent: (string | undefined)[] = []
  await page.route("**/continueChat", (route) => {
    sent.push(route.request().postDataJSON().message?.text)
    return route.fulfill({ json: sent.length === 1 ? modelStep : end })
  })
  return sent
}
