/** Variables of a workspace: who changes them, what is kept of them, and when chats read them. */
import { describe, expect, test } from "vitest"
import { referencesOf } from "../../src/bots/flowReferences.ts"
import { surroundingsOf } from "../../src/bots/surroundings.ts"
import { maxVariables } from "../../src/db/people/workspaceVariables.ts"
import { createCipher } from "../../src/effects/credentials/cipher.ts"
import { startPeer } from "../effects/peer.ts"
import { ask, block, bot, group, idOf, say } from "../support/bots.ts"
import { collaborate, join, newUser, refusalOf } from "../support/callers.ts"
import { testDatabase, testDatabaseUrl } from "../support/database.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { type TestServer, testServer } from "../support/server.ts"
import { eventually } from "../support/waiting.ts"

const db = await testDatabase()
const owner = await newUser(db)
const { workspace } = await owner.call.workspace.create({ name: "W" })
const workspaceId = workspace.id
const [member, guest, stranger] = [await newUser(db), await newUser(db), await newUser(db)]
await join(db, member, workspaceId, "MEMBER")
await join(db, guest, workspaceId, "GUEST")

const secret = "a secret of tests"

describe("a variable", () => {
  test("is created, changed, listed by name and deleted by those who edit bots", async () => {
    const { variable } = await owner.call.variable.create({ workspaceId, name: "shop", value: "A" })
    expect(variable).toMatchObject({ name: "shop", value: "A", isSecret: false })
    await member.call.variable.create({ workspaceId, name: "address", value: "" })
    await member.call.variable.update({ workspaceId, variableName: "shop", value: "B" })
    const { variables } = await member.call.variable.list({ workspaceId })
    expect(variables).toMatchObject([
      { name: "address", value: "" },
      { name: "shop", value: "B" },
    ])
    for (const variableName of ["shop", "address"])
      await member.call.variable.delete({ workspaceId, variableName })
    expect(await member.call.variable.list({ workspaceId })).toEqual({ variables: [] })
  })

  test("does not exist for guests, strangers and collaborators", async () => {
    const { bot: shared } = await owner.call.bot.create({ workspaceId, bot: { name: "B" } })
    await collaborate(db, stranger, shared.id, "WRITE")
    for (const { call } of [guest, stranger]) {
      const calls = [
        () => call.variable.list({ workspaceId }),
        () => call.variable.create({ workspaceId, name: "x", value: "x" }),
        () => call.variable.update({ workspaceId, variableName: "shop", value: "x" }),
        () => call.variable.delete({ workspaceId, variableName: "shop" }),
      ]
      for (const each of calls) expect((await refusalOf(each())).code).toBe("NOT_FOUND")
    }
  })

  test.each([
    ["a name with a dollar sign", { name: "$shop", value: "x" }],
    ["a name that begins with a digit", { name: "1x", value: "x" }],
    ["a long name", { name: "x".repeat(65), value: "x" }],
    ["a long value", { name: "x", value: "x".repeat(10_001) }],
    ["a secret that occurs in any text", { name: "x", value: "abc ", isSecret: true }],
  ])("is refused with %s", async (_, given) => {
    const call = owner.call.variable.create({ workspaceId, ...given })
    expect((await refusalOf(call)).code).toBe("BAD_REQUEST")
    expect(await owner.call.variable.list({ workspaceId })).toEqual({ variables: [] })
  })

  test("has a name of its own in its workspace, which has a bounded number of them", async () => {
    const { workspace: full } = await owner.call.workspace.create({ name: "Full" })
    const names = Array.from({ length: maxVariables }, (_, index) => `v${index}`)
    const rows = names.map((name) => ({ workspaceId: full.id, name, value: "x" }))
    await db.kysely.insertInto("workspaceVariables").values(rows).execute()
    const create = (name: string, id = full.id) =>
      owner.call.variable.create({ workspaceId: id, name, value: "x" })
    expect(await refusalOf(create("v1"))).toEqual({
      code: "CONFLICT",
      message: 'The workspace has a variable "v1" already',
    })
    expect(await refusalOf(create("more"))).toEqual({
      code: "BAD_REQUEST",
      message: "A workspace has at most 200 variables",
    })
    await create("v1", workspaceId)
    await owner.call.variable.delete({ workspaceId, variableName: "v1" })
  })
})

describe("a secret", () => {
  const stored = async (name: string) =>
    await db.kysely
      .selectFrom("workspaceVariables")
      .selectAll()
      .where("workspaceId", "=", workspaceId)
      .where("name", "=", name)
      .executeTakeFirstOrThrow()
  const opened = async (name: string) => {
    const { data, nonce, keyId } = await stored(name)
    if (!data || !nonce || keyId === null) return undefined
    const cipher = createCipher(["a secret that only tests know of"])
    return cipher.open(`variable ${workspaceId} ${name}`, { data, nonce, keyId })
  }

  test("is encrypted, and in no answer", async () => {
    const given = { workspaceId, name: "key", value: secret, isSecret: true }
    const answers: object[] = [await owner.call.variable.create(given)]
    expect(await opened("key")).toBe(secret)
    expect((await stored("key")).data?.toString("latin1")).not.toContain(secret)
    const address = { workspaceId, variableName: "key" }
    answers.push(
      await owner.call.variable.update({ ...address, value: `${secret}, changed` }),
      await owner.call.variable.list({ workspaceId }),
    )
    expect(await opened("key")).toBe(`${secret}, changed`)
    expect(JSON.stringify(answers)).not.toContain(secret)
  })

  test("is never turned into a plain variable with the value that it has", async () => {
    const address = { workspaceId, variableName: "key" }
    const call = owner.call.variable.update({ ...address, isSecret: false })
    expect((await refusalOf(call)).code).toBe("BAD_REQUEST")
    expect((await stored("key")).value).toBeNull()
    const { variable } = await owner.call.variable.update({
      ...address,
      isSecret: false,
      value: "open",
    })
    expect(variable).toMatchObject({ value: "open", isSecret: false })
    expect(await stored("key")).toMatchObject({ value: "open", data: null, nonce: null })
  })

  test("is made of a plain variable, whose value is then in no answer", async () => {
    const address = { workspaceId, variableName: "key" }
    const { variable } = await owner.call.variable.update({ ...address, isSecret: true })
    expect(variable).not.toHaveProperty("value")
    expect(await opened("key")).toBe("open")
    await owner.call.variable.delete(address)
  })
})

describe("chats", async () => {
  const environment = { DATABASE_URL: await testDatabaseUrl(), PARLEY_ALLOW_HOSTS: "127.0.0.1" }
  const server = await testServer(environment)
  const second = await testServer({ ...environment, PARLEY_ROLE: "chat" })
  const path = `/api/v1/workspaces/${server.workspaceId}/variables`
  const peer = await startPeer()
  const saying = async (at: TestServer, publicId: string) =>
    textsOf((await chatOver(at, publicId)).step)

  test("read what is set now, in every process", async () => {
    await server.send("POST", path, { body: { name: "shop", value: "Tea" } })
    const { publicId } = await publishBot(server, bot(group("A", say("{{$shop}}"))))
    for (const each of [server, second]) expect(await saying(each, publicId)).toEqual(["Tea"])
    const changed = await server.send("PATCH", `${path}/shop`, { body: { value: "Coffee" } })
    expect(changed.body).toMatchObject({ variable: { value: "Coffee" } })
    expect(await saying(server, publicId)).toEqual(["Coffee"])
    await eventually(async () => expect(await saying(second, publicId)).toEqual(["Coffee"]))
    await server.send("DELETE", `${path}/shop`)
    expect(await saying(server, publicId)).toEqual([""])
  })

  test("send secrets, and show none: not in answers, results, logs and previews", async () => {
    await server.send("POST", path, { body: { name: "key", value: secret, isSecret: true } })
    peer.answers((response, { headers, text }) => {
      response.end(JSON.stringify({ got: `${headers["x-key"]} ${text}` }))
    })
    const request = block("Webhook", {
      isCustomBody: true,
      webhook: {
        url: peer.url,
        headers: [{ key: "X-Key", value: "{{$key}}" }],
        body: '{"key":"{{$key}}"}',
      },
      responseVariableMapping: [{ bodyPath: "data.got", variableId: idOf("Got") }],
    })
    const flow = bot(group("A", request, say("{{Got}} {{$key}}"), ask.text()))
    const { publicId, botId } = await publishBot(server, flow)
    const { step } = await chatOver(server, publicId)
    expect(peer.received[0]?.headers).toMatchObject({ "x-key": secret })
    expect(peer.received[0]?.json).toEqual({ key: secret })
    expect(textsOf(step)[0]).toMatch(/^••• .*••• ?.*•••$/)
    const result = `/api/v1/bots/${botId}/results/${step.resultId}`
    const preview = { body: { trace: true } }
    const seen = [
      step,
      (await server.send("GET", result)).body,
      (await server.send("GET", `${result}/logs`)).body,
      (await server.send("POST", `/api/v1/bots/${botId}/preview/startChat`, preview)).body,
    ]
    expect(peer.received.length).toBe(2)
    expect(JSON.stringify(seen)).not.toContain(secret)
  })

  test("of strangers' previews have none of them", async () => {
    const anonymous = { token: null, body: { bot: bot(group("A", say("<{{$key}}>"))) } }
    const { botId } = await publishBot(server, bot(group("A", say("x"))))
    const path = `/api/v1/bots/${botId}/preview/startChat`
    const { body } = await server.send("POST", path, anonymous)
    expect(JSON.stringify(body)).not.toContain("•••")
  })

  test("are checked beforehand: unknown names, and secrets that would be shown", async () => {
    const flow = { name: "B", ...bot(group("A", say("{{$key}} {{$none}}"))) }
    const lint = async (body: object) =>
      (await server.send("POST", "/api/v1/bots/lint", { body: { bot: flow, ...body } })).body
    expect(await lint({})).toMatchObject({ findings: [] })
    expect(await lint({ workspaceId: server.workspaceId })).toMatchObject({
      findings: [{ rule: "unknown-workspace-variable" }, { rule: "exposed-secret" }],
      errorCount: 1,
    })
  })

  test("can be tested, with the variables that the file does not set, and no secret", async () => {
    await server.send("POST", path, { body: { name: "city", value: "Rome" } })
    const { botId } = await publishBot(server, bot(group("A", say("{{$city}} {{$key}}"))))
    const tested = async (file: string) =>
      (await server.send("POST", `/api/v1/bots/${botId}/test`, { body: { file } })).body
    const says = (words: string) => `bot: ./b.json\nconversation: [{ bot: "${words}" }]\n`
    expect(await tested(says("Rome •••"))).toMatchObject({ passed: 1 })
    const own = "workspaceVariables: { city: Oslo, key: open }"
    expect(await tested(`${says("Oslo open")}${own}`)).toMatchObject({ passed: 1 })
  })

  test("whose bot names none are checked without asking for them", async () => {
    const around = async (text: string) =>
      await surroundingsOf(db, { workspaceId }, referencesOf(bot(group("A", say(text)))))
    expect(await around("{{$none}}")).toHaveProperty("variables", new Map())
    expect(await around("{{none}}")).not.toHaveProperty("variables")
  })
})
