/** tRPC: metadata that superjson obeys, and very many calls in one request. */
import { ask, type Got } from "../ask.ts"
import { type Attack, bounded, type Judge, refused, served } from "../attack.ts"
import { many } from "../flow.ts"
import type { Target } from "../target.ts"

const start = "/api/trpc/chat.start"

const calling = (
  name: string,
  body: (publicId: string) => string | object,
  judge: Judge = refused(400),
): Attack => ({
  name,
  door: "tRPC",
  run: ({ address, honestPublicId }) => ask(address, { path: start, body: body(honestPublicId) }),
  judge,
})

/** A start with these variables and this metadata of superjson. */
const withMeta = (prefilledVariables: unknown, meta: object) => (publicId: string) => ({
  json: { publicId, prefilledVariables },
  meta,
})

const name = (path: string, annotation: unknown) => ({
  values: { [`prefilledVariables.Name${path}`]: annotation },
})

/** Metadata nested to a depth, written by hand because JSON.stringify gives up earlier. */
const nested = (levels: number) => (publicId: string) => {
  const json = JSON.stringify({ publicId, prefilledVariables: { Name: [1] } })
  const tree = `${'[["set"],{"0":'.repeat(levels)}["Date"]${"}]".repeat(levels)}`
  return `{"json":${json},"meta":{"values":{"prefilledVariables.Name":${tree}}}}`
}

/** Each list holds the next one twice, so that 40 of them have 2^40 leaves. */
function doubling(levels: number) {
  const name = (level: number) => (level === 0 ? "Name" : `L${level}`)
  const lists = Object.fromEntries(many(levels + 1, (level) => [name(level), [0, 0]]))
  const equalities = Object.fromEntries(
    many(levels, (level) => [
      `prefilledVariables.${name(level + 1)}`,
      [`prefilledVariables.${name(level)}.0`, `prefilledVariables.${name(level)}.1`],
    ]),
  )
  return { lists, equalities }
}

const { lists, equalities } = doubling(40)

const metadata: Attack[] = [
  calling("metadata that stretches a list", withMeta({ Name: [1] }, name(".4294967290", ["Date"]))),
  calling(
    "equal references of 2^40 leaves",
    withMeta(lists, { referentialEqualities: equalities }),
  ),
  calling(
    "equal references in reverse",
    withMeta(lists, {
      referentialEqualities: Object.fromEntries(Object.entries(equalities).toReversed()),
    }),
  ),
  calling(
    "equal references in a circle",
    withMeta(
      { Name: { a: 1 } },
      {
        referentialEqualities: { "prefilledVariables.Name": ["prefilledVariables.Name.a"] },
      },
    ),
  ),
  calling(
    "the root within itself",
    withMeta({ Name: 1 }, { referentialEqualities: [["prefilledVariables.Name"]] }),
  ),
  calling(
    "BigInt of 900,000 digits",
    withMeta({ Name: "9".repeat(900_000) }, name("", ["bigint"])),
  ),
  calling("BigInt that is none", withMeta({ Name: "x" }, name("", ["bigint"]))),
  calling("metadata of 10,000 levels", nested(10_000)),
  calling("metadata of 100 levels", nested(100)),
  calling(
    "path of 100,000 parts",
    withMeta({ Name: 1 }, { values: { [`prefilledVariables${".a".repeat(100_000)}`]: ["Date"] } }),
    bounded,
  ),
  calling(
    "path to the prototype",
    withMeta({ Name: 1 }, { values: { "__proto__.polluted": ["Date"] } }),
  ),
  calling(
    "path to the constructor",
    withMeta({ Name: 1 }, { values: { "constructor.prototype.polluted": ["undefined"] } }),
  ),
  calling("regular expression", withMeta({ Name: "/(a+)+$/" }, name("", ["regexp"])), bounded),
  calling("set of 100,000", withMeta({ Name: many(100_000, String) }, name("", ["set"])), bounded),
  calling("map of no pairs", withMeta({ Name: [1] }, name("", ["map"]))),
  calling("error", withMeta({ Name: { message: "a", stack: "b" } }, name("", ["Error"])), bounded),
  calling(
    "typed array",
    withMeta({ Name: [1, 2, 3] }, name("", [["typed-array", "Float64Array"]])),
    bounded,
  ),
  calling("class of nobody", withMeta({ Name: {} }, name("", [["class", "Process"]]))),
  calling("custom of nobody", withMeta({ Name: {} }, name("", [["custom", "eval"]]))),
  calling(
    "100,000 annotations",
    (publicId) => ({
      json: { publicId, prefilledVariables: { Name: "a" } },
      meta: {
        values: Object.fromEntries(many(100_000, (index) => [`publicId.${index}`, ["Date"]])),
      },
    }),
    bounded,
  ),
]

const outOfMany = (names: string, body: object): Attack["run"] => {
  return ({ address }) => ask(address, { path: `/api/trpc/${names}?batch=1`, body })
}

const numbered = (count: number, input: object) =>
  Object.fromEntries(many(count, (index) => [index, input]))

const batches: Attack[] = [
  {
    name: "batch of 500",
    door: "tRPC",
    run: outOfMany(many(500, () => "chat.start").join(","), numbered(500, { json: {} })),
    judge: refused(400),
  },
  {
    name: "batch of 20 starts of 200 kB",
    door: "tRPC",
    run: (target) => batchOfStarts(target, 20, 190_000),
    judge: bounded,
  },
  {
    name: "batch within a batch",
    door: "tRPC",
    run: outOfMany("chat.start,chat.start", { 0: { 0: { json: {} } }, 1: [[[]]] }),
    judge: bounded,
  },
  {
    name: "batch of 100,000 inputs for one call",
    door: "tRPC",
    run: outOfMany("chat.start", numbered(100_000, {})),
    judge: bounded,
  },
  {
    name: "names of prototypes",
    door: "tRPC",
    run: outOfMany("__proto__,constructor,toString", {}),
    judge: refused(404, 400),
  },
  {
    name: "query of 14 kB that is no JSON",
    door: "tRPC",
    run: ({ address }) =>
      ask(address, { path: `/api/trpc/user.getMe?input=${"%7B".repeat(4_500)}` }),
    judge: bounded,
  },
  {
    name: "honest call",
    door: "tRPC",
    run: ({ address, honestPublicId }) =>
      ask(address, { path: start, body: { json: { publicId: honestPublicId } } }),
    judge: served,
    isControl: true,
  },
  {
    name: "honest batch",
    door: "tRPC",
    run: (target) => batchOfStarts(target, 5, 10),
    judge: served,
    isControl: true,
  },
]

function batchOfStarts(target: Target, count: number, length: number): Promise<Got> {
  const { address, honestPublicId: publicId } = target
  const names = many(count, () => "chat.start").join(",")
  const input = { json: { publicId, prefilledVariables: { Said: "x".repeat(length) } } }
  return ask(address, { path: `/api/trpc/${names}?batch=1`, body: numbered(count, input) })
}

export const callingAttacks: Attack[] = [...metadata, ...batches]
