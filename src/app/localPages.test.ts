/** Which pages of this machine may have people sign in. */
import { expect, test } from "vitest"
import { localPages } from "./localPages.ts"

const local = {
  publicUrl: "http://localhost:3000",
  port: 3000,
  trustedProxies: 0,
  trustsAuthors: false,
}

test.each([
  "http://localhost:5173",
  "http://127.0.0.1:8080",
  "http://[::1]:4000",
  "http://localhost",
])("a page of another port of this machine: %s", (origin) => {
  expect(localPages(local)?.(origin)).toBe(true)
})

test.each([
  "http://localhost:3000",
  "http://127.0.0.1:3000",
  "http://[::1]:3000",
  "http://localhost:3001",
  "https://localhost:5173",
  "http://localhost.evil.test:5173",
  "http://evil.localhost:5173",
  "http://127.0.0.1.evil.test",
  "http://192.168.1.7:5173",
  "http://0.0.0.0:5173",
  "http://user@localhost:5173",
  "http://localhost:5173/path",
  "http://LOCALHOST:5173",
  "http://shop.example",
  "null",
  "",
])("no such page, nor one of the service or of chats: %s", (origin) => {
  expect(localPages({ ...local, chatUrl: "http://localhost:3001" })?.(origin)).toBe(false)
})

test.each([
  { publicUrl: "https://bots.example.com" },
  { publicUrl: "http://bots.example.com" },
  { publicUrl: "https://localhost:3000" },
  { publicUrl: "http://192.168.1.7:3000" },
  { trustedProxies: 1 },
  { port: 0 },
  { trustsAuthors: true },
])("there are none where the service is not this machine's alone: %j", (more) => {
  expect(localPages({ ...local, ...more })).toBeUndefined()
})
