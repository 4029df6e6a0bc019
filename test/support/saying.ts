/** A flow that says one text, which tells drafts and versions of a bot apart. */
import { ask, bot, group, say } from "./bots.ts"

/** The parts of a flow that says a text and asks, as imports and changes take them. */
export function saying(text: string) {
  const { events, groups, edges, variables } = bot(
    group("A", say(text), ask.text({ saves: "Said" })),
  )
  return { events: events ?? [], groups, edges, variables }
}

/** The text that such a flow says; undefined: it is none. */
export function saidIn({ groups }: { groups?: unknown }): string | undefined {
  return /"text":"([^"]*)"/.exec(JSON.stringify(groups) ?? "")?.[1]
}
