/**
 * Takes pictures of chats for people to look at: a bot with everything, and bots from files; on a desktop
 * and on a phone, light and dark, while each question stands. Each chat becomes one sheet.
 * `npx tsx scripts/pictures.ts <folder> [--languages de,ar] [bot.json…]`, with languages in each of them and in
 * one theme; does nothing where no browser can start.
 */
import { mkdir, readFile, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { parseArgs } from "node:util"
import sparticuz from "@sparticuz/chromium"
import { type Browser, chromium, type Page } from "playwright-core"
import { askToPay, serveProvider } from "../test/pages/payments.ts"
import { answerAll, serveMedia, showcase } from "../test/pages/showcase.ts"
import type { Api } from "./drills/api.ts"
import { withService } from "./drills/stack.ts"

const { values, positionals } = parseArgs({
  options: { languages: { type: "string" } },
  allowPositionals: true,
})
const [out, ...files] = positionals
const languages = values.languages?.split(",")
if (out === undefined) {
  console.error("Where to? npx tsx scripts/pictures.ts <folder> [--languages de,ar] [bot.json…]")
  process.exit(1)
}

/** Bots from files may go on asking for ever. */
const maxAnswers = 8

const sizes = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
}

/** How a page is opened. */
type Look = {
  name: string
  locale: string
  size: keyof typeof sizes
  colorScheme: "light" | "dark"
}

const looks: readonly Look[] = (languages ?? ["en-GB"]).flatMap((locale) =>
  (["desktop", "phone"] as const).flatMap((size) =>
    (["light", "dark"] as const).map((colorScheme) => ({
      name: `${languages ? `${locale}-` : ""}${size}-${colorScheme}`,
      locale,
      size,
      colorScheme,
    })),
  ),
)

const progressBar = { isEnabled: true }

/** The usual theme, and two that change a lot. */
const themes = {
  plain: { general: { progressBar } },
  night: {
    general: {
      background: { type: "Color", content: "#1a1423" },
      progressBar: { ...progressBar, color: "#ff9f6e", thickness: 6 },
    },
    chat: {
      hostBubbles: { backgroundColor: "#372549", color: "#ffffff" },
      guestBubbles: { backgroundColor: "#ff9f6e" },
      buttons: { backgroundColor: "#ff9f6e", border: { roundeness: "none" } },
      inputs: { backgroundColor: "#241a31", color: "#ffffff" },
      guestAvatar: { isEnabled: true },
      roundness: "none",
      buttonsInput: { layout: "vertical" },
    },
  },
  box: {
    general: { background: { type: "Color", content: "#123524" } },
    chat: {
      container: {
        ...{ backgroundColor: "#ffffff", shadow: "xl", maxWidth: "640px", maxHeight: "85%" },
        border: { roundeness: "large" },
      },
      guestBubbles: { backgroundColor: "#1f6b45" },
      buttons: { backgroundColor: "#1f6b45" },
      hostAvatar: { isEnabled: false },
      roundness: "large",
    },
  },
}

const executablePath = await sparticuz.executablePath()
const launched = chromium.launch({ executablePath, args: ["--no-sandbox"] })
const browser = await launched.catch((error: Error) => {
  console.log(`No browser can start here, so nothing was tried: ${error.message.split("\n")[0]}`)
  process.exit(0)
})
try {
  await mkdir(out, { recursive: true })
  await withService((service) => takeAll(out, service), { PARLEY_ALLOW_HOSTS: "127.0.0.1" })
} finally {
  await browser.close()
}

async function takeAll(
  out: string,
  { address, api }: { address: string; api: Api },
): Promise<void> {
  const flows = Object.entries(languages ? { plain: themes.plain } : themes).map(
    ([name, theme]) => ({
      ...{ name: `everything-${name}`, flow: { name, ...showcase({ theme }) }, most: 100 },
    }),
  )
  const given = files.map(async (file) => {
    const flow = JSON.parse(await readFile(file, "utf8")) as object
    return { name: basename(file, ".json"), flow, most: maxAnswers }
  })
  for (const { name, flow, most } of [...flows, ...(await Promise.all(given))]) {
    const { publicId } = await api.publish(flow)
    const url = `${address}/chat/${publicId}`
    for (const look of looks) {
      const pictures = await picturesOf(url, { look, most })
      await writeSheets(browser, pictures, join(out, `${name}-${look.name}`))
    }
    if (name === "everything-plain") await takeMoments(out, { address, url, publicId })
  }
}

type Pictures = { size: Look["size"]; images: Buffer[] }

async function open({ size, colorScheme, locale }: Look): Promise<Page> {
  const context = await browser.newContext({
    ...{ viewport: sizes[size], colorScheme, reducedMotion: "reduce", locale },
  })
  const page = await context.newPage()
  await serveMedia(page)
  return page
}

async function picturesOf(url: string, how: { look: Look; most: number }): Promise<Pictures> {
  const { look, most } = how
  const page = await open(look)
  const images: Buffer[] = []
  await page.goto(url)
  await answerAll(page, async () => void images.push(await page.screenshot()), most)
  await page.context().close()
  return { size: look.size, images }
}

type Chat = { address: string; url: string; publicId: string }

/** What a conversation that goes well does not show: troubles, payments, embeds, pages of words. */
async function takeMoments(out: string, { address, url, publicId }: Chat): Promise<void> {
  const moments: readonly ((page: Page) => Promise<void>)[] = [
    async (page) => {
      await page.goto(url)
      await page.locator("form.ask .field").fill("An answer that does not get through")
      await page.context().setOffline(true)
      await page.locator("button.send").click()
      await page.getByRole("alert").waitFor()
    },
    async (page) => {
      await page.route("**/continueChat", (route) =>
        route.fulfill({ status: 404, json: { message: "Session not found" } }),
      )
      await page.goto(url)
      await page.locator("form.ask .field").fill("Too late")
      await page.locator("button.send").click()
      await page.getByRole("alert").waitFor()
    },
    ...[true, false].map((isThere) => async (page: Page) => {
      await serveProvider(page, isThere)
      await askToPay(page)
      await page.goto(url)
      await page.locator("button.send:enabled, .notice").waitFor()
    }),
    ...["bubble", "popup"].map((kind) => async (page: Page) => {
      const site = `${address}/shop`
      const body = sitePage(address, `<parley-${kind} bot="${publicId}"></parley-${kind}>`)
      await page.route(site, (route) => route.fulfill({ contentType: "text/html", body }))
      await page.goto(site)
      await page.evaluate(`document.querySelector("parley-${kind}").open()`)
      await page.locator("form.ask").waitFor()
    }),
    async (page) => void (await page.goto(`${address}/chat/nobody`)),
    async (page) => void (await page.goto(address)),
  ]
  for (const look of looks) {
    const images: Buffer[] = []
    for (const prepare of moments) {
      const page = await open(look)
      await prepare(page)
      images.push(await page.screenshot())
      await page.context().close()
    }
    await writeSheets(browser, { size: look.size, images }, join(out, `moments-${look.name}`))
  }
}

function sitePage(address: string, element: string): string {
  return `<!doctype html><meta name="viewport" content="width=device-width"><title>Shop</title>
    <body style="font: 18px/1.6 serif; margin: 40px"><h1>A shop</h1>
    <p>${"Words of a page that has nothing to do with chats. ".repeat(30)}</p>
    ${element}<script src="${address}/embed.js"></script>`
}

/** Lays pictures out in rows, a few sheets of what can be looked at at once. */
async function writeSheets(browser: Browser, pictures: Pictures, path: string): Promise<void> {
  const { size, images } = pictures
  const [perSheet, columns, width] = size === "phone" ? [8, 4, 390] : [4, 2, 780]
  for (let from = 0, sheet = 1; from < images.length; from += perSheet, sheet++) {
    const shown = images
      .slice(from, from + perSheet)
      .map((image) => `<img src="data:image/png;base64,${image.toString("base64")}">`)
    const page = await browser.newPage({ viewport: { width: columns * (width + 8), height: 100 } })
    await page.setContent(
      `<style>body { margin: 0; background: #c3c; display: grid; gap: 8px;
        grid-template-columns: repeat(${columns}, ${width}px) } img { width: 100% }</style>${shown.join("")}`,
    )
    await writeFile(`${path}-${sheet}.png`, await page.screenshot({ fullPage: true }))
    await page.close()
  }
}
