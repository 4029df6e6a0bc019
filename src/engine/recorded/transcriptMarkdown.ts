/** Writes a conversation as a page of Markdown. */
import { escapeText, unlink } from "../richText/escapeMarkdown.ts"
import type { ConversationLine } from "./rebuildConversation.ts"

const names = { bot: "Bot", person: "Person", team: "Team" } as const

/** Lists messages under the title of each group, after a note if some may be inexact. */
export function transcriptMarkdown(
  lines: readonly ConversationLine[],
  reasons: readonly string[],
): string {
  const notes = reasons.map((reason) => `> ${reason}.\n`)
  let place: string | undefined
  const said = lines.map((line) => {
    const { at, from, groupTitle, text, wasPaused, author } = line
    const isSame = groupTitle === place
    if (!wasPaused && from !== "team") place = groupTitle
    const heading = isSame || !groupTitle ? "" : `## ${inOneLine(groupTitle)}\n\n`
    const time = new Date(at).toISOString().slice(0, 19).replace("T", " ")
    const note = wasPaused ? " (paused)" : ""
    const shown = author === undefined ? "" : ` (${inOneLine(author)})`
    return `${heading}**${names[from]}${shown}** ${time}${note}\n\n${quoted(text)}\n`
  })
  return [...notes, ...said].join("\n")
}

/**
 * Quoted text can neither begin a heading nor end another line. Visitor input, even repeated by a bot, is
 * shown as text: its links, pictures and tags have no effect.
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
