/** Serves GET /: what this service is and where to go, for programs as JSON. */
import type { Services } from "../../routers/context.ts"
import { addVary, sendText } from "../answer.ts"
import type { Exchange } from "../exchange.ts"
import { acceptsHtml, html, wordsPolicy } from "./html.ts"
import { leaveForm, openerOf } from "./opener.ts"
import { sendOwnPage } from "./ownPage.ts"

/** A sign-out may lead on to the provider of OpenID Connect, so that forms are not confined. */
const rootPolicy = wordsPolicy.filter((part) => !part.startsWith("form-action"))

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
    const person = await openerOf(services, exchange)
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
${person ? leaveForm(person) : html`<p class="aside"><a href="/signIn">Sign in</a></p>`}
</main>`,
      policy: rootPolicy,
    })
  }
}
