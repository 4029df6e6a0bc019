/** Outputs of a bot as steps of a test. */
import type { ClientAction } from "../../engine/payload.ts"
import type { TestStep } from "../files/testFileSchema.ts"
import type { Heard } from "../play/heard.ts"

/** Longer texts are matched by their beginning. */
const maxCharacters = 10_000

/** The step that expects an output; undefined: none is needed. */
export function stepOf(heard: Heard): TestStep | undefined {
  if (heard.kind === "action") {
    const action = actionRule(heard.action)
    return action && { action }
  }
  if (heard.kind === "input") {
    const { type, choices = [] } = heard
    const isShort = choices.length <= 1_000 && JSON.stringify(choices).length <= maxCharacters
    return { input: choices.length > 0 && isShort ? { type, choices } : type }
  }
  return stepOfWords(heard)
}

/** The step that expects a message. */
export function stepOfWords({
  type,
  text,
}: Extract<Heard, { kind: "bot" }>): Required<Pick<TestStep, "bot">> {
  if (type !== "text") {
    const kind = type === "custom-embed" ? "embed" : type
    return { bot: { [kind]: text.length > 8_000 ? `${text.slice(0, 8_000)}*` : text } }
  }
  const said = text.trim()
  return { bot: said.length > maxCharacters ? { contains: said.slice(0, maxCharacters) } : said }
}

/** Pauses and actions of pages, which conversations do not mention. */
const unmentioned: ReadonlySet<ClientAction["type"]> = new Set([
  "wait",
  "startPropsToInject",
  "stream",
  "streamOpenAiChatCompletion",
])

function actionRule(action: ClientAction): TestStep["action"] {
  const { type } = action
  if (unmentioned.has(type)) return undefined
  const url = action.type === "redirect" ? action.redirect.url : undefined
  return { type, ...(url !== undefined && url.length <= 8_000 && { redirect: { url } }) }
}
