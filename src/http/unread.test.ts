/** What waits to be read: by address, in all, and once it is read. */
import { EventEmitter } from "node:events"
import type { ServerResponse } from "node:http"
import { expect, test } from "vitest"
import { createUnread, holdUnread } from "./unread.ts"

const megabyte = 1024 * 1024

/** An answer to an address that waits, and a function that closes it. */
function holdAnswer(unread: ReturnType<typeof createUnread>, ip: string, bytes: number) {
  const response = new EventEmitter() as unknown as ServerResponse
  const free = holdUnread({ unread, ip, response }, bytes)
  return { free, close: () => response.emit("close") }
}

test("an address has a quarter of what may wait, and others have the rest", () => {
  const unread = createUnread(16 * megabyte)
  const first = holdAnswer(unread, "1.1.1.1", 4 * megabyte)
  expect(() => unread.requireRoom("1.1.1.1")).toThrow("to this address")
  expect(() => unread.requireRoom("2.2.2.2", 5 * megabyte)).toThrow("to this address")
  unread.requireRoom("2.2.2.2", 4 * megabyte)
  first.close()
  unread.requireRoom("1.1.1.1", 4 * megabyte)
})

test("however much is held of what was never refused, an address that holds nothing has room", () => {
  const unread = createUnread(16 * megabyte)
  for (const ip of ["1.1.1.1", "2.2.2.2", "3.3.3.3"]) holdAnswer(unread, ip, 5 * megabyte)
  expect(() => unread.requireRoom("4.4.4.4", megabyte)).toThrow("Too many answers wait to be read")
  unread.requireRoom("4.4.4.4")
})

test("what is read, or closed, or first the one and then the other, is given back once", () => {
  const unread = createUnread()
  const both = holdAnswer(unread, "1.1.1.1", 1_000)
  const read = holdAnswer(unread, "1.1.1.1", 100)
  holdAnswer(unread, "1.1.1.1", 10)
  both.free()
  both.close()
  both.close()
  read.free()
  expect(unread.heldBytes).toBe(10)
})
