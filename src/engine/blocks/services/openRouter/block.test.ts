/** OpenRouter. */
import { holdsCompletions } from "../../../../../test/support/completions.ts"

holdsCompletions("open-router", "https://openrouter.ai/api/v1")
