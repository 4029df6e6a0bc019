/** Reports mistakes in the options of `Parley.init…`, in sentences for developers. */

type Kind = "string" | "object" | "number" | "boolean" | "function"

/** The options with their types and examples. */
type OptionTable = Readonly<Record<string, readonly [kinds: readonly Kind[], example: string]>>

const chatOptions: OptionTable = {
  bot: [["string"], '"newsletter"'],
  host: [["string"], '"https://chat.example.com"'],
  rememberKey: [["string"], '"customer-42"'],
  prefilledVariables: [["object"], '{ Name: "Ann" }'],
  theme: [["object"], "{ general: { … } }"],
  width: [["string"], '"480px"'],
  height: [["string"], '"600px"'],
  isTrusted: [["boolean"], "true"],
  onEvent: [["function"], "(event) => { … }"],
}

const opening: OptionTable = { openAfterMs: [["number"], "5000"] }

const options = {
  initStandard: { ...chatOptions, target: [["string", "object"], '"#chat"'] },
  initPopup: { ...chatOptions, ...opening },
  initBubble: {
    ...chatOptions,
    ...opening,
    buttonSize: [["string"], '"56px"'],
    previewMessage: [["object"], '{ message: "Questions?" }'],
  },
} satisfies Record<string, OptionTable>

/** A function that shows a chat. */
export type Call = keyof typeof options

/** Sentences about the mistakes; none if all is well. */
export function checkSettings(name: Call, given: unknown): string[] {
  const call = `Parley.${name}`
  const known: OptionTable = options[name]
  if (typeof given !== "object" || given === null) {
    return [`${call} takes an object of options, such as ${call}({ bot: "newsletter" })`]
  }
  const settings = given as Record<string, unknown>
  const problems = Object.entries(settings).flatMap(([name, value]) => {
    const option = Object.hasOwn(known, name) ? known[name] : undefined
    const names = Object.keys(known).join(", ")
    if (!option) return [`${call} has no option "${name}": it takes ${names}`]
    const [kinds, example] = option
    const isRight = value === undefined || (value !== null && kinds.includes(typeof value as Kind))
    return isRight
      ? []
      : [
          `the option ${name} of ${call} takes a value of the type ${kinds.join(" or ")}, such as ${example}`,
        ]
  })
  const hasBot = settings.bot !== undefined && settings.bot !== ""
  if (!hasBot) problems.unshift(`${call} needs the option bot, the public id of a bot`)
  return problems
}
