/** Code that a bot's author wrote for the browser of the person, and where it runs. */
import type { ActionOf } from "../payload.ts"
import { runIsolated } from "./isolated.ts"
import type { Code } from "./messages.ts"

/** Puts a script into that form: the tags around it, which authors paste with it, are dropped. */
export function codeOf({ content, args }: ActionOf<"scriptToExecute">["scriptToExecute"]): Code {
  return {
    content: content.replace(/^\s*<script[^>]*>/i, "").replace(/<\/script>\s*$/i, ""),
    args: Object.fromEntries(args.map(({ id, value }) => [id, value])),
  }
}

/** Runs code in the page itself, with all that the page may do; for pages that say so. */
export async function runTrusted({ content, args }: Code): Promise<unknown> {
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => CompiledCode
  return await new AsyncFunction(...Object.keys(args), content)(...Object.values(args))
}

type CompiledCode = (...args: unknown[]) => Promise<unknown>

/** Runs code where the page allows it: in the page when the bot is trusted, else shut away. */
export function createCodeRunner(place: {
  host: string
  isTrusted: boolean
  root: ParentNode & Node
  openPage(url: string, isNewTab: boolean): void
}): (code: Code) => Promise<unknown> {
  return place.isTrusted ? runTrusted : runIsolated(place)
}
