/** A browser remembers a conversation, in stores with room for a thousand characters. */
import { beforeEach, expect, test, vi } from "vitest"
import type { RuntimeBot } from "../payload.ts"
import { openMemory } from "./memory.ts"

function openStore() {
  const values = new Map<string, string>()
  return {
    getItem: (name: string) => values.get(name) ?? null,
    setItem: (name: string, value: string) => {
      if (value.length > 1_000) throw new DOMException("Full", "QuotaExceededError")
      values.set(name, value)
    },
    removeItem: (name: string) => values.delete(name),
  }
}

beforeEach(() => {
  vi.stubGlobal("window", { sessionStorage: openStore(), localStorage: openStore() })
})

const settings = { general: { rememberUser: { isEnabled: true, storage: "local" } } } as const
const bot: RuntimeBot = { id: "b", version: "6.1", theme: {}, settings }
const open = { sessionId: "s", bot, entries: [] }

test("a conversation is replaced, never removed first: another tab may read it meanwhile", () => {
  const { write } = openMemory("https://chat.example", "shop")
  write({ resultId: "r", open }, settings)
  const removed = vi.spyOn(window.localStorage, "removeItem")
  write({ resultId: "r", open: { ...open, heardId: "1" } }, settings)
  expect(removed).not.toHaveBeenCalled()
})

test("a conversation without room leaves no older one to continue", () => {
  const { read, write } = openMemory("https://chat.example", "shop")
  write({ resultId: "r", open }, settings)
  expect(read()).toMatchObject({ resultId: "r", open: { sessionId: "s" } })
  const message = { type: "text", text: "x".repeat(1_000) } as const
  write({ resultId: "r", open: { ...open, pending: { key: "k", message } } }, settings)
  expect(read().open).toBeUndefined()
})
