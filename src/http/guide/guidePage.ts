/** Lays out a page of the guide: chapters and operations at the left, its headings at the right. */
import { isJson, type Json, memberOf } from "../openapi/openapiSchemas.ts"
import { type Html, html } from "../pages/html.ts"
import type { Chapter } from "./chapters.ts"
import type { Rendered } from "./renderMarkdown.ts"

/** What all pages share. */
export type GuideFrame = {
  chapters: readonly Chapter[]
  /** The list of operations. */
  operations: Html
  /** Addresses of style sheet and script, with a hash of their content. */
  style: string
  script: string
}

/** Makes the page of a chapter. */
export function guidePage(frame: GuideFrame, chapter: Chapter, rendered: Rendered): string {
  const { chapters, operations, style, script } = frame
  const at = chapters.indexOf(chapter)
  const links = chapters.map(
    (each) =>
      html`<li><a href="${each.path}"${each === chapter ? current : undefined}>${each.title}</a></li>`,
  )
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${`${chapter.title}: the guide to the API of Parley`}">
<title>${chapter.title} · Parley docs</title>
<link rel="icon" href="/embed/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${style}">
<script src="${script}" defer></script>
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header>
<a class="brand" href="/docs"><img src="/embed/icon.svg" alt="" width="26" height="26">Parley <span>docs</span></a>
<a href="/docs/reference">Reference</a>
<label class="menu"><input type="checkbox">Menu</label>
</header>
<nav class="side" aria-label="Docs">
<h2>Guide</h2>
<ul>${links}</ul>
<h2><a href="/docs/reference">Reference</a></h2>
${operations}
</nav>
<main id="content">
<article>${{ html: rendered.html }}</article>
<footer>${neighbour("Previous", chapters[at - 1])}${neighbour("Next", chapters[at + 1])}</footer>
</main>
<aside aria-label="On this page">
<h2>On this page</h2>
<ul>${rendered.headings.map(
    ({ id, title, level }) =>
      html`<li class="${`level${level}`}"><a href="${`#${id}`}">${title}</a></li>`,
  )}</ul>
</aside>
</body>
</html>
`
  return page.html
}

const current = { html: ' aria-current="page"' }

function neighbour(word: string, chapter: Chapter | undefined): Html | undefined {
  if (chapter === undefined) return undefined
  return html`<a class="${word.toLowerCase()}" href="${chapter.path}"><span>${word}</span>${chapter.title}</a>`
}

/** The operations of the document by tag, with links into the reference. */
export function operationLinks(document: Json): Html {
  const tags = Array.isArray(document.tags) ? document.tags.filter(isJson) : []
  const all = Object.entries(memberOf(document, "paths")).flatMap(([path, methods]) =>
    Object.entries(isJson(methods) ? methods : {}).map(([method, operation]) => ({
      address: `${method.toUpperCase()}${path}`,
      method,
      ...(isJson(operation) ? operation : {}),
    })),
  ) as { address: string; method: string; tags?: string[]; summary?: string }[]
  const lists = tags.map(({ name }) => {
    const own = all.filter((each) => each.tags?.includes(String(name)))
    return html`<details><summary>${String(name)}</summary><ul>${own.map(
      ({ address, method, summary }) =>
        html`<li><a href="${referenceLink(String(name), address)}"><span>${summary}</span><b class="${method}">${shortOf(method)}</b></a></li>`,
    )}</ul></details>`
  })
  return html`${lists}`
}

/** Where the reference shows an operation. */
function referenceLink(tag: string, address: string): string {
  return `/docs/reference#tag/${tag.toLowerCase()}/${address}`
}

function shortOf(method: string): string {
  return method === "delete" ? "DEL" : method.toUpperCase()
}
