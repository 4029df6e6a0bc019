/** Writes HTML with escaped values, and sends pages in the one style of the service. */
import { createHash } from "node:crypto"
import { isRightToLeft, type Language } from "../../lib/languages.ts"
import { sendCompressed } from "../answer.ts"
import { type Exchange, headerOf } from "../exchange.ts"

/** HTML that is escaped already. */
export type Html = { readonly html: string }

type Value = string | Html | undefined | readonly Html[]

/** Fills a template with values, escaped; undefined prints nothing. */
export function html(parts: TemplateStringsArray, ...values: Value[]): Html {
  const written = parts.map((part, index) => part + write(values[index]))
  return { html: written.join("") }
}

function write(value: Value): string {
  if (value === undefined) return ""
  if (typeof value === "string") return escaped(value)
  return "html" in value ? value.html : value.map((each) => each.html).join("")
}

/** Escapes for elements and for quoted attributes. */
function escaped(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;")
}

/** Whether an answer is shown to a person, in a tab: browsers name HTML then, and programs do not. */
export function acceptsHtml({ request }: Exchange): boolean {
  return headerOf(request, "accept")?.includes("text/html") ?? false
}

/** The source in a policy that allows one inline script or style: its hash. */
export function hashSource(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`
}

const serviceStyle = `:root{color-scheme:light dark}
html,body{height:100%;margin:0}
body{font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;background:#fff;color:#1c2230}
.words{box-sizing:border-box;display:flex;flex-direction:column;justify-content:center;max-width:34rem;min-height:100%;margin:0 auto;padding:2rem 1.5rem;overflow-wrap:anywhere;word-break:auto-phrase}
h1{margin:0 0 .5rem;font-size:1.75rem;line-height:1.25}
.words img{margin:0 0 1.25rem;object-fit:contain}
p{margin:0 0 1rem}
pre{margin:0 0 1rem;white-space:pre-wrap}
ul{margin:0;padding:0;list-style:none}
li{margin:0 0 .6rem}
a{color:#3550d8;text-underline-offset:3px}
code{font-size:.95em;-webkit-box-decoration-break:clone;box-decoration-break:clone;padding:.1em .35em;border-radius:.3em;background:#eef0f6}
.aside{margin:1.25rem 0 0}
form{display:grid;gap:.6rem;margin:1.25rem 0 0}
form p{margin:0}
input,button{box-sizing:border-box;width:100%;font:inherit;padding:.6rem .8rem;border:1px solid #6b7385;border-radius:.5rem}
button{background:#3550d8;border-color:#3550d8;color:#fff;cursor:pointer}
button:hover{background:#2b42b8}
:focus-visible{outline:3px solid #3550d8;outline-offset:3px}
.for-readers{position:absolute;width:1px;height:1px;margin:0;overflow:hidden;clip-path:inset(50%)}
@media (prefers-color-scheme:dark){body{background:#14171e;color:#eceff6}a{color:#9db0ff}code{background:#262b36}input{background:#1c212b;color:inherit;border-color:#8a93a6}:focus-visible{outline-color:#9db0ff}}`

/** Allows the style sheet of `sendPage` in a policy. */
export const styleSource = hashSource(serviceStyle)

/** A page, the language of its text, and the sources of its content security policy. */
export type Page = {
  status?: number
  lang: Language
  head: Html
  body: Html
  policy: readonly string[]
  /** Instead of the style of the service. */
  style?: string
  /** Address of its icon; absent: that of the service. */
  icon?: string | undefined
}

export async function sendPage(exchange: Exchange, page: Page): Promise<void> {
  const {
    status = 200,
    lang,
    head,
    body,
    policy,
    style = serviceStyle,
    icon = "/embed/icon.svg",
  } = page
  const text = html`<!doctype html>
<html lang="${lang}" dir="${isRightToLeft(lang) ? "rtl" : "ltr"}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, interactive-widget=resizes-content">
<link rel="icon" href="${icon}">
${head}
<style>${{ html: style }}</style>
</head>
<body>
${body}
</body>
</html>
`
  const { headers } = exchange
  headers["content-type"] = "text/html; charset=utf-8"
  headers["content-security-policy"] = policy.join("; ")
  headers["referrer-policy"] ??= "strict-origin"
  await sendCompressed(exchange, status, text.html)
}

/** The policy of pages that only show words. */
export const wordsPolicy = [
  "default-src 'none'",
  `style-src ${styleSource}`,
  "img-src http: https:",
  "base-uri 'none'",
  "form-action 'none'",
]
