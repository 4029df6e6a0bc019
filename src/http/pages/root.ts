/** Serves GET /: what this service is and where to go, for programs as JSON. */
import { addVary, sendText } from "../answer.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { html, sendPage, wordsPolicy } from "./html.ts"

/** What the page says. */
type RootPageOptions = {
  version: string
  /** Public address of the service, without a trailing slash. */
  publicUrl: string
  /** The bot to try. */
  demoPublicId: string
}

/** Makes the page. */
export function createRootPage({ version, publicUrl, demoPublicId }: RootPageOptions) {
  const links = { docs: `${publicUrl}/docs`, openapi: `${publicUrl}/openapi.json` }
  const text = JSON.stringify({ name: "parley", version, ...links })
  return (exchange: Exchange): void | Promise<void> => {
    addVary(exchange, "accept")
    if (!headerOf(exchange.request, "accept")?.includes("text/html")) {
      return sendText(exchange, 200, text)
    }
    return sendPage(exchange, {
      lang: "en",
      head: html`<title>Parley</title>`,
      body: html`<main class="words">
<h1>Parley</h1>
<p>This server stores conversational bots, publishes them, and runs them as chats.</p>
<ul>
<li><a href="/chat/${demoPublicId}">Talk to the demo bot</a></li>
<li><a href="/docs">Read the API reference</a></li>
<li><a href="/openapi.json">Get the OpenAPI document</a></li>
</ul>
</main>`,
      policy: wordsPolicy,
    })
  }
}
