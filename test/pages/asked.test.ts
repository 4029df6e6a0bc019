/** Inputs in a browser: initial values, search, optional parts. */
import { describe, expect, test } from "vitest"
import type { Flow } from "../../src/engine/bot.ts"
import { ask, type BotParts, bot, type Draft, group, say, show } from "../support/bots.ts"
import { publishBot } from "../support/publish.ts"
import { conversationOf, expectNoComplaints, openViewer, says } from "./browser.ts"
import { pageServer, swift } from "./pageServer.ts"

const viewer = await openViewer()

const saves = "V"
const prefilling = { ...swift, general: { isInputPrefillEnabled: true } }

describe.skipIf(!viewer)("a question on a page", async () => {
  if (!viewer) return
  const server = await pageServer()
  const page = await viewer.openForAll()

  async function open(flow: Flow): Promise<void> {
    const { publicId } = await publishBot(server, flow)
    await page.goto(`${server.address}/chat/${publicId}`)
  }

  /** A bot that asks once and then shows the saved text. */
  const asking = (input: Draft, parts: BotParts = {}) =>
    open(bot({ settings: swift, ...parts }, group("Ask", input, say("Saved {{V}}"))))

  const fields = () => page.locator("form.ask :is(input, textarea)")

  const isInView = async (words: string) => {
    const box = await page.getByText(words, { exact: true }).last().boundingBox()
    const height = page.viewportSize()?.height ?? 0
    return box !== null && box.y >= 0 && box.y + box.height <= height
  }

  const send = () => page.getByRole("button", { name: "Send" }).click()

  test.each<[string, Draft, string, string[], string]>([
    ["text", ask.text({ saves }), "Ann", ["Ann"], "Ann"],
    ["number", ask.number({ saves }), "12.5", ["12.5"], "12.5"],
    ["phone number", ask.phone({ saves }), "+33601020304", ["+33601020304"], "+33601020304"],
    ["date, as it was saved", ask.date({ saves }), "31/01/2026", ["2026-01-31"], "31/01/2026"],
    ["date, as a link has it", ask.date({ saves }), "2026-01-31", ["2026-01-31"], "31/01/2026"],
    [
      "date with a time",
      ask.date({ saves, hasTime: true }),
      "31/01/2026 10:30",
      ["2026-01-31T10:30"],
      "31/01/2026 10:30",
    ],
    [
      "range of dates",
      ask.date({ saves, isRange: true, labels: { separator: "until" } }),
      "30/01/2026 until 31/01/2026",
      ["2026-01-30", "2026-01-31"],
      "30/01/2026 until 31/01/2026",
    ],
    ["time", ask.time({ saves }), "10:30", ["10:30"], "10:30"],
  ])("shows a known %s, which can be sent unchanged", async (_, input, known, values, saved) => {
    await asking(input, { settings: prefilling, variables: { V: known } })
    await fields().first().waitFor()
    const shown = await fields().evaluateAll((all) => all.map((each) => each.value))
    expect(shown).toEqual(values)
    await send()
    await says(page, `Saved ${saved}`)
    expectNoComplaints(page)
  })

  test.each([
    ["number", ask.number({ saves })],
    ["time", ask.time({ saves })],
    ["date", ask.date({ saves })],
  ])("sends no value that its field for a %s cannot show", async (_, input) => {
    await asking(input, { settings: prefilling, variables: { V: "some day" } })
    await send()
    await page.locator("form.ask input:focus").waitFor()
    expect(await conversationOf(page)).toEqual([])
  })

  test("shows a known value only where the author wants it", async () => {
    await asking(ask.text({ saves }), { variables: { V: "Ann" } })
    expect(await fields().inputValue()).toBe("")
  })

  test("has a name for readers where its placeholder was emptied", async () => {
    await asking(ask.number({ saves, labels: { placeholder: "" } }))
    expect(await fields().getAttribute("aria-label")).toBe("Your answer")
  })

  test("offers matches of a search, and nothing before it where the author wants that", async () => {
    const hidden = { isSearchable: true, areInitialSearchButtonsVisible: false }
    await asking(ask.choice(["Zürich", "Bern", "Basel"], { saves, ...hidden }))
    const search = page.getByRole("searchbox", { name: "Filter the options…" })
    await search.waitFor()
    expect(await page.locator(".options button").count()).toBe(0)
    await search.fill("ZUR")
    await page.getByRole("button", { name: "Zürich" }).click()
    await says(page, "Saved Zürich")
  })

  test("keeps ticked offers during another search", async () => {
    const several = { isSearchable: true, isMultipleChoice: true, buttonLabel: "Done" }
    await asking(ask.choice(["Zürich", "Bern", "Basel"], { saves, ...several }))
    await page.getByText("Basel").click()
    await page.getByRole("searchbox").fill("ber")
    await page.getByText("Bern").click()
    await page.getByRole("button", { name: "Done" }).click()
    await says(page, "Saved Bern, Basel")
  })

  test("follows the item that was clicked among several of one value", async () => {
    const items = [
      { content: "London", value: "0", to: "L" },
      { content: "Berlin", value: "0", to: "B" },
    ]
    await open(
      bot(
        { settings: swift },
        group("Ask", ask.choice(items, { saves })),
        group("L", say("Not London")),
        group("B", say("Not Berlin, {{V}} points")),
      ),
    )
    await page.getByRole("button", { name: "Berlin" }).click()
    await says(page, "Not Berlin, 0 points")
    expect((await conversationOf(page))[0]).toBe("Berlin")
  })

  test("saves each of several items that share a value, as points do", async () => {
    const items = [
      { content: "Rome", value: "1" },
      { content: "Paris", value: "1" },
      { content: "Zürich", value: "0" },
    ]
    await asking(ask.choice(items, { saves, isMultipleChoice: true }))
    await page.getByText("Rome").click()
    await page.getByText("Paris").click()
    await send()
    await says(page, "Saved 1, 1")
    expect(await conversationOf(page)).toEqual(["Rome and Paris", "Saved 1, 1"])
  })

  test("says which button of which card was clicked", async () => {
    const paths = [
      { id: "see", text: "See it" },
      { id: "book", text: "Book it" },
    ]
    await asking(ask.cards({ saves, items: [{ id: "c", title: "Flat", paths }] }))
    await page.getByRole("button", { name: "Book it, Flat" }).click()
    await says(page, "Saved Flat")
    expect(await conversationOf(page)).toEqual(["Flat – Book it", "Saved Flat"])
  })

  test("can be skipped where a file is optional", async () => {
    await asking(ask.file({ saves, isRequired: false, labels: { skip: "No file" } }))
    await page.getByRole("button", { name: "No file" }).click()
    await says(page, "Saved")
    expect(await conversationOf(page)).toEqual(["No file", "Saved"])
  })

  test("is not answered by Enter that is held since the answer before it", async () => {
    const questions = [say("Name?"), ask.text(), say("Delete?"), ask.choice(["Yes", "No"])]
    await open(bot({ settings: swift }, group("Ask", ...questions, say("Deleted"))))
    await fields().fill("Ann")
    await page.keyboard.down("Enter")
    await page.locator(".options .button:focus").waitFor()
    await page.keyboard.down("Enter")
    await page.keyboard.up("Enter")
    expect(await conversationOf(page)).toEqual(["Name?", "Ann", "Delete?"])
    await page.keyboard.press("Enter")
    await says(page, "Deleted")
  })

  test("takes one click for a rating where the author wants that", async () => {
    const quick = { isOneClickSubmitEnabled: true, length: 5, startsAt: 1 }
    await asking(ask.rating({ saves, ...quick }))
    const marks = page.locator(".mark")
    await marks.first().waitFor()
    expect(await marks.allTextContents()).toEqual(["1", "2", "3", "4", "5"])
    await marks.nth(3).click()
    await says(page, "Saved 4")
  })

  test("with more choices than the window holds is shown from its beginning", async () => {
    const names = Array.from({ length: 200 }, (_, index) => `Town ${index}`)
    const several = { isMultipleChoice: true }
    const again = [say("Which town?"), ask.choice(names), say("And which others?")]
    await open(
      bot({ settings: swift }, group("Ask", ...again, ask.choice(names, several), say("Bye"))),
    )
    for (const question of ["Which town?", "And which others?"]) {
      await says(page, question)
      await page.locator(".choices :focus").waitFor()
      expect(await isInView(question)).toBe(true)
      if (question === "Which town?") await page.getByText("Town 0", { exact: true }).click()
    }
    // The button that sends comes below the last choice.
    await page.locator(".choice").last().click()
    await expect.poll(() => isInView("Send")).toBe(true)
    await send()
    await says(page, "Bye")
    await expect.poll(() => isInView("Bye")).toBe(true)
  })

  test("keeps the lines of the bot's message", async () => {
    const variables = { Address: "1 Road\nTown" }
    const flow = bot(
      { settings: swift, variables },
      group("A", say("First line\nSecond line"), say("To: {{Address}}"), ask.text({ saves })),
    )
    await open(flow)
    await fields().waitFor()
    expect(await conversationOf(page)).toEqual(["First line\nSecond line", "To: 1 Road\nTown"])
  })

  test("stands below no line for a picture that has no address", async () => {
    const flow = bot(
      { settings: swift },
      group("A", say("Hi"), show("image", { url: "{{Picture}}" }), ask.text({ saves })),
    )
    await open(flow)
    await fields().waitFor()
    expect(await page.locator(".line").count()).toBe(1)
  })

  test("offers the days that are taken", async () => {
    await asking(ask.date({ saves, min: "2026-01-10", max: "2026-01-20" }))
    const { min, max } = await rangeOf()
    expect([min, max]).toEqual(["2026-01-10", "2026-01-20"])
    await asking(ask.date({ saves, hasTime: true, max: "{{Until}}" }), {
      variables: { Until: "2026-01-20" },
    })
    expect(await rangeOf()).toEqual({ min: null, max: "2026-01-20T23:59" })
    await asking(ask.date({ saves, max: `{{Day}}` }), {
      variables: { Day: "10/01/2026" },
    })
    expect((await rangeOf()).max).toBe("9999-12-31")
  })

  const notANumber = "Please enter a number."
  const whichNumber = "Please type 1234 or 1.234."

  const problem = (words: string) =>
    page.locator("form.ask").getByRole("alert").getByText(words, { exact: true }).waitFor()

  test.each<[string, Draft, string[], string, string[], string]>([
    ["number", ask.number({ saves, max: 10 }), ["11"], "At most 10", ["10"], "10"],
    ["number", ask.number({ saves, min: 1.5 }), ["1"], "At least 1.5", ["2"], "2"],
    ["number with a comma", ask.number({ saves }), ["1.2.3,4"], notANumber, ["2,50"], "2.5"],
    ["number that is grouped", ask.number({ saves }), ["x"], notANumber, ["1 000,50"], "1000.5"],
    ["number in Arabic digits", ask.number({ saves }), ["٫"], notANumber, ["١٢٣"], "123"],
    ["number that may be two", ask.number({ saves }), ["1,234"], whichNumber, ["1.234"], "1.234"],
    [
      "price",
      ask.number({ saves, max: 10, style: "currency", currency: "EUR" }),
      ["11"],
      "At most €10.00",
      ["9"],
      "9",
    ],
    [
      "date",
      ask.date({ saves, max: "2026-01-20" }),
      ["2026-01-21"],
      "Not after 20 Jan 2026",
      ["2026-01-20"],
      "20/01/2026",
    ],
    [
      "year of five digits",
      ask.date({ saves }),
      ["20260-01-20"],
      "Not after 31 Dec 9999",
      ["2026-01-20"],
      "20/01/2026",
    ],
    [
      "range of dates",
      ask.date({ saves, isRange: true }),
      ["2026-01-20", "2026-01-10"],
      "Not before 20 Jan 2026",
      ["2026-01-20", "2026-01-21"],
      "20/01/2026 to 21/01/2026",
    ],
    [
      "range without its end",
      ask.date({ saves, isRange: true }),
      ["2026-01-20", ""],
      "This date is missing.",
      ["2026-01-20", "2026-01-21"],
      "20/01/2026 to 21/01/2026",
    ],
    ...["nosite", "not a site.com", "ftp://example.com"].map(
      (wrong): [string, Draft, string[], string, string[], string] => [
        `web address (${wrong})`,
        ask.url({ saves }),
        [wrong],
        "Please enter a web address, such as https://example.com.",
        ["example.com"],
        "example.com",
      ],
    ),
  ])("describes the mistake in a %s", async (_, input, wrong, words, right, saved) => {
    await asking(input)
    const fill = async (values: string[]) => {
      for (const [index, value] of values.entries()) await fields().nth(index).fill(value)
    }
    let sent = 0
    page.on("request", (request) => {
      if (request.url().endsWith("/continueChat")) sent += 1
    })
    await fields().first().waitFor()
    await fill(wrong)
    await page.keyboard.press("Enter")
    await problem(words)
    expect(await page.locator("form.ask input[aria-invalid]").count()).toBe(1)
    expect(sent).toBe(0)
    await fill(right)
    expect(await page.locator("form.ask .problem, form.ask [aria-invalid]").count()).toBe(0)
    await send()
    await says(page, `Saved ${saved}`)
    expectNoComplaints(page)
  })

  test.each([
    ["date", ask.date({ saves }), "11", "Please fill in day, month and year."],
    ["time", ask.time({ saves }), "11", "Please fill in hours and minutes."],
    [
      "date with a time",
      ask.date({ saves, hasTime: true }),
      "11",
      "Please fill in day, month, year and time.",
    ],
    ["number", ask.number({ saves }), "11e", "Please enter a number."],
  ])("describes the missing part of a half-filled %s", async (_, input, typed, words) => {
    await asking(input)
    await fields().first().focus()
    await page.keyboard.type(typed)
    await page.keyboard.press("Enter")
    await problem(words)
  })

  test("accepts the same as the service: a bound of 0 is none", async () => {
    await asking(ask.number({ saves, min: 0 }))
    await fields().fill("-1")
    await send()
    await says(page, "Saved -1")
  })

  test("leaves the words about an address to an author who has some", async () => {
    await asking(ask.url({ saves, retryMessageContent: "Your site?" }))
    await fields().fill("none")
    await send()
    await says(page, "Your site?")
  })

  test("keeps its width and ticked offers during a search, and Enter ticks a single match", async () => {
    const names = ["Apple", "Apricot", "Banana", "A very long name of a fruit from far away"]
    await asking(ask.choice(names, { saves, isMultipleChoice: true, isSearchable: true }))
    const search = page.getByRole("searchbox")
    const width = async () => (await search.boundingBox())?.width
    await page.getByText("Banana").click()
    const before = await width()
    await search.fill("ap")
    expect(await page.locator(".choice").allTextContents()).toEqual(["Apple", "Apricot", "Banana"])
    await page.keyboard.press("Enter")
    await search.fill("zzz")
    await page.getByText("Nothing matches").waitFor()
    expect(await page.getByText("Nothing matches").boundingBox()).toMatchObject({ height: 24 })
    expect(await page.locator(".choice").allTextContents()).toEqual(["Banana"])
    expect(await width()).toBe(before)
    await search.fill("apr")
    await page.keyboard.press("Enter")
    expect(await search.inputValue()).toBe("")
    await send()
    await says(page, "Saved Apricot, Banana")
    expectNoComplaints(page)
  })

  test("answers with the single match on Enter", async () => {
    await asking(ask.choice(["Apple", "Banana"], { saves, isSearchable: true }))
    await page.getByRole("searchbox").fill("ban")
    await page.keyboard.press("Enter")
    await says(page, "Saved Banana")
  })

  async function rangeOf() {
    const field = page.locator(".dates input")
    const [min, max] = [await field.getAttribute("min"), await field.getAttribute("max")]
    return { min, max }
  }
})
