/** What compilers say of the types of bots: those of the fixtures, and of bots whose names are hostile. */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import fc from "fast-check"
import { afterAll, expect, test } from "vitest"
import { typeNameOf } from "../../src/authoring/types/typeName.ts"
import { typesOfBot } from "../../src/authoring/types/typesOfBot.ts"
import { type Flow, prepareBot } from "../../src/engine/bot.ts"
import { anyFlow } from "../support/anyFlow.ts"
import { ask, block, bot, group } from "../support/bots.ts"
import { compilers, complaintsOf } from "../support/compilers.ts"
import { fixtureBot, fixtureNames, readFixture } from "../support/fixtureBots.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const cache = join(root, "node_modules/.cache/parley")
await mkdir(cache, { recursive: true })
const folder = await mkdtemp(join(cache, "types-"))
afterAll(() => rm(folder, { recursive: true }))

/** Names and texts that end something, begin something, or mean something of their own. */
const hostileNames = [
  "*/ export const x = 1 /*",
  '"; export const x = 1; "',
  "'`\\",
  "a\nb\r\u2028\u2029\u0085c",
  "\ud800\udc00 \ud800",
  "\u202eevil\u2066\ufeff",
  "</script><!--",
  "@deprecated",
  "constructor",
  "__proto__",
  "class",
  "name",
  "toString",
  "0",
  "-1",
  "1e3",
  "",
  " ",
  "👩‍💻",
  "登録",
  "n".repeat(5_000),
]

/** A bot that is called so wherever it has a name. */
function called(name: string): Flow {
  const [asked, ...others] = bot(
    group(
      "A",
      ask.choice([name || "x", "Yes"]),
      ask.choice([{ content: "x", value: name }, "No"], { isMultipleChoice: true, saves: "Name" }),
      block("webhook", {
        responseVariableMapping: [`data[${JSON.stringify(name)}]`, `data.${name}`].map(
          (bodyPath) => {
            return { variableId: "vName", bodyPath }
          },
        ),
      }),
      block("Webhook", {
        isCustomBody: true,
        webhook: { url: "https://e.com", body: JSON.stringify({ [name]: name, list: [[name]] }) },
      }),
      block("Webhook", { webhook: { url: "https://e.com" } }),
    ),
  ).groups
  const variables = [
    { id: "vName", name },
    { id: "vAgain", name },
    { id: "vOther", name: `${name}?` },
  ]
  const flow = bot(group("A"))
  return { ...flow, groups: asked ? [{ ...asked, title: name }, ...others] : [], variables }
}

test("TypeScript compiles the types of every bot, now and in its former generation", async () => {
  const flows: [name: string, flow: Flow][] = [
    ...fixtureNames.map((name): [string, Flow] => [
      typeNameOf(String(fixtureBot(name).name)),
      readFixture(name).sent,
    ]),
    ...hostileNames.map((name): [string, Flow] => [typeNameOf(name), called(name)]),
    ...fc.sample(anyFlow, 20).map((flow): [string, Flow] => ["Any", flow]),
  ]
  for (const [index, [name, flow]] of flows.entries()) {
    await writeFile(join(folder, `bot${index}.ts`), typesOfBot(prepareBot(flow, "", ""), name))
  }
  await writeFile(join(folder, "uses.ts"), uses(flows))
  const strictness = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
  }
  const compilerOptions = {
    ...strictness,
    noEmit: true,
    module: "nodenext",
    types: [],
    lib: ["es2022"],
  }
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }))
  for (const compiler of await compilers()) {
    expect([compiler, await complaintsOf(compiler, folder)]).toEqual([compiler, ""])
  }
})

/** A program that every module gives its one type to. */
function uses(flows: readonly [name: string, flow: Flow][]): string {
  const shape =
    "{ variables: object; prefilled: object; answers: object; choices: object; webhooks: object }"
  const lines = flows.map(
    ([name], index) => `export type Bot${index} = Held<import("./bot${index}.js").${name}>`,
  )
  return `type Held<Bot extends ${shape}> = Bot\n${lines.join("\n")}\n`
}
