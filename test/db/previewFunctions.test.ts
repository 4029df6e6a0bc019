/** The SQL functions of previews: what each refuses, keeps and deletes. `scripts/sqlFaults.ts` breaks them. */
import { randomUUID } from "node:crypto"
import { afterEach, describe, expect, test } from "vitest"
import { testDatabase } from "../support/database.ts"
import { openFunctions, type Rows } from "../support/sqlFunctions.ts"

// Some connections hold locks while others wait for them.
const { pool } = await testDatabase({ poolSize: 10 })
const { rowsOf, call, during, atOnce, withoutWaiting } = openFunctions(pool)
const none = Buffer.alloc(32)

afterEach(async () => {
  await pool.query("truncate preview_flows, preview_sessions, preview_starts cascade")
})

type Owner = { owner?: string; isAnonymous?: boolean; each?: number; all?: number | null }

const openingValues = (id: string, { owner = "ann", isAnonymous = true, ...most }: Owner = {}) => {
  const { each = 100, all = 100 } = most
  return [id, null, null, null, none, `opened ${id}`, owner, isAnonymous, each, all]
}

const open = (id: string, of: Owner = {}, source: Rows = pool) =>
  call("open_preview_session", openingValues(id, of), source)

const sessions = async () =>
  (await rowsOf("select id from preview_sessions order by id")).map(([id]) => id)
const statesOf = (id: string) =>
  rowsOf("select revision, state from preview_states where session_id = $1 order by revision", [id])
const sessionOf = async (id: string) => {
  const text = "select state, revision, claimed_by from preview_sessions where id = $1"
  return (await rowsOf(text, [id]))[0]
}
const age = (id: string, minutes: number) =>
  pool.query(
    "update preview_sessions set updated_at = now() - make_interval(mins => $2) where id = $1",
    [id, minutes],
  )

describe("a preview that opens", () => {
  test("begins anew under its id, free of its claim and of what it kept", async () => {
    for (const id of ["a", "b"]) {
      expect(await open(id)).toBe(0)
      await pool.query("insert into preview_states values ($1, 0, 'before')", [id])
    }
    await pool.query(
      "update preview_sessions set claimed_by = 'p', claimed_until = now(), state = 'x'",
    )
    expect(await open("a")).toBe(1)
    expect(await sessionOf("a")).toEqual(["opened a", 1, null])
    expect(await statesOf("a")).toEqual([])
    expect(await sessionOf("b")).toEqual(["x", 0, "p"])
    expect(await statesOf("b")).toEqual([[0, "before"]])
  })

  test("leaves the preview of another owner as it is", async () => {
    await open("a")
    await pool.query("insert into preview_states values ('a', 0, 'before')")
    expect(await open("a", { owner: "bob" })).toBeNull()
    expect(await sessionOf("a")).toEqual(["opened a", 0, null])
    expect(await statesOf("a")).toEqual([[0, "before"]])
  })

  test("deletes the oldest of its owner in its class, and never itself", async () => {
    await open("member", { isAnonymous: false })
    await open("bob", { owner: "bob" })
    for (const id of ["a", "b", "c"]) await open(id)
    await age("a", 1)
    await age("b", 2)
    await age("c", -60)
    await open("d", { each: 2 })
    expect(await sessions()).toEqual(["bob", "c", "d", "member"])
    await age("d", -120)
    await open("e", { each: 1 })
    expect(await sessions()).toEqual(["bob", "e", "member"])
  })

  test("deletes of a class what its owners have most of, and never itself", async () => {
    for (const id of ["m1", "m2", "m3"]) await open(id, { isAnonymous: false, all: null })
    for (const id of ["a", "b"]) await open(id)
    await age("a", 5)
    await open("bob", { owner: "bob" })
    await age("bob", 10)
    await open("carl", { owner: "carl", all: 3 })
    expect(await sessions()).toEqual(["b", "bob", "carl", "m1", "m2", "m3"])
    for (const id of ["b", "bob", "carl"]) await age(id, -60)
    await open("dora", { owner: "dora", all: 1 })
    expect(await sessions()).toEqual(["dora", "m1", "m2", "m3"])
  })

  test("waits for another that opens in its class, and for none of the other class", async () => {
    await during(
      (source) => open("a", {}, source),
      async () => {
        expect(await withoutWaiting((source) => open("b", {}, source))).toBe("waits")
        const member = { isAnonymous: false }
        expect(await withoutWaiting((source) => open("m", member, source))).toBe(0)
      },
    )
  })
})

describe("a keyed preview that opens", () => {
  const [keyId, otherKey] = [randomUUID(), randomUUID()]
  const claim = (key: string, by: string) =>
    pool.query("insert into preview_starts values ($1, now() - interval '1 second', $2)", [key, by])
  const openKeyed = (by: string, id = "a", most = 5, source: Rows = pool) =>
    call("open_keyed_preview", [...openingValues(id), keyId, by, none, "answer", most], source)
  const responses = () =>
    rowsOf("select session_id, call, key from preview_responses order by session_id, call, key")

  test("needs the claim on its own key", async () => {
    await claim(keyId, "me")
    await claim(otherKey, "other")
    expect(await openKeyed("other")).toBe(false)
    expect(await sessions()).toEqual([])
    expect(await openKeyed("me")).toBe(true)
    expect(await responses()).toEqual([["a", "start", keyId]])
  })

  test("stores no answer beside the preview of another owner", async () => {
    await claim(keyId, "me")
    await open("a", { owner: "bob" })
    expect(await openKeyed("me")).toBe(false)
    expect(await responses()).toEqual([])
  })

  test("keeps as many answers to starts of its session as it may, its own among them", async () => {
    await claim(keyId, "me")
    for (const id of ["a", "b"]) await open(id)
    for (const [id, kind, key, minutes] of [
      ...[["a", "start", "k1", 1] as const, ["a", "start", "k2", -60] as const],
      ...["k1", "k2", "k3"].map((key) => ["a", "continue", key, 0] as const),
      ...["k1", "k2", "k3"].map((key) => ["b", "start", key, 0] as const),
    ]) {
      const text = `insert into preview_responses values ($1, $2, $3, $4, '', now() - make_interval(mins => $5))`
      await pool.query(text, [id, kind, key, none, minutes])
    }
    const others = [
      ...["k1", "k2", "k3"].map((key) => ["a", "continue", key]),
      ...["k1", "k2", "k3"].map((key) => ["b", "start", key]),
    ]
    const ofA = async () =>
      (await responses()).filter(([id, kind]) => id === "a" && kind === "start")
    expect(await openKeyed("me", "a", 2)).toBe(true)
    expect((await ofA()).map(([, , key]) => key).sort()).toEqual(["k2", keyId].sort())
    expect(await responses()).toEqual(expect.arrayContaining(others))
    await pool.query("delete from preview_responses where key = $1", [keyId])
    expect(await openKeyed("me", "a", 1)).toBe(true)
    expect((await ofA()).map(([, , key]) => key)).toEqual([keyId])
    expect(await responses()).toEqual(expect.arrayContaining(others))
  })

  test("holds its claim until it is stored, also one that ran out", async () => {
    await claim(keyId, "me")
    const take = "update preview_starts set claimed_by = 'other' where key_id = $1"
    const taken = await during(
      (source) => openKeyed("me", "a", 5, source),
      () => withoutWaiting((source) => rowsOf(take, [keyId], source)),
    )
    expect(taken).toBe("waits")
  })
})

describe("an answered preview", () => {
  const save = (
    revision: number,
    {
      id = "a",
      states = 50,
      bytes = 1_000,
      key = null as string | null,
      source = pool as Rows,
    } = {},
  ) => {
    const keyed = [key, key === null ? null : none, key === null ? null : "answer", 5]
    return call(
      "save_answered_preview",
      [id, revision, `state ${revision + 1}`, states, bytes, ...keyed],
      source,
    )
  }
  const keys = () => rowsOf("select session_id, call, key from preview_responses order by 1, 3")

  test("is saved from its own revision, once", async () => {
    await open("a")
    await open("b")
    expect(await save(1)).toBe(false)
    expect(await statesOf("a")).toEqual([])
    expect(await save(0)).toBe(true)
    expect(await save(0)).toBe(false)
    expect(await sessionOf("a")).toEqual(["state 1", 1, null])
    expect(await statesOf("a")).toEqual([[0, "opened a"]])
    expect(await sessionOf("b")).toEqual(["opened b", 0, null])
    expect(await keys()).toEqual([])
    expect(await save(1, { id: "b" })).toBe(false)
    expect(await save(1, { id: "unknown" })).toBe(false)
  })

  test("keeps the state of its own session", async () => {
    for (const id of ["a", "b"]) await open(id)
    expect(await save(0, { id: "b" })).toBe(true)
    expect(await statesOf("b")).toEqual([[0, "opened b"]])
    expect(await sessionOf("a")).toEqual(["opened a", 0, null])
  })

  test("stores the answer beside its key", async () => {
    await open("a")
    expect(await save(0, { key: "k" })).toBe(true)
    expect(await keys()).toEqual([["a", "continue", "k"]])
    expect(await sessionOf("a")).toEqual(["state 1", 1, null])
  })

  test("keeps as many states as it may, independent of other previews", async () => {
    for (const id of ["a", "b"]) await open(id)
    for (let revision = 0; revision < 3; revision += 1) {
      await save(revision)
      await save(revision, { id: "b" })
    }
    await save(3, { states: 2 })
    expect((await statesOf("a")).map(([revision]) => revision)).toEqual([2, 3])
    expect((await statesOf("b")).map(([revision]) => revision)).toEqual([0, 1, 2])
    await save(3, { id: "b", states: 4 })
    expect((await statesOf("b")).map(([revision]) => revision)).toEqual([0, 1, 2, 3])
  })

  test("keeps as many bytes as it may, and the newest state however long it is", async () => {
    await open("a")
    for (let revision = 0; revision < 3; revision += 1) await save(revision)
    await save(3, { bytes: "state 3state 2".length })
    expect((await statesOf("a")).map(([revision]) => revision)).toEqual([2, 3])
    await save(4, { bytes: 1 })
    expect((await statesOf("a")).map(([revision]) => revision)).toEqual([4])
  })

  test("is refused, and undoes nothing, when another turn is saved meanwhile", async () => {
    await open("a")
    expect(await atOnce((source) => save(0, { source }))).toBe(false)
  })

  test("goes back from its own revision, and forgets what came after", async () => {
    for (const id of ["a", "b"]) await open(id)
    for (let revision = 0; revision < 3; revision += 1) {
      await save(revision)
      await save(revision, { id: "b" })
    }
    const back = (id: string, revision: number) =>
      call("restore_preview_state", [id, revision, "back", 1])
    expect(await back("a", 2)).toBe(false)
    expect(await statesOf("a")).toHaveLength(3)
    expect(await back("a", 3)).toBe(true)
    expect(await sessionOf("a")).toEqual(["back", 4, null])
    expect((await statesOf("a")).map(([revision]) => revision)).toEqual([0])
    expect(await sessionOf("b")).toEqual(["state 3", 3, null])
    expect(await statesOf("b")).toHaveLength(3)
  })
})

describe("a keyed turn of a preview", () => {
  const save = (key: string, { revision = 0, most = 5 } = {}) =>
    call("save_keyed_preview", ["a", revision, "after", key, none, "answer", most])
  const add = (id: string, kind: string, key: string, minutes = 0) =>
    pool.query(
      `insert into preview_responses values ($1, $2, $3, $4, '', now() - make_interval(mins => $5))`,
      [id, kind, key, none, minutes],
    )
  const keysOf = async (id: string, kind: string) => {
    const text =
      "select key from preview_responses where session_id = $1 and call = $2 order by key"
    return (await rowsOf(text, [id, kind])).map(([key]) => key)
  }

  test("is saved from its own revision, once, in its own session", async () => {
    for (const id of ["a", "b"]) await open(id)
    expect(await save("k", { revision: 1 })).toBe(false)
    expect(await keysOf("a", "continue")).toEqual([])
    expect(await save("k")).toBe(true)
    expect(await sessionOf("a")).toEqual(["after", 1, null])
    expect(await sessionOf("b")).toEqual(["opened b", 0, null])
    expect(await save("again")).toBe(false)
    expect(await keysOf("a", "continue")).toEqual(["k"])
  })

  test("keeps as many answers of its session as it may, its own among them", async () => {
    for (const id of ["a", "b"]) await open(id)
    for (const key of ["k1", "k2", "k3"]) {
      await add("a", "start", key)
      await add("b", "continue", key)
    }
    await add("a", "continue", "k1", 1)
    await add("a", "continue", "k2", -60)
    expect(await save("new", { most: 2 })).toBe(true)
    expect(await keysOf("a", "continue")).toEqual(["k2", "new"])
    expect(await save("newest", { revision: 1, most: 1 })).toBe(true)
    expect(await keysOf("a", "continue")).toEqual(["newest"])
    expect(await keysOf("a", "start")).toEqual(["k1", "k2", "k3"])
    expect(await keysOf("b", "continue")).toEqual(["k1", "k2", "k3"])
  })
})
