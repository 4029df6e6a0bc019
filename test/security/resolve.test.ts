/** Tests how names are looked up: nobody waits for name servers of strangers that never answer. */
import { expect, test } from "vitest"
import { createResolve } from "../../src/effects/network/resolve.ts"
import { openNameServer } from "./nameServer.ts"

const address = "93.184.215.14"
const server = await openNameServer((name) => {
  if (name.endsWith("silent.example.com")) return undefined
  return name === "shop.example.com" ? address : null
})
const servers = [server.address]
const resolve = createResolve({ servers })

test("names that are never answered do not delay others", async () => {
  let unanswered = 40
  for (let index = 0; index < 40; index++) {
    void resolve(`${index}.silent.example.com`, false).catch(() => unanswered--)
  }
  expect(await resolve("shop.example.com", false)).toEqual([{ address, family: 4 }])
  expect(unanswered).toBe(40)
})

test("a missing name and a silent name server are distinguished", async () => {
  await expect(resolve("missing.example.com", false)).rejects.toThrow(
    expect.objectContaining({ code: "ENOTFOUND" }),
  )
  const impatient = createResolve({ servers, timeoutMs: 20 })
  await expect(impatient("silent.example.com", false)).rejects.toThrow(
    expect.objectContaining({ code: "ETIMEOUT" }),
  )
})

test("a name server that refuses to speak is a failure that passes", async () => {
  const refused = createResolve({ servers: ["127.0.0.1:1"] })
  await expect(refused("shop.example.com", false)).rejects.toThrow(
    expect.objectContaining({ code: "EAI_AGAIN" }),
  )
})

test("names of the operator and of the machine are looked up as the system does", async () => {
  const before = server.asked()
  expect(await resolve("localhost", false)).toContainEqual({ address: "127.0.0.1", family: 4 })
  for (const name of ["localhost.", "my.localhost", "printer"]) {
    await resolve(name, false).catch(() => {})
  }
  await resolve("shop.example.com", true).catch(() => {})
  expect(server.asked()).toBe(before)
})
