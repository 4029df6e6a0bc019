/** Serves GET /: what this service is and where to go, for programs as JSON. */
import { type Services, sessionIn } from "../../routers/context.ts"
import { addVary, sendText } from "../answer.ts"
import { type Exchange, headerOf } from "../exchange.ts"
import { type Html, html, wordsPolicy } from "./html.ts"
import { secretField, secretFor, sendOwnPage } from "./ownPage.ts"

/** A sign-out may lead on to the provider of OpenID Connect, so that forms are not confined. */
const rootPolicy = wordsPolicy.filter((part) => !part.startsWith("form-action"))

/** What the page says. */
type RootPageOptions = {
  version: string
  services: Pick<Services, "settings" | "findSignedIn">
  /** The bot to try. */
  demoPublicId: string
}

/** Makes the page. */
export function createRootPage({ version, services, demoPublicId }: RootPageOptions) {
  const { settings } = services
  const { publicUrl } = settings
  const links = { docs: `${publicUrl}/docs`, openapi: `${publicUrl}/openapi.json` }
  const text = JSON.stringify({ name: "parley", version, ...links })
  return async (exchange: Exchange): Promise<void> => {
    addVary(exchange, "accept")
    if (!headerOf(exchange.request, "accept")?.includes("text/html")) {
      return sendText(exchange, 200, text)
    }
    const person = await openerOf(services, exchange)
    await sendOwnPage(exchange, settings, {
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
${person && leaveForm(person)}
</main>`,
      policy: rootPolicy,
    })
  }
}

/** Who has opened a page, and the secret of their session; undefined where nobody is signed in. */
async function openerOf(
  { settings, findSignedIn }: RootPageOptions["services"],
  exchange: Exchange,
): Promise<{ email: string; secret: string } | undefined> {
  const cookie = sessionIn({ settings }, exchange.request.headers)
  const secret = secretFor(exchange, settings, "session")
  const person = cookie && secret ? await findSignedIn(cookie) : undefined
  return person && secret ? { email: person.email, secret } : undefined
}

function leaveForm({ email, secret }: { email: string; secret: string }): Html {
  return html`<form method="post" action="/signOut">
<p>You are signed in as ${email}.</p>
${secretField(secret)}
<button>Sign out</button>
</form>`
}
