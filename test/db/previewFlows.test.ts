/** The SQL function that keeps flows under preview. `scripts/sqlFaults.ts` breaks it. */
import { afterEach, describe, expect, test } from "vitest"
import { testDatabase } from "../support/database.ts"
import { openFunctions, type Rows } from "../support/sqlFunctions.ts"

// Some connections hold locks while others wait for them.
const { pool } = await testDatabase({ poolSize: 10 })
const { rowsOf, call, during, atOnce, withoutWaiting } = openFunctions(pool)

afterEach(async () => {
  await pool.query("truncate preview_flows, preview_sessions, preview_starts cascade")
})

describe("a flow under preview", () => {
  const hashOf = (name: string) => Buffer.from(name.padEnd(32))
  type Of = { owner?: string; isAnonymous?: boolean; payload?: string }
  type Most = { flows?: number; bytes?: number; allFlows?: number; allBytes?: number }
  const save = (name: string, of: Of & Most = {}, source: Rows = pool) => {
    const { owner = "ann", isAnonymous = true, payload = "1234567890" } = of
    const { flows = 100, bytes = 10_000, allFlows = 100, allBytes = 10_000 } = of
    const most = [flows, bytes, allFlows, allBytes]
    return call("save_preview_flow", [hashOf(name), payload, owner, isAnonymous, ...most], source)
  }
  const names = async () =>
    (await rowsOf("select encode(hash, 'escape') from preview_flows order by hash")).map(([hash]) =>
      String(hash).trim(),
    )
  const agoOf = (name: string, minutes: number) =>
    pool.query(
      "update preview_flows set last_used_at = now() - make_interval(mins => $2) where hash = $1",
      [hashOf(name), minutes],
    )

  test("stays the same when it is used again, and lasts longer", async () => {
    await save("a")
    await save("b")
    for (const name of ["a", "b"]) await agoOf(name, 60)
    await save("a", { payload: "other", owner: "bob" })
    const used = "last_used_at > now() - interval '30 minutes'"
    expect(await rowsOf(`select payload, owner, ${used} from preview_flows order by hash`)).toEqual(
      [
        ["1234567890", "ann", true],
        ["1234567890", "ann", false],
      ],
    )
  })

  test("of one owner are as many as may be, the newest among them", async () => {
    await save("member", { isAnonymous: false })
    await save("bob", { owner: "bob" })
    await save("a")
    await agoOf("a", 1)
    await save("b")
    await agoOf("b", -60)
    await save("c", { flows: 2 })
    expect(await names()).toEqual(["b", "bob", "c", "member"])
    await save("d", { flows: 1 })
    expect(await names()).toEqual(["bob", "d", "member"])
  })

  test("of one owner have as many bytes as they may", async () => {
    await save("member", { isAnonymous: false })
    await save("bob", { owner: "bob" })
    await save("a")
    await agoOf("a", 1)
    await save("b")
    await save("c", { bytes: 20 })
    expect(await names()).toEqual(["b", "bob", "c", "member"])
  })

  test("of a class are as many as may be, and go first where an owner has several", async () => {
    for (const name of ["m1", "m2"]) await save(name, { isAnonymous: false })
    await save("bob", { owner: "bob" })
    await agoOf("bob", 60)
    await save("a")
    await agoOf("a", 1)
    await save("b")
    await save("carl", { owner: "carl", allFlows: 3 })
    expect(await names()).toEqual(["b", "bob", "carl", "m1", "m2"])
  })

  test("of a class have as many bytes as they may", async () => {
    for (const name of ["m1", "m2"]) await save(name, { isAnonymous: false })
    await save("bob", { owner: "bob" })
    await agoOf("bob", 60)
    await save("a")
    await agoOf("a", 1)
    await save("b")
    await save("carl", { owner: "carl", allBytes: 30 })
    expect(await names()).toEqual(["b", "bob", "carl", "m1", "m2"])
  })

  test("waits for others of its class that are new, and for none when it is there", async () => {
    await save("there")
    await during(
      (source) => save("a", {}, source),
      async () => {
        expect(await withoutWaiting((source) => save("b", {}, source))).toBe("waits")
        expect(await withoutWaiting((source) => save("there", {}, source))).not.toBe("waits")
        const member = { isAnonymous: false }
        expect(await withoutWaiting((source) => save("m", member, source))).not.toBe("waits")
      },
    )
  })

  test("is stored once when two begin it at once", async () => {
    await atOnce((source) => save("a", {}, source))
    expect(await names()).toEqual(["a"])
  })
})
