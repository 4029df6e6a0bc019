/** Writes a conversation as a page of Markdown. */
import { escapeText, unlink } from "../richText/escapeMarkdown.ts"
import type { ConversationLine } from "./rebuildConversation.ts"

const names = { bot: "Bot", person: "Person" } as const

/** Who says what under the title of each group; what may not be exact comes first. */
export function transcriptMarkdown(
  lines: readonly ConversationLine[],
  reasons: readonly string[],
): string {
  const notes = reasons.map((reason) => `> ${reason}.\n`)
  let place: string | undefined
  const said = lines.map((line) => {
    const { at, from, groupTitle, text, wasPaused } = line
    const isSame = groupTitle === place
    if (!wasPaused) place = groupTitle
    const heading = isSame || !groupTitle ? "" : `## ${inOneLine(groupTitle)}\n\n`
    const time = new Date(at).toISOString().slice(0, 19).replace("T", " ")
    const note = wasPaused ? " (paused)" : ""
    return `${heading}**${names[from]}** ${time}${note}\n\n${quoted(text)}\n`
  })
  return [...notes, ...said].join("\n")
}

/**
 * Text in a quotation can neither begin a heading nor end somebody else's line. What visitors said, also
 * where a bot repeats it, is shown as text: no link, picture or tag of theirs works.
 */
function quoted(text: string): string {
  return `> ${plain(text.trimEnd()).replaceAll("\n", "\\\n> ")}`
}

function inOneLine(title: string): string {
  return plain(title.replace(/\s+/g, " ").trim())
}

function plain(text: string): string {
  return unlink(escapeText(text, { isOpening: true, isNumbered: false, before: "" }))
}
