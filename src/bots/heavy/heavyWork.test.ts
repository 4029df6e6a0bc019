/** Heavy work on a thread: results, limits, and turns of owners. */
import { afterAll, describe, expect, test } from "vitest"
import { bot, group, say } from "../../../test/support/bots.ts"
import { userParty } from "../../lib/party.ts"
import { jobs } from "./heavyJobs.ts"
import { openHeavyWork } from "./heavyWork.ts"

/** A flow of so many bubbles of a kilobyte. */
const flowOf = (blocks: number, text = "x") =>
  bot(group("A", ...Array.from({ length: blocks }, (_, n) => say(`${n} ${text.repeat(1_000)}`))))

const heavy = openHeavyWork()
afterAll(() => heavy.close())

describe("a large flow on a thread", () => {
  test("has the same result as on the event loop", async () => {
    const flows = { before: flowOf(200), after: flowOf(200, "y") }
    expect(await heavy.run(userParty("a"), "diff", flows)).toEqual(jobs.diff(flows))
    expect(await heavy.run(userParty("a"), "lint", { bot: flows.before })).toEqual(
      jobs.lint({ bot: flows.before }),
    )
    const { contentHash, ...content } = jobs.contentOfDraft(flows.before)
    const made = await heavy.run(userParty("a"), "contentOfDraft", flows.before)
    expect(made).toMatchObject(content)
    expect(Buffer.from(made.contentHash)).toEqual(contentHash)
  })

  test("has the same refusal as on the event loop, with code and message", async () => {
    const flows = { before: flowOf(4_000, "abcd"), after: flowOf(4_000, "efgh") }
    const refused = await heavy.run(userParty("a"), "diff", flows).catch((error: unknown) => error)
    expect(refused).toMatchObject({
      name: "AppError",
      code: "UNPROCESSABLE_CONTENT",
      message: expect.stringContaining("compare versions that are closer"),
    })
  })
})

test("work that takes too much memory ends its thread, and the next has another", async () => {
  const small = openHeavyWork({ maxMegabytes: 32, maxMs: 60_000 })
  const flows = { before: flowOf(4_000), after: flowOf(4_000, "y") }
  const refused = await small.run(userParty("a"), "diff", flows).catch((error: unknown) => error)
  expect(refused).toMatchObject({
    message: expect.stringContaining("more memory than one request"),
  })
  expect(await small.run(userParty("a"), "lint", { bot: flowOf(100) })).toMatchObject({
    errorCount: 0,
  })
  small.close()
})

test("work that takes too long is refused", async () => {
  const hurried = openHeavyWork({ maxMegabytes: 256, maxMs: 1 })
  const refused = await hurried
    .run(userParty("a"), "lint", { bot: flowOf(3_000) })
    .catch((error) => error)
  expect(refused).toMatchObject({ message: expect.stringContaining("more time than one request") })
  hurried.close()
})

test("a flow of any size with regular expressions is linted on a thread", async () => {
  const hurried = openHeavyWork({ maxMegabytes: 256, maxMs: 1 })
  const small = flowOf(1)
  expect(await hurried.run(userParty("a"), "lint", { bot: small })).toMatchObject({ errorCount: 0 })
  const variables = [{ id: "v", name: "Matches regex" }]
  const judging = hurried.run(userParty("a"), "lint", { bot: { ...small, variables } })
  await expect(judging).rejects.toMatchObject({ message: expect.stringContaining("more time") })
  hurried.close()
})

test("owners take turns, for any load of one of them", async () => {
  const done: string[] = []
  const run = async (owner: string) => {
    await heavy.run(userParty(owner), "lint", { bot: flowOf(100) })
    done.push(owner)
  }
  await Promise.all([...Array.from({ length: 6 }, () => run("many")), run("one"), run("other")])
  expect(done.indexOf("one")).toBeLessThan(4)
  expect(done.indexOf("other")).toBeLessThan(4)
})

test("when too much waits, the last request of the busiest owner is refused", async () => {
  const narrow = openHeavyWork(undefined, { maxWaiting: 2 })
  const asked = ["many", "many", "many", "many", "one"].map((owner) =>
    narrow.run(userParty(owner), "lint", { bot: flowOf(100) }).then(
      () => owner,
      ({ code }) => code as string,
    ),
  )
  const outcomes = await Promise.all(asked)
  expect(outcomes.filter((each) => each === "SERVICE_UNAVAILABLE")).toHaveLength(2)
  expect(outcomes.at(-1)).toBe("one")
  narrow.close()
})

test("a small flow needs no thread", async () => {
  const closed = openHeavyWork()
  closed.close()
  expect(await closed.run(userParty("a"), "lint", { bot: flowOf(3) })).toMatchObject({
    errorCount: 0,
  })
  await expect(closed.run(userParty("a"), "lint", { bot: flowOf(300) })).rejects.toMatchObject({
    code: "SERVICE_UNAVAILABLE",
  })
})
