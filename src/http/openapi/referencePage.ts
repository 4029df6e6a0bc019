/** Serves the reference, where people try operations with their session or a token. */
import type { Services } from "../../routers/context.ts"
import type { Page } from "../dispatch.ts"
import { html } from "../pages/html.ts"
import { openerOf } from "../pages/opener.ts"
import { sendOwnPage } from "../pages/ownPage.ts"

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  // Scalar writes its own style elements.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  // The page tries requests on its own host, since the server of the document is "/".
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
]

const style = `:root{color-scheme:light dark;--scalar-custom-header-height:3.5rem}
body{margin:0}
header{box-sizing:border-box;position:sticky;z-index:2;top:0;display:flex;align-items:center;gap:1.25rem;height:3.5rem;padding:0 1.25rem;border-bottom:1px solid #e4e7ee;background:#fff;font:.9375rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header a,header span{overflow:hidden;color:#5a6376;text-decoration:none;text-overflow:ellipsis;white-space:nowrap}
header a:hover{color:#1c2230}
header .brand{display:flex;flex:none;align-items:center;gap:.625rem;margin-right:auto;color:#1c2230;font-size:1.0625rem;font-weight:650}
:focus-visible{outline:2px solid #3550d8;outline-offset:2px}
@media (prefers-color-scheme:dark){body,header{background:#14171e;border-color:#2a303c}header a,header span{color:#a1a9ba}header .brand,header a:hover{color:#e6e9f1}:focus-visible{outline-color:#9db0ff}}`

/** Makes the page. It is a page of the service itself, and so may hold the secret of a session. */
export function createReferencePage(services: Pick<Services, "settings" | "findSignedIn">): Page {
  return async (exchange) => {
    const person = await openerOf(services, exchange)
    const signIn = html`<a href="/signIn?next=/docs/reference">Sign in</a>`
    await sendOwnPage(exchange, services.settings, {
      lang: "en",
      head: html`<title>Reference · Parley docs</title>`,
      style,
      body: html`<header>
<a class="brand" href="/docs"><img src="/embed/icon.svg" alt="" width="26" height="26">Parley docs</a>
<a href="/docs">Guide</a>
${person ? html`<span>${person.email}</span>` : signIn}
</header>
<div id="reference"></div>
<script src="/docs/start.js"></script>
<script src="/docs/reference.js"></script>`,
      policy,
    })
  }
}

/** Starts Scalar. Requests to this origin carry the secret of the session, unless they carry a token. */
export const startScript = `const meta = document.querySelector('meta[name="parley-session"]')
const secret = meta?.content
meta?.remove()

addEventListener("DOMContentLoaded", () => {
  Scalar.createApiReference("#reference", {
    url: "/docs/openapi.json",
    withDefaultFonts: false,
    telemetry: false,
    showDeveloperTools: "never",
    hideClientButton: true,
    hideDarkModeToggle: true,
    hiddenClients: true,
    agent: { disabled: true },
    customCss: ".light-mode{--scalar-color-accent:#3550d8}" +
      ".dark-mode{--scalar-color-accent:#9db0ff;--scalar-background-1:#14171e;--scalar-background-2:#1b1f28;" +
      "--scalar-background-3:#262b36;--scalar-border-color:#2a303c}",
    onBeforeRequest({ request }) {
      if (!secret || new URL(request.url).origin !== location.origin) return
      const { headers } = request
      if (/^Bearer\\s+\\S/.test(headers.get("authorization") ?? "")) return
      headers.delete("authorization")
      headers.set("x-parley-session", secret)
    },
  })
})
`
