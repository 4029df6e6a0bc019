/** What authors set for the page itself: progress, layout, styles and words. */
import { describe, expect, test } from "vitest"
import type { Flow } from "../../src/engine/bot.ts"
import { ask, block, bot, group, say } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { openViewer, says, type } from "./browser.ts"
import { styleOf } from "./inPage.mjs"
import { pageServer, swift } from "./pageServer.ts"

const viewer = await openViewer()

describe.skipIf(!viewer)("a page has, as the author wants it,", async () => {
  if (!viewer) return
  const server = await pageServer()
  const page = await viewer.openForAll()

  async function open(flow: Flow) {
    const { publicId } = await publishBot(server, flow)
    await page.goto(`${server.address}/chat/${publicId}`)
    return publicId
  }

  test("a progress bar, at its edge, over the page or beside it, or none", async () => {
    const withBar = (progressBar: object) =>
      open(
        bot(
          { settings: swift, theme: { general: { progressBar } } },
          group("A", say("Hi"), ask.text(), ask.text()),
        ),
      )
    const bar = page.getByRole("progressbar")
    const placed = async () => {
      await bar.waitFor()
      const top = (await bar.boundingBox())?.y ?? 0
      const isAbove = top < ((await page.locator("form.ask").boundingBox())?.y ?? 0)
      const position = await bar.evaluate(styleOf, "position")
      return { isAbove, coversPage: position === "absolute" }
    }
    await withBar({ isEnabled: true, position: "fixed", placement: "Bottom" })
    expect(await placed()).toEqual({ isAbove: false, coversPage: true })
    await withBar({ isEnabled: true })
    expect(await placed()).toEqual({ isAbove: true, coversPage: false })
    await withBar({ isEnabled: false })
    await says(page, "Hi")
    expect(await bar.count()).toBe(0)
  })

  test("choices in a column, and styles of its own", async () => {
    const laidOut = async (layout: string) => {
      const theme = {
        chat: { buttonsInput: { layout } },
        customCss: ".options { cursor: crosshair }",
      }
      await open(bot({ settings: swift, theme }, group("A", ask.choice(["Yes", "No"]))))
      const [yes, no] = [
        await page.getByRole("button", { name: "Yes" }).boundingBox(),
        await page.getByRole("button", { name: "No" }).boundingBox(),
      ]
      return { isBelow: (no?.y ?? 0) > (yes?.y ?? 0) }
    }
    expect(await laidOut("vertical")).toEqual({ isBelow: true })
    expect(await laidOut("wrap")).toEqual({ isBelow: false })
    const options = page.locator(".options")
    expect(await options.evaluate(styleOf, "cursor")).toBe("crosshair")
  })

  test("the badge, or none", async () => {
    const withBadge = (isBrandingEnabled: boolean) =>
      open(bot({ settings: { ...swift, general: { isBrandingEnabled } } }, group("A", say("Hi"))))
    await withBadge(true)
    await page.locator(".badge").waitFor()
    await withBadge(false)
    await says(page, "Hi")
    expect(await page.locator(".badge").count()).toBe(0)
  })

  test("remembers people as long as it should", async () => {
    const steps = [ask.text({ saves: "Name" }), say("Hi {{Name}}"), ask.text()]
    const placesOf = async (general: object) => {
      const publicId = await open(bot({ settings: { ...swift, general } }, group("A", ...steps)))
      await type(page, "Ann")
      await says(page, "Hi Ann")
      const holds = (place: string) =>
        page.evaluate(`Object.keys(${place}).some((name) => name.includes("${publicId}"))`)
      return { tab: await holds("sessionStorage"), browser: await holds("localStorage") }
    }
    const rememberUser = { isEnabled: true, storage: "session" }
    expect(await placesOf({})).toEqual({ tab: false, browser: false })
    expect(await placesOf({ rememberUser })).toEqual({ tab: true, browser: false })
    const longer = { rememberUser: { ...rememberUser, storage: "local" } }
    expect(await placesOf(longer)).toEqual({ tab: false, browser: true })
    const older = { isNewResultOnRefreshEnabled: false }
    expect(await placesOf(older)).toEqual({ tab: true, browser: false })
    const off = { rememberUser: { ...rememberUser, isEnabled: false } }
    expect(await placesOf({ ...older, ...off })).toEqual({ tab: false, browser: false })
  })

  const words = (systemMessages: object) => ({
    settings: { ...swift, general: { systemMessages } },
  })

  test("its words where the browser opens no tab", async () => {
    await page.addInitScript("window.open = () => null")
    const texts = { popupBlockedDescription: "No tab here", popupBlockedButtonLabel: "Go there" }
    const to = block("Redirect", { url: `${server.address}/docs`, isNewTab: true })
    await open(bot(words(texts), group("A", to, say("Hi"))))
    await page.getByText("No tab here").waitFor()
    await page.getByRole("link", { name: "Go there" }).waitFor()
  })

  test("its words where a file is not taken", async () => {
    const texts = { fileUploadError: "It did not work", fileUploadSizeError: "[[file]]: too big" }
    const asking = bot(words(texts), group("A", ask.file({ sizeLimit: 1 })))
    const send = (bytes: number) =>
      page.locator(".drop input").setInputFiles({
        ...{ name: "notes.txt", mimeType: "text/plain", buffer: Buffer.alloc(bytes, "a") },
      })
    await open(asking)
    await send(2_000_000)
    await page.getByText("notes.txt: too big").waitFor()
    await page.route("**/generate-upload-url", (route) => route.fulfill({ status: 500, body: "" }))
    await send(10)
    await page.getByText("It did not work").waitFor()
  })
})
