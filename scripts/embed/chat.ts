/** Chats with the embed in a browser, as a visitor would. */
import sparticuz from "@sparticuz/chromium"
import { type Browser, chromium, type Page } from "playwright-core"
import { modelWords } from "./outside.ts"

const timeoutMs = 15_000
const fields = "textarea, input:not([type=file])"

/** Rejects when no browser can start here. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await sparticuz.executablePath()
  return chromium.launch({ executablePath, args: ["--no-sandbox"] })
}

/** Where the page is, and where the service. */
export type Addresses = { address: string; apiHost: string }

/**
 * Walks through the whole flow on a page of its own. Resolves to how many requests the service got, and
 * which it refused; rejects at the first step that cannot be made.
 */
export async function chatOnPage(
  browser: Browser,
  { address, apiHost }: Addresses,
): Promise<{ requests: number; refused: string[] }> {
  const page = await browser.newPage()
  page.setDefaultTimeout(timeoutMs)
  const requests: string[] = []
  const refused: string[] = []
  page.on("response", (response) => {
    if (!response.url().startsWith(apiHost)) return
    const request = `${response.request().method()} ${new URL(response.url()).pathname}`
    requests.push(request)
    if (!response.ok()) refused.push(`${request} with ${response.status()}`)
  })
  try {
    await page.goto(address)
    await walk(page)
    return { requests: requests.length, refused }
  } catch (error) {
    const shown = await textOf(page).catch(() => "nothing")
    throw new Error(`${String(error)}\n${requests.join(", ")}\nIt shows: ${shown}`)
  } finally {
    await page.close()
  }
}

async function walk(page: Page): Promise<void> {
  await page.getByText("What is your name?").waitFor()
  await type(page, "Ann")
  await page.getByText("Hello Ann, what would you like?").waitFor()
  await page.getByRole("button", { name: "Tea" }).click()
  await page.getByText("Tea it is. Your e-mail?").waitFor()
  await type(page, "Ann@Example.com")
  await page.getByText("Show me a picture.").waitFor()
  const picture = { name: "cat.png", mimeType: "image/png", buffer: Buffer.from("picture") }
  await page.locator("input[type=file]").setInputFiles(picture)
  await page.getByText(modelWords.join("")).waitFor()
  await page.getByText("Goodbye Ann.").waitFor()
  if ((await page.locator(fields).count()) > 0) throw new Error("It asks on after the end")
}

async function type(page: Page, words: string): Promise<void> {
  const field = page.locator(fields).last()
  await field.fill(words)
  await field.press("Enter")
}

function textOf(page: Page): Promise<string> {
  return page.locator(".typebot-container").innerText({ timeout: 1_000 })
}
