/** parley open */
import { spawn } from "node:child_process"
import { command, flag, print, tell, word } from "./command.ts"
import { chatPageAddress, serviceArgs, serviceUrl } from "./withService.ts"

export const openCommand = command({
  name: "open",
  description: "Open the chat page of a published bot in the browser",
  args: {
    bot: word("Public id of the bot"),
    print: flag("Only print its address"),
    url: serviceArgs.url,
  },
  run: async ({ bot, print: printsOnly, url }, environment) => {
    const service = await serviceUrl(environment, url)
    const page = chatPageAddress({ url: service, environment }, bot)
    const { status } = await fetch(page, { method: "HEAD" }).catch(() => ({ status: undefined }))
    if (status === undefined) throw new Error(`${service} does not answer: is it running?`)
    if (status === 404) {
      throw new Error(
        `There is no published bot ${bot} at ${service}: \`parley list\` shows public ids.`,
      )
    }
    if (status >= 400) throw new Error(`${page} cannot be opened: its status is ${status}.`)
    print(page)
    if (printsOnly) return
    if (!(await openBrowser(page))) tell("No browser could be started: open this address yourself.")
  },
})

function openBrowser(page: string): Promise<boolean> {
  const [program, ...words] = launchers[process.platform] ?? ["xdg-open"]
  return new Promise((resolve) => {
    const child = spawn(program ?? "", [...words, page], { stdio: "ignore", detached: true })
    child.once("error", () => resolve(false))
    child.once("spawn", () => {
      child.unref()
      resolve(true)
    })
  })
}

const launchers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ["open"],
  win32: ["explorer.exe"],
}
