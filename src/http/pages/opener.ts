/** Who has opened a page of the service, and the form by which they sign out. */
import { sessionIn } from "../../people/caller.ts"
import type { Services } from "../../routers/context.ts"
import type { Exchange } from "../exchange.ts"
import { type Html, html } from "./html.ts"
import { secretField, secretFor } from "./ownPage.ts"

export type Opener = { email: string; secret: string }

/** The user who opened a page; undefined: not signed in. */
export async function openerOf(
  { settings, findSignedIn }: Pick<Services, "settings" | "findSignedIn">,
  exchange: Exchange,
): Promise<Opener | undefined> {
  const cookie = sessionIn({ settings }, exchange.request.headers)
  const secret = secretFor(exchange, settings, "session")
  const person = cookie && secret ? await findSignedIn(cookie) : undefined
  return person && secret ? { email: person.email, secret } : undefined
}

/** Says who is signed in, and signs them out. */
export function leaveForm({ email, secret }: Opener): Html {
  return html`<form method="post" action="/signOut">
<p>You are signed in as ${email}.</p>
${secretField(secret)}
<button>Sign out</button>
</form>`
}
