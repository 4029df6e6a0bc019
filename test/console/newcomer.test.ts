/** Ten minutes of a newcomer: from the link that `npm start` prints to a bot that people talk to, and back. */
import type { Locator, Page } from "playwright-core"
import { beforeAll, describe, expect, test } from "vitest"
import { startPeer } from "../effects/peer.ts"
import { expectNoComplaints } from "../pages/browser.ts"
import { launch, productCopy } from "../process/product.ts"
import { type Hands, keyboard, mouse } from "./hands.ts"
import { viewer } from "./openConsole.ts"

const shop = await startPeer()
const key = "key-of-the-tea-shop"

describe.skipIf(!viewer)("from the link of `npm start`, a newcomer", async () => {
  let console: { address: string; state: Awaited<ReturnType<typeof signIn>> }

  beforeAll(async () => {
    const run = launch(await productCopy(), { PARLEY_ALLOW_HOSTS: "127.0.0.1" })
    const address = await run.ready()
    const link = /Sign in +(\S+)/.exec(run.stdout())?.[1] ?? ""
    console = { address, state: await signIn(link) }
  })

  const open = async () => {
    const viewport = { width: 1920, height: 1000 }
    const page = await viewer?.open({ viewport, storageState: console.state })
    if (!page) throw new Error("No browser starts here")
    await page.goto(`${console.address}/console`)
    return page
  }

  test.each([
    ["by mouse", mouse],
    ["by keyboard alone", keyboard],
  ])("makes, tries, publishes, changes and rolls back a bot %s", async (_, hands) => {
    await makeAndPublish(await open(), hands)
  })
})

async function signIn(link: string) {
  const page = await viewer?.open()
  await page?.goto(link)
  await page?.getByRole("button").click()
  await page?.getByRole("heading", { name: "Bots" }).waitFor()
  return await page?.context().storageState()
}

/** The story. It calls no API: what it knows, it reads from the pages, and from the shop that the bot calls. */
async function makeAndPublish(page: Page, hands: Hands): Promise<void> {
  shop.received.length = 0
  shop.answers((response) => {
    response.writeHead(200, { "content-type": "application/json" })
    response.end(JSON.stringify({ greeting: "Welcome back, Ann" }))
  })
  const { press } = hands
  const goTo = (view: string) => hands.goTo(page, view)

  await createBot(page, hands, "Tea club")
  await drawFlow(page, hands)

  await press(page.getByRole("button", { name: "Try it" }))
  const trial = page.getByRole("complementary", { name: "Try it" })
  await chat(trial, hands, "How many cups of tea a day?")
  expect(shop.received.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${key}`])
  await press(trial.getByRole("button", { name: "Close" }))

  await goTo("Share")
  await hands.write(page.getByRole("textbox", { name: "Note" }), "The first one")
  await publish(page, hands, 1)
  await talkOnPage(page, hands, "How many cups of tea a day?")

  await goTo("Results")
  const answers = page.getByRole("row", { name: "Ann 2 Welcome back, Ann 1" })
  await answers.waitFor()

  await goTo("Editor")
  await press(page.getByRole("button", { name: "Text: How many cups of tea a day?" }))
  await hands.write(textOf(page), "How many mugs a day?")
  await page.getByRole("button", { name: "Text: How many mugs a day?" }).waitFor()
  await goTo("Share")
  await page.getByRole("insertion").getByText("How many mugs a day?").waitFor()
  await publish(page, hands, 2)

  await goTo("Versions")
  await hands.pick(page.getByRole("combobox", { name: "From" }), "Version 1")
  await page.getByRole("deletion").getByText("How many cups of tea a day?").waitFor()
  await page.getByRole("insertion").getByText("How many mugs a day?").waitFor()
  await press(page.getByRole("button", { name: "Make live again" }))
  await press(page.getByRole("dialog").getByRole("button", { name: "Make live again" }))
  await page.getByText("Version 1 is live.").first().waitFor()
  await goTo("Share")
  await talkOnPage(page, hands, "How many cups of tea a day?")
  expectNoComplaints(page)
}

async function createBot(page: Page, { press, write }: Hands, name: string): Promise<void> {
  await press(page.getByRole("button", { name: "New bot" }).first())
  const dialog = page.getByRole("dialog")
  await press(dialog.getByRole("button", { name: "From nothing" }))
  await write(dialog.getByRole("textbox", { name: "Name" }), name)
  await press(dialog.getByRole("button", { name: "Create" }))
  await page.getByRole("heading", { name }).waitFor()
}

const panelOf = (page: Page) => page.getByRole("complementary", { name: "Options of the block" })
const textOf = (page: Page) => panelOf(page).getByRole("textbox", { name: "Rich text" })

/** Two questions, a condition on the first answer, and a call of the shop with a credential. */
async function drawFlow(page: Page, hands: Hands): Promise<void> {
  const { press, write, pick } = hands
  const panel = panelOf(page)
  const add = async (label: string) => {
    await hands.addBlock(page, label)
    await panel.getByRole("heading", { name: label, exact: true }).waitFor()
  }
  const say = async (text: string) => {
    await add("Text")
    await write(textOf(page), text)
  }
  const ask = async (label: string, variable: string) => {
    await add(label)
    await pick(panel.getByRole("combobox", { name: "Variable" }), `Create “${variable}”`, variable)
  }
  await say("What is your name?")
  await ask("Text question", "Name")
  await say("How many cups of tea a day?")
  await ask("Number question", "Cups")

  await add("Condition")
  await pick(panel.getByRole("combobox", { name: "Variable" }), "Name")
  await pick(panel.getByRole("combobox", { name: "Comparison" }), "Equal to")
  await write(panel.getByRole("textbox", { name: "Value" }), "Ann")

  await hands.leadOn(page, "Name is Ann")
  await add("HTTP request")
  await write(panel.getByRole("textbox", { name: "URL" }), `${shop.url}/members`)
  await press(panel.getByRole("button", { name: "New credential" }))
  await storeCredential(page, hands)
  await press(panel.getByRole("button", { name: "Add to Response variable mapping" }))
  await pick(panel.getByRole("combobox", { name: "Variable" }), "Create “Greeting”", "Greeting")
  await write(panel.getByRole("textbox", { name: "Body path" }), "data.greeting")
  await add("Text")
  await press(panel.getByRole("button", { name: "Insert a variable" }))
  await pick(page.getByRole("textbox", { name: "Pick or create" }), "Greeting", "Gree")
  await page.keyboard.type("!")

  await hands.leadOn(page, "Otherwise")
  await say("Thank you.")
  await page.getByRole("status").getByText("Saved").waitFor()
}

async function storeCredential(page: Page, { press, write, pick }: Hands): Promise<void> {
  const dialog = page.getByRole("dialog", { name: "New credential" })
  await write(dialog.getByRole("textbox", { name: "Name" }), "Tea shop")
  await pick(dialog.getByRole("combobox", { name: "Auth: Kind" }), "Bearer token")
  await write(dialog.getByRole("textbox", { name: "Token" }), key)
  await press(dialog.getByRole("button", { name: "Save" }))
  await dialog.waitFor({ state: "detached" })
}

async function publish(page: Page, { press }: Hands, number: number): Promise<void> {
  await press(page.getByRole("button", { name: "Publish", exact: true }))
  await page.getByText(`Version ${number} is live since`).waitFor()
}

/** Talks as Ann on the page of the bot, which opens beside the console. */
async function talkOnPage(page: Page, hands: Hands, question: string): Promise<void> {
  const opened = page.context().waitForEvent("page")
  await hands.press(page.getByRole("link", { name: "Open the page" }))
  const beside = await opened
  await chat(beside.locator("body"), hands, question)
  expectNoComplaints(beside)
  await beside.close()
}

async function chat(around: Locator, hands: Hands, question: string): Promise<void> {
  const field = around.getByRole("form", { name: "Your answer" }).getByRole("textbox")
  const answer = async (text: string) => {
    await hands.write(field, text)
    await around.page().keyboard.press("Enter")
  }
  await around.getByText("What is your name?").waitFor()
  await answer("Ann")
  await around.getByText(question).waitFor()
  await answer("2")
  await around.getByText("Welcome back, Ann!").waitFor()
}
