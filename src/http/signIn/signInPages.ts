/** The pages on which people sign in. They need no script, so that they work wherever a browser does. */

import type { Settings } from "../../routers/context.ts"
import type { Exchange } from "../exchange.ts"
import { type Html, html, styleSource } from "../pages/html.ts"
import { leaveForm, type Opener } from "../pages/opener.ts"
import { formSecret, secretField, sendOwnPage } from "../pages/ownPage.ts"

const policy = [
  "default-src 'none'",
  `style-src ${styleSource}`,
  "img-src 'self'",
  "base-uri 'none'",
]

/** The body of a page, with the hidden field of its forms; `next` is the target of its form. */
type SignInPage = {
  body: (field: Html) => Html
  status?: number
  next?: string
  /** True: its form may lead to the provider of OpenID Connect, which signs people out, too. */
  leaves?: boolean
}

export async function sendSignInPage(
  exchange: Exchange,
  settings: Settings,
  { body, status = 200, next = "/", leaves = false }: SignInPage,
): Promise<void> {
  const secret = formSecret(exchange, settings)
  const title = leaves ? "Signed in" : "Sign in"
  // Browsers apply this to where the answer to a form sends them, too.
  const targets = next.startsWith("/") ? "'self'" : `'self' ${new URL(next).origin}`
  await sendOwnPage(exchange, settings, {
    status,
    lang: "en",
    head: html`<title>${title}</title>
<meta name="robots" content="noindex">`,
    body: html`<main class="words">
<h1>${title}</h1>
${next.startsWith("/") ? undefined : html`<p>You go on to ${new URL(next).origin}, which can then do there what you may do here.</p>`}
${body(secret === undefined ? html`<p>${unprovenWords}</p>` : secretField(secret))}
</main>`,
    policy: leaves ? policy : [...policy, `form-action ${targets}`],
  })
}

const unprovenWords =
  "You cannot sign in here: your browser does not say that you have opened this page yourself. Open it in a " +
  "tab of its own, with a current browser, over https:// or on the machine of the service (localhost)."

/** The user, and the target. */
type Asking = { email: string; next: string }

export type Ways = { mail: boolean; openId: boolean }

/** Every way there is; without mail and OpenID Connect, where to get a link. */
export function waysBody({ mail, openId }: Ways, next: string, field: Html): Html {
  const query = `?${new URLSearchParams({ next })}`
  const asksForCode = html`<form method="post" action="/signIn/mail">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" autocomplete="email" required maxlength="255">
<input type="hidden" name="next" value="${next}">
${field}
<button>Send me a code</button>
</form>`
  return html`${openId ? html`<p><a href="/signIn/openId${query}">Sign in with your organisation</a></p>` : undefined}
${mail ? asksForCode : undefined}
${mail || openId ? html`<p class="aside">Who runs this service gets a link with <code>npx parley login</code>.</p>` : byLinkAlone(next)}`
}

/** Instructions if links are the only way to sign in. */
const byLinkAlone = (
  next: string,
) => html`<p>People sign in here with a link. Who runs this service gets one, in its folder, with</p>
<p><code>npx parley login${/^[\w:/.-]{2,}$/.test(next) ? ` --next ${next}` : ""}</code></p>
<p>and one for another user with</p>
<p><code>npx parley login --email ann@example.com</code></p>
<p>A link works once, within ten minutes. To sign in with a code by mail, the service needs
<code>PARLEY_SMTP_URL</code>; with an account of an organisation, <code>PARLEY_OIDC_ISSUER</code>.</p>`

/** For signed-in users. A local page counts once they have confirmed it with the form. */
export function signedInBody(person: Opener, next: string, isLocal: boolean): Html {
  const form = html`<form method="post" action="/signIn/page">
<input type="hidden" name="next" value="${next}">
${secretField(person.secret)}
<button>Go on</button>
</form>`
  if (isLocal) return html`${form}\n${leaveForm(person)}`
  return html`${leaveForm(person)}
<p class="aside"><a href="${next}">Go on</a>, or sign out first to sign in as another user.</p>`
}

/** Asks for a code, whether or not one was sent. */
export function codeBody(
  { email, next, problem }: Asking & { problem?: string },
  field: Html,
): Html {
  return html`<p>${problem ?? `If ${email} may sign in here, a code is on its way. It works for ten minutes.`}</p>
<form method="post" action="/signIn/code">
<label for="code">Code</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" required maxlength="20">
<input type="hidden" name="email" value="${email}">
<input type="hidden" name="next" value="${next}">
${field}
<button>Sign in</button>
</form>
${startAgain(next)}`
}

/**
 * Asks for confirmation: scanners of links in messages must not use them up. Says whose it
 * is, since a link from an attacker would sign people in to a foreign account.
 */
export function linkBody({ email, code, next }: Asking & { code: string }, field: Html): Html {
  return html`<p>This link signs you in as ${email}. It works once.</p>
<form method="post" action="/signIn/link">
<input type="hidden" name="code" value="${code}">
<input type="hidden" name="next" value="${next}">
${field}
<button>Sign in</button>
</form>`
}

/** The page of an error. */
export function problemBody(message: string, next: string): Html {
  return html`<p>${message}.</p>
${startAgain(next)}`
}

function startAgain(next: string): Html {
  return html`<p><a href="/signIn?next=${encodeURIComponent(next)}">Start again</a></p>`
}
