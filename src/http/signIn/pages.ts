/** The pages on which people sign in. They need no script, so that they work wherever a browser does. */

import type { Settings } from "../../routers/context.ts"
import type { Exchange } from "../exchange.ts"
import { type Html, hashSource, html, styleSource } from "../pages/html.ts"
import { formSecret, secretField, sendOwnPage } from "../pages/ownPage.ts"

const formStyle = `form{display:grid;gap:.6rem;margin:0 0 1.5rem}
input,button{box-sizing:border-box;width:100%;font:inherit;padding:.6rem .8rem;border:1px solid #6b7385;border-radius:.5rem}
button{background:#3550d8;border-color:#3550d8;color:#fff;cursor:pointer}`

const policy = [
  "default-src 'none'",
  `style-src ${styleSource} ${hashSource(formStyle)}`,
  "img-src 'self'",
  "base-uri 'none'",
]

/** What a page has below its heading, with the field that its forms need; `next` is where its form leads. */
type SignInPage = { body: (field: Html) => Html; status?: number; next?: string }

const title = "Sign in"

/** Sends a page. */
export async function sendSignInPage(
  exchange: Exchange,
  settings: Settings,
  { body, status = 200, next = "/" }: SignInPage,
): Promise<void> {
  const secret = formSecret(exchange, settings)
  // Browsers apply this to where the answer to a form sends them, too.
  const targets = next.startsWith("/") ? "'self'" : `'self' ${new URL(next).origin}`
  await sendOwnPage(exchange, settings, {
    status,
    lang: "en",
    head: html`<title>${title}</title>
<meta name="robots" content="noindex">
<style>${{ html: formStyle }}</style>`,
    body: html`<main class="words">
<h1>${title}</h1>
${body(secret === undefined ? html`<p>${unprovenWords}</p>` : secretField(secret))}
</main>`,
    policy: [...policy, `form-action ${targets}`],
  })
}

const unprovenWords =
  "You cannot sign in here: your browser does not say that you have opened this page yourself. Open it in a " +
  "tab of its own, with a current browser, over https:// or on the machine of the service (localhost)."

/** Who is asked, and where they go on. */
type Asking = { email: string; next: string }

/** Which ways there are to sign in. */
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
<p>Who runs this service gets a link with <code>npx parley login</code>.</p>`
}

/** Asks for a code, whoever has been sent one. */
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
 * Asks whether a link is to be used: what looks at links in messages must not use them up. Says whose it
 * is, since a link of somebody else would have people work in that account.
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

/** Says what went wrong. */
export function problemBody(message: string, next: string): Html {
  return html`<p>${message}.</p>
${startAgain(next)}`
}

function startAgain(next: string): Html {
  return html`<p><a href="/signIn?next=${encodeURIComponent(next)}">Start again</a></p>`
}
