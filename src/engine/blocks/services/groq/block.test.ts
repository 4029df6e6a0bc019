/** Groq. */
import { holdsCompletions } from "../../../../../test/support/completions.ts"

holdsCompletions("groq", "https://api.groq.com/openai/v1")
