/** The tools of assistants: each calls one procedure of the service, with the rights of its caller. */

/** What a call of a tool does, which clients look at before they let an assistant call it. */
export type Effect = "reads" | "adds" | "edits" | "chats" | "publishes"

/** A tool. What it is called, says and takes beside this comes from its procedure. */
export type Tool = {
  name: string
  /** Path of the procedure in the router: `bot.get`. */
  path: string
  effect: Effect
  /** Whose words are in its answers; absent: only those of the product. */
  words?: string
  /** What assistants must know beside what the procedure says of itself. */
  hint?: string
  /** Members of the input that the tool sets itself. */
  sets?: Readonly<Record<string, unknown>>
  /** Members of the input hidden from assistants, such as `bot.theme`: other tools fit better. */
  omits?: readonly string[]
  /** What a person has to agree to before this is done; undefined: nothing. Absent: never anything. */
  asks?: (input: Record<string, unknown>) => Question | undefined
  /** The answer without what an assistant has no need of. */
  shorten?: (answer: unknown, input: Record<string, unknown>) => unknown
}

/** What a person has to agree to: another flow goes live, or something changes for visitors at once. */
export type Question = { goesLive: string } | { changes: string }

const authors = "people who edit bots"
const visitors = "anonymous visitors of a bot"
const chats = "people who edit bots, and systems that bots call"

/** Tools that read what authors wrote, and what visitors said. */
const readsAuthors = { effect: "reads", words: authors } as const
const readsVisitors = { effect: "reads", words: visitors } as const

// Traced previews belong to their caller: these tools cannot continue other chats.
const traced = { trace: true, textBubbleContentFormat: "markdown" }

/** All tools, in the order in which assistants see them. */
export const tools: readonly Tool[] = [
  { name: "list_workspaces", path: "workspace.list", ...readsAuthors },
  { name: "list_bots", path: "bot.list", ...readsAuthors, hint: "Give a `limit`." },
  {
    name: "list_block_types",
    path: "catalogue.list",
    effect: "reads",
    hint: "Without `type` it lists the types. Call it with the `type` of each block that you write: its JSON Schema and an example are in the answer.",
    shorten: listTypes,
  },
  {
    name: "read_bot",
    path: "bot.get",
    ...readsAuthors,
    omits: ["migrateToLatestVersion"],
    hint: "`bot.revision` is what edit_bot takes.",
  },
  {
    name: "create_bot",
    path: "bot.create",
    effect: "adds",
    words: authors,
    omits: ["bot.theme", "bot.settings", "bot.resultsTablePreferences", "bot.publicId"],
    hint: "Nothing of it is live before publish_bot. Theme and settings are changed with edit_bot.",
  },
  {
    name: "edit_bot",
    path: "bot.edit",
    effect: "edits",
    words: authors,
    hint: "Blocks are described by list_block_types. The draft alone is changed, so that visitors see nothing of it, but for the address of the bot, its domain, its channel, and whether it is closed or shared publicly.",
    asks: changesForVisitors,
  },
  { name: "list_edits", path: "bot.listEdits", ...readsAuthors },
  { name: "lint_bot", path: "bot.lint", ...readsAuthors, omits: ["bot", "workspaceId"] },
  {
    name: "test_bot",
    path: "bot.test",
    ...readsAuthors,
    hint: "parley://schemas/test is its format. Keep the file with the bot, so that people can run it too.",
  },
  { name: "list_versions", path: "version.list", ...readsAuthors },
  { name: "read_version", path: "version.get", ...readsAuthors },
  { name: "diff_versions", path: "version.diff", ...readsAuthors },
  {
    name: "start_preview",
    path: "chat.startPreview",
    effect: "chats",
    words: chats,
    sets: traced,
    omits: ["bot", "sessionId", "isStreamEnabled", "isOnlyRegistering", "isProgressBarEnabled"],
    hint: "Talks to the draft; `trace` in the answer lists the blocks it passed. Blocks that send requests or mails do send them.",
  },
  {
    name: "continue_preview",
    path: "chat.continue",
    effect: "chats",
    words: chats,
    sets: traced,
    hint: "For previews that start_preview began.",
  },
  { name: "go_back_in_preview", path: "chat.previewBack", effect: "chats", words: chats },
  {
    name: "publish_bot",
    path: "bot.publish",
    effect: "publishes",
    words: authors,
    asks: () => ({ goesLive: "draft" }),
  },
  {
    name: "roll_back_bot",
    path: "version.rollback",
    effect: "publishes",
    words: authors,
    asks: ({ version }) => ({ goesLive: String(version) }),
  },
  { name: "list_results", path: "result.list", ...readsVisitors, hint: "Give a small `limit`." },
  { name: "read_result", path: "result.get", ...readsVisitors },
  { name: "list_result_logs", path: "result.listLogs", ...readsVisitors },
  { name: "read_transcript", path: "result.transcript", ...readsVisitors },
  { name: "read_trace", path: "result.trace", ...readsVisitors },
  { name: "read_analytics", path: "result.analytics", ...readsVisitors },
]

/** The tool of that name; undefined: there is none. */
export function toolNamed(name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name)
}

/** Members of a bot that are no part of its draft: a change of them is live at once. */
const liveMembers = ["publicId", "customDomain", "isClosed", "whatsAppCredentialsId"]

function changesForVisitors({ edits }: Record<string, unknown>): Question | undefined {
  const changes = [edits].flat().flatMap((edit) => {
    const { type, settings, ...members } = (edit ?? {}) as Record<string, unknown>
    // The draft of a publicly shared bot can be read by everybody with its address.
    const { publicShare } = (settings ?? {}) as Record<string, unknown>
    if (type === "settings.merge") return publicShare === undefined ? [] : [{ publicShare }]
    if (type !== "bot.set") return []
    return Object.entries(members)
      .filter(([name]) => liveMembers.includes(name))
      .map((change) => Object.fromEntries([change]))
  })
  return changes.length === 0 ? undefined : { changes: JSON.stringify(changes) }
}

type Listed = { type: string; isLegacy: boolean; schema: unknown; defaults: unknown; icon: unknown }

function listTypes(answer: unknown, { type }: Record<string, unknown>): unknown {
  if (type !== undefined) return answer
  const { blocks } = answer as { blocks: Listed[] }
  return {
    blocks: blocks
      .filter(({ isLegacy }) => !isLegacy)
      .map(({ schema: _schema, defaults: _defaults, icon: _icon, ...shown }) => shown),
  }
}
