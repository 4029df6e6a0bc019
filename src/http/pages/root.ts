/** Serves GET /: what this service is and where to go, for programs as JSON; people who are signed in go on to the console. */
import type { Services } from "../../routers/context.ts"
import { addVary, redirect, sendText } from "../answer.ts"
import type { Exchange } from "../exchange.ts"
import { acceptsHtml, html, wordsPolicy } from "./html.ts"
import { openerOf } from "./opener.ts"
import { sendOwnPage } from "./ownPage.ts"

const about = "This server stores conversational bots, publishes them, and runs them as chats."

type RootPageOptions = {
  version: string
  services: Pick<Services, "settings" | "findSignedIn">
  /** The bot to try. */
  demoPublicId: string
}

export function createRootPage({ version, services, demoPublicId }: RootPageOptions) {
  const { settings } = services
  const { publicUrl } = settings
  const links = { docs: `${publicUrl}/docs`, openapi: `${publicUrl}/openapi.json` }
  const text = JSON.stringify({ name: "parley", version, ...links })
  return async (exchange: Exchange): Promise<void> => {
    addVary(exchange, "accept")
    if (!acceptsHtml(exchange)) return sendText(exchange, 200, text)
    if ((await openerOf(services, exchange)) !== undefined) {
      return redirect(exchange, 302, "/console")
    }
    await sendOwnPage(exchange, settings, {
      lang: "en",
      head: html`<title>Parley</title>
<meta name="description" content="${about}">`,
      body: html`<main class="words">
<h1>Parley</h1>
<p>${about}</p>
<ul>
<li><a href="/chat/${demoPublicId}">Talk to the demo bot</a></li>
<li><a href="/docs">Read the guide</a></li>
<li><a href="/docs/reference">Read the API reference</a></li>
<li><a href="/openapi.json">Get the OpenAPI document</a></li>
</ul>
<p class="aside"><a href="/signIn?next=/console">Sign in</a></p>
</main>`,
      policy: wordsPolicy,
    })
  }
}
