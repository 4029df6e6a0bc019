/** Prepares the author's code for the browser, and chooses where it runs. */
import { loadOnDemand } from "../loadOnDemand.ts"
import type { ActionOf } from "../payload.ts"
import type { Code } from "./codeMessages.ts"
import type { CodeHost } from "./isolated.ts"

/** Converts a script, without the `<script>` tags that authors paste along with it. */
export function codeOf({ content, args }: ActionOf<"scriptToExecute">["scriptToExecute"]): Code {
  return {
    content: content.replace(/^\s*<script[^>]*>/i, "").replace(/<\/script>\s*$/i, ""),
    args: Object.fromEntries(args.map(({ id, value }) => [id, value])),
  }
}

/** Runs code in the page itself, with all its rights; only for pages that allow it. */
export async function runTrusted({ content, args }: Code): Promise<unknown> {
  const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => CompiledCode
  return await new AsyncFunction(...Object.keys(args), content)(...Object.values(args))
}

type CompiledCode = (...args: unknown[]) => Promise<unknown>

/** Makes the runner: in the page if the bot is trusted, otherwise in an isolated frame. */
export function createCodeRunner(
  place: CodeHost & { isTrusted: boolean },
): (code: Code) => Promise<unknown> {
  if (place.isTrusted) return runTrusted
  let isolated: ((code: Code) => Promise<unknown>) | undefined
  return async (code) => {
    const { runIsolated } = await loadOnDemand(place.host)
    isolated ??= runIsolated(place)
    return await isolated(code)
  }
}
