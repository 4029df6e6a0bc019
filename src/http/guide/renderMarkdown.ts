/** Renders chapters as HTML: headings with anchors, code with tabs for its languages. */
import markdownIt, { type Token } from "markdown-it"
import { highlight } from "./highlight.ts"

/** A rendered chapter, and its headings for the list beside it. */
export type Rendered = { html: string; headings: Heading[] }

/** A heading; its level is 2 or 3. */
type Heading = { id: string; title: string; level: number }

const markdown = markdownIt("default", { html: false })
const { escapeHtml } = markdown.utils

/** The languages in which one thing is shown side by side, by the word after the fence. */
const languages: Readonly<Record<string, string>> = {
  sh: "curl",
  js: "JavaScript",
  ts: "@parley/client",
  python: "Python",
}

// A wide table scrolls, and not the page.
markdown.renderer.rules.table_open = () => '<div class="table" tabindex="0"><table>'
markdown.renderer.rules.table_close = () => "</table></div>"

/** Renders a text. Its heading of the first level is rendered, too. */
export function renderMarkdown(text: string): Rendered {
  const headings: Heading[] = []
  const tokens = markdown.parse(text, {})
  for (const [index, token] of tokens.entries()) {
    if (token.type !== "heading_open") continue
    const content = tokens[index + 1]
    const title = content?.content.replaceAll("`", "") ?? ""
    const [id, level] = [anchorOf(title), Number(token.tag.slice(1))]
    token.attrSet("id", id)
    if (level === 2 || level === 3) headings.push({ id, title, level })
    if (level > 1 && content) content.children?.push(anchorLink(id))
  }
  return { html: markdown.renderer.render(withCode(tokens), markdown.options, {}), headings }
}

/** `CHAT_BUSY` is at `#chat-busy`, `Go on` at `#go-on`. */
function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z\d]+/g, "-")
    .replaceAll(/^-|-$/g, "")
}

function anchorLink(id: string): Token {
  return written(`<a class="anchor" href="#${id}" aria-label="Link to this section">#</a>`)
}

function written(content: string): Token {
  return Object.assign(new markdownIt.Token("html_inline", "", 0), { content })
}

/** Writes blocks of code; neighbours in different languages become tabs of one. */
function withCode(tokens: readonly Token[]): Token[] {
  const result: Token[] = []
  let group: Token[] = []
  const close = () => {
    if (group.length > 0) result.push(written(codeOf(group, result.length)))
    group = []
  }
  for (const token of tokens) {
    const isNext =
      token.type === "fence" && isTab(token) && !group.some((each) => sameTab(each, token))
    if (!isNext) close()
    if (token.type !== "fence") result.push(token)
    else if (isTab(token)) group.push(token)
    else result.push(written(singleOf(token)))
  }
  close()
  return result
}

function wordsOf({ info }: Token): [language: string, mark: string] {
  const [language = "", mark = ""] = info.split(" ")
  return [language, mark]
}

function isTab(token: Token): boolean {
  const [language, mark] = wordsOf(token)
  return language in languages && !mark.startsWith("file=")
}

function sameTab(one: Token, other: Token): boolean {
  return wordsOf(one)[0] === wordsOf(other)[0]
}

function codeOf(group: readonly Token[], index: number): string {
  const [only] = group
  if (group.length === 1 && only) return singleOf(only)
  const tabs = group.map((token, at) => {
    const [language] = wordsOf(token)
    const id = `code-${index}-${language}`
    return `<input type="radio" name="code-${index}" id="${id}" value="${language}"${at === 0 ? " checked" : ""}><label for="${id}">${languages[language]}</label>`
  })
  return `<div class="code tabs">${tabs.join("")}${group.map(preOf).join("")}</div>`
}

function singleOf(token: Token): string {
  const [language, mark] = wordsOf(token)
  if (mark === "example") return `<details><summary>Example</summary>${preOf(token)}</details>`
  const alone = language === "sh" ? "Shell" : (languages[language] ?? "")
  const name = mark.startsWith("file=") ? mark.slice(5) : alone
  const label = mark === "prints" ? "Prints" : name
  const title = label === "" ? "" : `<p class="label">${escapeHtml(label)}</p>`
  return `<div class="code${mark === "prints" ? " prints" : ""}">${title}${preOf(token)}</div>`
}

function preOf(token: Token): string {
  const [language] = wordsOf(token)
  const code = highlight(token.content.trimEnd(), language, escapeHtml)
  return `<pre tabindex="0" data-language="${language}"><code>${code}</code></pre>`
}
