/** Perplexity. */
import { holdsCompletions } from "../../../../../test/support/completions.ts"

holdsCompletions("perplexity", "https://api.perplexity.ai")
