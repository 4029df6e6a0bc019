/** Tests that an imported flow gets copies of the files of its original bot. */

import { expect, test } from "vitest"
import { deriveKey } from "../../src/effects/credentials/secret.ts"
import { createFileFolders } from "../../src/effects/files/fileKeys.ts"
import { createFileStore } from "../../src/effects/files/fileStore.ts"
import { createLocalStorage } from "../../src/effects/files/localStorage.ts"
import { contentOf } from "../support/files.ts"
import { testFolder } from "../support/testFolder.ts"

const root = await testFolder()
const publicUrl = "https://chat.example"
const keys = [deriveKey("a secret that only tests know of", "files")]
const folderKey = Buffer.alloc(32, 2)
const storage = createLocalStorage(root)
const files = createFileStore({ storage, publicUrl, keys, folderKey })
const { ofBot } = createFileFolders(folderKey)
const resultId = "0199aaaa-0000-7000-8000-00000000aaaa"
const move = { from: "old", to: "new" }

const save = (botId: string, words: string, isPrivate = false) =>
  files.save(Buffer.from(words), { botId, resultId, extension: "png", isPrivate })
const read = async (url: string) =>
  contentOf(await files.download(url.slice(`${publicUrl}/files/`.length), new URLSearchParams()))
const flowWith = (...texts: string[]) => ({
  version: "6.1",
  groups: [
    { blocks: texts.map((url) => ({ type: "image", content: { url, width: 1, alt: null } })) },
  ],
})
const textsOf = ({ groups }: ReturnType<typeof flowWith>) =>
  groups[0]?.blocks.map(({ content }) => content.url) ?? []

test("copies public files, wherever a text names them, and they outlive the old bot", async () => {
  const [one, two] = [await save("old", "one"), await save("old", "two")]
  const flow = flowWith(one, `See ${two}?size=2 and ${one}.`, "https://elsewhere.example/a.png")
  const adopted = await files.adopt(flow, move)
  const [first = "", second = "", third] = textsOf(adopted)
  expect(first).toMatch(
    new RegExp(`^https://chat\\.example/files/public/${ofBot("new")}/\\w{32}\\.png$`),
  )
  const other = second.match(/https\S+png/)?.[0] ?? ""
  expect(second).toBe(`See ${other}?size=2 and ${first}.`)
  expect(third).toBe("https://elsewhere.example/a.png")
  expect(adopted).toEqual(flowWith(first, second, third ?? ""))
  await files.deleteBotFiles("old")
  expect([await read(first), await read(other)]).toEqual(["one", "two"])
  expect(await files.readOwn(first, [{ botId: "new" }])).toBeDefined()
  await files.deleteBotFiles("new")
  expect(await read(first)).toBeUndefined()
})

test("keeps addresses of private, foreign and missing files, and other texts", async () => {
  const secret = await save("old", "secret", true)
  const prefix = `${publicUrl}/files/public/`
  const old = ofBot("old")
  const privateKey = secret.replace(
    `${publicUrl}/api/v1/bots/old/files/`,
    `${publicUrl}/files/private/${old}/`,
  )
  const texts = [
    secret,
    privateKey,
    await save("older", "other"),
    await save("other", "other"),
    `${prefix}bots/old/results/${resultId}/gone.png`,
    `${prefix}${old}/gone.png`,
    `${prefix}${old}/`,
    `${prefix}${old}/../other/a.png`,
    `${prefix}${old}/../../private/${old}/a.png`,
    `${prefix}${old}/a.png/b`,
  ]
  expect(await files.adopt(flowWith(...texts), move)).toEqual(flowWith(...texts))
})

test("copies files that were kept under the ids of bot and result", async () => {
  const key = `public/bots/old/results/${resultId}/blocks/b1/${"f".repeat(32)}.png`
  await storage.write(key, Buffer.from("former"))
  const [copy = ""] = textsOf(await files.adopt(flowWith(`${publicUrl}/files/${key}`), move))
  expect(copy).toContain(`/files/public/${ofBot("new")}/`)
  expect(await read(copy)).toBe("former")
})

test("copies a hundred files at most", async () => {
  const urls: string[] = []
  for (let i = 0; i < 103; i++) urls.push(await save("old", String(i)))
  const kept = textsOf(await files.adopt(flowWith(...urls), move))
  expect(kept.filter((url) => url.includes(`/${ofBot("new")}/`))).toHaveLength(100)
  expect(kept.slice(100)).toEqual(urls.slice(100))
})

test("gives back the very flow that names no files", async () => {
  const flow = flowWith("hello")
  expect(await files.adopt(flow, move)).toBe(flow)
})
