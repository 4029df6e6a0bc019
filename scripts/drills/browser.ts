/** Starts the browser that comes inside a package. */
import sparticuz from "@sparticuz/chromium"
import { type Browser, chromium } from "playwright-core"

/** Rejects when no browser can start here. */
export async function openBrowser(): Promise<Browser> {
  const executablePath = await sparticuz.executablePath()
  return chromium.launch({ executablePath, args: ["--no-sandbox"] })
}
