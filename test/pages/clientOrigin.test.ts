/** Errors of the client in a browser whose page the service does not know. */
import { describe, expect, test } from "vitest"
import { freePort } from "../support/freePort.ts"
import { testServer } from "../support/server.ts"
import { openViewer } from "./browser.ts"
import { clientScript } from "./clientScript.ts"
import { hostSite } from "./hostSite.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("a page of another origin", async () => {
  const known = await hostSite("http://127.0.0.1:*")
  const unknown = await hostSite("http://127.0.0.1:*")
  const server = await testServer({ PARLEY_ALLOWED_ORIGINS: known.origin })
  const files = {
    "/": '<script src="/client.js"></script>',
    "/client.js": await clientScript(),
  }
  known.serve(files)
  unknown.serve(files)

  /** The e-mail address of the caller, or the message of the error. */
  const askAt = async (origin: string, url: string): Promise<string> => {
    const page = await viewer?.browser.newPage()
    if (!page) return ""
    await page.goto(origin)
    const words = await page.evaluate(
      `Client.createParleyClient(${JSON.stringify({ url, token: server.token })})
        .user.getMe.query().then(({ email }) => email, ({ message }) => message)`,
    )
    await page.close()
    return String(words)
  }

  test("may call when the service knows it", async () => {
    expect(await askAt(known.origin, server.address)).toBe("ann@example.com")
  })

  test("names the variable to set when the service does not", async () => {
    expect(await askAt(unknown.origin, server.address)).toBe(
      `${server.address} does not let pages of ${unknown.origin} call it: ` +
        "add that origin to PARLEY_ALLOWED_ORIGINS",
    )
  })

  test("reports a missing service", async () => {
    const url = `http://127.0.0.1:${await freePort()}`
    expect(await askAt(unknown.origin, url)).toBe(
      `${url} did not answer: is the service running there?`,
    )
  })
})
