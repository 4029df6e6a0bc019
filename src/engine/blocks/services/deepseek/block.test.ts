/** DeepSeek. */
import { holdsCompletions } from "../../../../../test/support/completions.ts"

holdsCompletions("deepseek", "https://api.deepseek.com/v1")
