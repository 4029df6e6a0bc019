/** Tests drafts for the service: input may be hostile, and must not delay chats. */
import type { Sandbox } from "../effects/sandbox/sandbox.ts"
import { unavailable } from "../lib/errors.ts"
import { openFairQueue } from "../lib/fairQueue.ts"
import type { TestRequest } from "./testDraft.ts"

export type DraftTests = ReturnType<typeof openDraftTests>

/** Max characters of a file: it is parsed synchronously, at worst in some 50 ms. */
export const maxTestFileLength = 20_000

/** Tests drafts, one of an owner at a time; owners take turns. */
export function openDraftTests(sandbox: Pick<Sandbox, "run">, maxMs = 10_000) {
  const queue = openFairQueue("draftTests")
  return {
    /** Throws a 400 that describes the defect of a file. */
    async run(request: TestRequest) {
      // Loads the parser of files only when needed.
      const { testDraft } = await import("./testDraft.ts")
      const done = await queue.run(request.party, () => testDraft(request, { sandbox, maxMs }))
      if (done) return done
      throw unavailable("Too many bots are being tested", 5)
    },
    close: () => queue.close(),
  }
}
