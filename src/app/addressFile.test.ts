/** Tests that commands find each running service of a data folder while others start, stop or crash. */
import { spawnSync } from "node:child_process"
import { readFile, writeFile } from "node:fs/promises"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { testFolder } from "../../test/support/testFolder.ts"
import { deleteAddress, readAddress, shown, writeAddress } from "./addressFile.ts"

const [one, other] = ["http://127.0.0.1:3000", "http://127.0.0.1:3001"]
/** This process runs, its parent runs, and the third has ended. */
const [own, parent, dead] = [process.pid, process.ppid, spawnSync(process.execPath, ["-v"]).pid]

async function folder(): Promise<string> {
  const made = await testFolder()
  return made
}

/** A service that says that it is there. */
async function service(): Promise<string> {
  const server = createServer((_request, response) => response.end('{"status":"ok"}'))
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  onTestFinished(() => new Promise<void>((resolve) => void server.close(() => resolve())))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test("a second service on a folder leaves the first one found, when it starts and when it stops", async () => {
  const data = await folder()
  const [first, second] = [await service(), await service()]
  await writeAddress(data, first, parent)
  await writeAddress(data, second, own)
  expect(await readAddress(data)).toBe(first)
  await deleteAddress(data, second, own)
  expect(await readAddress(data)).toBe(first)
})

test("a service that outlives the first one is found", async () => {
  const data = await folder()
  await writeAddress(data, one, parent)
  await writeAddress(data, other, own)
  await deleteAddress(data, one, parent)
  expect(await readAddress(data)).toBe(other)
  await deleteAddress(data, other, own)
  expect(await readAddress(data)).toBeUndefined()
})

test("services that start at once are all recorded", async () => {
  const data = await folder()
  const ports = Array.from({ length: 20 }, (_, index) => 4000 + index)
  await Promise.all(ports.map((port) => writeAddress(data, `http://127.0.0.1:${port}`, own)))
  const lines = (await readFile(join(data, "address"), "utf8")).trim().split("\n")
  expect(lines.sort()).toEqual(ports.map((port) => `http://127.0.0.1:${port} ${own}`))
})

test("a service that died gives way to the next start, also of a release that recorded no process", async () => {
  for (const left of [`${one} ${dead}\n`, `${one}\n`]) {
    const data = await folder()
    await writeFile(join(data, "address"), left)
    await writeAddress(data, other, own)
    expect(await readFile(join(data, "address"), "utf8")).toBe(`${other} ${own}\n`)
  }
})

test("a line whose process number belongs to another program now is passed over", async () => {
  const data = await folder()
  const running = await service()
  await writeFile(join(data, "address"), `http://127.0.0.1:1 ${parent}\n${running} ${own}\n`)
  expect(await readAddress(data)).toBe(running)
})

test.each([
  ["http://127.0.0.1:3000", "http://localhost:3000"],
  ["http://0.0.0.0:3000/chat", "http://localhost:3000/chat"],
  ["http://[::]:3000", "http://localhost:3000"],
  ["http://[::1]", "http://localhost"],
  ["http://localhost:3000", "http://localhost:3000"],
  ["http://127.0.0.1.example.com", "http://127.0.0.1.example.com"],
  ["https://127.0.0.1:3000", "https://127.0.0.1:3000"],
  ["http://192.168.0.2:3000", "http://192.168.0.2:3000"],
])("people read %s as %s", (address, expected) => {
  expect(shown(address)).toBe(expected)
})
