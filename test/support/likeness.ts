/** Compares an answer with an example of it: ids, times and secrets may be others, all else must be equal. */

/** The kinds of values that a service makes anew, by their form. */
const made = {
  /** In a table with the seconds that it took until then. */
  time: String.raw`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{3})?Z(?:,\d+\b)?`,
  date: String.raw`\d{4}-\d\d-\d\d`,
  token: String.raw`parley_pat_\w+`,
  secret: String.raw`whsec_[\w+/]+=*`,
  signature: String.raw`(?:expires|signature|tallies)=[\w-]+`,
  message: String.raw`\bmsg-[\w-]{12}`,
  uuid: `[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}`,
  session: String.raw`[0-9a-f]{32}[0-9A-Za-z]{22}\b`,
  preview: String.raw`\bp[0-9A-Za-z]{28}\b`,
  hash: String.raw`\b[0-9a-f]{32}\b`,
  id: String.raw`\b[a-z][a-z0-9]{23}\b`,
  position: String.raw`(?<=\bid: )[\w-]{40,}`,
  file: String.raw`\b[0-9A-Za-z]{32}\b`,
}

const anyMade = new RegExp(
  Object.entries(made)
    .map(([kind, pattern]) => `(?<${kind}>${pattern})`)
    .join("|"),
  "g",
)

type Found = { kind: string; text: string }

function foundIn(text: string): Found[] {
  return [...text.matchAll(anyMade)].map(({ 0: found, groups = {} }) => {
    const [kind = ""] = Object.entries(groups).find(([, value]) => value !== undefined) ?? []
    return { kind, text: found }
  })
}

/** What is the same thing whenever it comes again; times and signatures are not. */
const lasting = new Set(["uuid", "session", "preview", "id", "hash"])

/** Members that hold what was measured, or what no form tells: their values may be any others of the type. */
const isAnything = (name: string) =>
  /^(?:durationMs|durationSeconds|medianSeconds|hint|nextCursor)$/.test(name)

/** The values of a service that stand for those of the examples. */
export class Bindings {
  readonly #live: Map<string, string>

  constructor(pairs: Iterable<[string, string]> = []) {
    this.#live = new Map(pairs)
  }

  /** These values and some others, for a while. */
  with(others: Record<string, string>): Bindings {
    return new Bindings([...this.#live, ...Object.entries(others)])
  }

  /** Says what stands for a value of the examples from now on. */
  bind(example: string, live: string): void {
    this.#live.set(example, live)
  }

  /** A value of the examples with what stands for its parts. */
  filled<T>(value: T): T {
    let text = JSON.stringify(value)
    // The longest first: the id of a session begins with that of its result.
    const pairs = [...this.#live].sort(([a], [b]) => b.length - a.length)
    for (const [example, live] of pairs) text = text.replaceAll(example, live)
    return JSON.parse(text)
  }

  /**
   * The places where an answer is not like its example. What is made anew is bound: one value of the
   * examples stands for one thing, and that for no other.
   */
  differences(example: unknown, answer: unknown, place = "$"): string[] {
    if (typeof example === typeof answer && isAnything(place.split(".").at(-1) ?? "")) return []
    if (typeof example === "string" && typeof answer === "string") {
      return this.#compareTexts(example, answer) ? [] : [saying(place, example, answer)]
    }
    if (
      !isObject(example) ||
      !isObject(answer) ||
      Array.isArray(example) !== Array.isArray(answer)
    ) {
      return example === answer ? [] : [saying(place, example, answer)]
    }
    const names = new Set([...Object.keys(example), ...Object.keys(answer)])
    return [...names].flatMap((name) =>
      this.differences(example[name], answer[name], `${place}.${name}`),
    )
  }

  #compareTexts(example: string, answer: string): boolean {
    if (this.filled(example) === answer) return true
    const [shown, live] = [foundIn(example), foundIn(answer)]
    const masked = (text: string, found: readonly Found[]) =>
      found.reduce((rest, { kind, text }) => rest.replace(text, `<${kind}>`), text)
    if (this.filled(masked(example, shown)) !== masked(answer, live)) return false
    return shown.every(({ kind, text }, index) => {
      const now = live[index]?.text ?? ""
      if (!lasting.has(kind)) return true
      const isNew = !this.#live.has(text) && ![...this.#live.values()].includes(now)
      if (isNew) this.bind(text, now)
      return this.#live.get(text) === now
    })
  }
}

function saying(place: string, example: unknown, answer: unknown): string {
  return `${place}: the example has ${JSON.stringify(example)}, the answer ${JSON.stringify(answer)}`
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null
}
