/** Together AI. */
import { holdsCompletions } from "../../../../../test/support/completions.ts"

holdsCompletions("together-ai", "https://api.together.xyz/v1")
