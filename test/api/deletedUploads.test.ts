/** Uploads and deletions: a file goes with the result that names it, also when it comes at that moment. */
import { describe, expect, onTestFinished, test } from "vitest"
import { chatScopeOf } from "../../src/db/chats/uploads.ts"
import { openDatabase } from "../../src/db/connection/openDatabase.ts"
import { archiveResults } from "../../src/results/archiveResults.ts"
import { ask, block, bot, group, link, say } from "../support/bots.ts"
import { isOnCluster } from "../support/cluster.ts"
import { noFiles, runJob } from "../support/jobs.ts"
import { untilLockWaits } from "../support/lockWaits.ts"
import { chatOver, publishBot, textsOf } from "../support/publish.ts"
import { filesWith } from "../support/traces.ts"
import {
  databaseUrl,
  fileFlow,
  folder,
  here,
  type Prepared,
  prepare,
  server,
  upload,
  waiting,
} from "../support/uploads.ts"
import { openLatch, until } from "../support/waiting.ts"

test("the files of a result are deleted with it", async () => {
  const { asked, step, botId } = await waiting()
  const prepared = (await prepare(asked)).body as Prepared
  await upload(prepared, "bytes")
  expect((await fetch(here(prepared.fileUrl))).status).toBe(200)
  await server.send("DELETE", `/api/v1/bots/${botId}/results?resultIds=${step.resultId}`)
  expect((await fetch(here(prepared.fileUrl))).status).toBe(404)
})

test.each([
  [false, "is deleted with the result of that bot"],
  [true, "is deleted with the result of its parent, in which that bot records"],
])("a file that is sent to a linked bot (mergeResults: %o) %s", async (mergeResults) => {
  const kid = await publishBot(server, fileFlow({ visibility: "Private" }))
  const parent = await publishBot(
    server,
    bot(group("P", say("Hi"), link(kid.botId, { mergeResults }))),
  )
  const { step } = await chatOver(server, parent.publicId)
  const asked = { sessionId: step.sessionId, fileName: "cat.png", fileType: "image/png" }
  const prepared = (await prepare(asked)).body as Prepared
  expect((await upload(prepared, "Meow, says the linked bot")).status).toBe(204)
  const [owner, other] = mergeResults ? [parent, kid] : [kid, parent]
  expect(prepared.fileUrl).toContain(`/bots/${owner.botId}/files/`)
  const left = () => filesWith(folder, "Meow, says the linked bot")
  await server.send("DELETE", `/api/v1/bots/${other.botId}/results?all=true`)
  expect(await left()).toHaveLength(1)
  await server.send("DELETE", `/api/v1/bots/${owner.botId}/results?all=true`)
  expect(await left()).toEqual([])
})

test("a picture that a linked bot draws is deleted with the result of that bot", async () => {
  const options = { action: "Generate a QR Code", data: "Me", saveUrlInVariableId: "vCode" }
  const drawing = group("K", block("qr-code", options), say("{{Code}}"), ask.text())
  const kid = await publishBot(server, bot({ variables: { Code: null } }, drawing))
  const parent = bot(group("P", say("Hi"), link(kid.botId, { mergeResults: false })))
  const { step } = await chatOver(server, (await publishBot(server, parent)).publicId)
  const url = here(textsOf(step)[1] ?? "")
  expect((await fetch(url)).status).toBe(200)
  await server.send("DELETE", `/api/v1/bots/${kid.botId}/results?all=true`)
  expect((await fetch(url)).status).toBe(404)
})

describe("an upload that was permitted before its result is deleted", () => {
  const late = "These bytes come late"

  test("is refused afterwards, and leaves no file", async () => {
    const { asked, botId } = await waiting()
    const prepared = (await prepare(asked)).body as Prepared
    await server.send("DELETE", `/api/v1/bots/${botId}/results?all=true`)
    expect((await upload(prepared, late)).status).toBe(403)
    expect(await filesWith(folder, late)).toEqual([])
  })

  test("is refused when it is half there by then, and leaves no file", async () => {
    const { asked, botId } = await waiting()
    const prepared = (await prepare(asked)).body as Prepared
    const rest = openLatch()
    const body = async function* () {
      yield Buffer.from(late)
      await rest.isOpen
      yield Buffer.from("and the rest")
    }
    const init = { method: "PUT", body: body(), duplex: "half" } as unknown as RequestInit
    const sent = fetch(here(prepared.presignedUrl), init)
    await until(async () => (await filesWith(folder, late)).length > 0)
    await server.send("DELETE", `/api/v1/bots/${botId}/results?all=true`)
    rest.open()
    expect((await sent).status).toBe(403)
    expect(await filesWith(folder, late)).toEqual([])
  })

  test("goes with the result when it comes meanwhile", async () => {
    const { asked, botId, step } = await waiting()
    const prepared = (await prepare(asked)).body as Prepared
    const db = await openDatabase({ url: databaseUrl, poolSize: 2 })
    onTestFinished(() => db.close())
    const removals: string[] = []
    const archived = { botId, selection: "all", workspaceBotIds: [botId] } as const
    const deleteResultFiles = async ({ resultId }: { resultId: string }) => {
      if (removals.length === 0) expect((await upload(prepared, late)).status).toBe(204)
      removals.push(resultId)
    }
    await archiveResults({ db, files: { deleteResultFiles } }, archived)
    expect(removals).toEqual([step.resultId, step.resultId])
  })

  test("is deleted with the result if the result of the parent is deleted meanwhile", async () => {
    const kid = await publishBot(server, fileFlow())
    const parent = await publishBot(
      server,
      bot(group("P", say("Hi"), link(kid.botId, { mergeResults: false }))),
    )
    const { step } = await chatOver(server, parent.publicId)
    const asked = { sessionId: step.sessionId, fileName: "cat.png", fileType: "image/png" }
    const prepared = (await prepare(asked)).body as Prepared
    const db = await openDatabase({ url: databaseUrl, poolSize: 2 })
    onTestFinished(() => db.close())
    const removals: string[] = []
    const archived = { botId: kid.botId, selection: "all", workspaceBotIds: [kid.botId] } as const
    const deleteResultFiles = async ({ resultId }: { resultId: string }) => {
      if (removals.length === 0) {
        expect((await upload(prepared, late)).status).toBe(204)
        await server.send("DELETE", `/api/v1/bots/${parent.botId}/results?all=true`)
      }
      removals.push(resultId)
    }
    await archiveResults({ db, files: { deleteResultFiles } }, archived)
    expect(removals).toEqual([removals[0], removals[0]])
  })

  test.skipIf(isOnCluster)(
    "is not permitted when it is deleted while that is counted",
    async () => {
      const { asked, botId } = await waiting()
      const db = await openDatabase({ url: databaseUrl, poolSize: 2 })
      onTestFinished(() => db.close())
      const client = await db.pool.connect()
      let asking: ReturnType<typeof prepare> | undefined
      try {
        await client.query("begin")
        await client.query(
          "insert into upload_tallies (scope, files, bytes, expires_at) values ($1, 1, 1, now())",
          [chatScopeOf(asked.sessionId)],
        )
        asking = prepare(asked)
        await untilLockWaits(client)
        await server.send("DELETE", `/api/v1/bots/${botId}/results?all=true`)
        await client.query("rollback")
      } finally {
        client.release(true)
      }
      expect((await asking).status).toBe(404)
    },
  )

  const days = (number: number) => number * 86_400_000

  test("goes with it, or is refused, when that is deleted by age", async () => {
    const { asked, botId, step } = await waiting()
    const meanwhile = (await prepare(asked)).body as Prepared
    const afterwards = (await prepare(asked)).body as Prepared
    const db = await openDatabase({ url: databaseUrl, poolSize: 2 })
    onTestFinished(() => db.close())
    const removals: object[] = []
    const deleteResultFiles = async (result: { botId: string; resultId: string }) => {
      if (result.botId !== botId) return
      if (removals.length === 0) expect((await upload(meanwhile, late)).status).toBe(204)
      removals.push(result)
    }
    await runJob(db, "purge_results", {
      files: { ...noFiles, deleteResultFiles },
      resultRetentionDays: 3,
      now: () => Date.now() + days(4),
    })
    const result = { botId, resultId: step.resultId }
    expect(removals).toEqual([result, result])
    expect((await upload(afterwards, late)).status).toBe(403)
  })
})
