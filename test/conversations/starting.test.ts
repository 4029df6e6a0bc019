/** Rules 10.6, 10.7 and 10.11: parts of a start only, and parts left to the client. */
import { describe, expect, it } from "vitest"
import { ask, block, bot, group, say, set } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

describe("10.6 what only a start has", () => {
  const metadata = { customHeadCode: "a <script>x</script> b", googleTagManagerId: "GTM-1" }
  const trackers = [
    block("Google Analytics", { trackingId: "G-1", action: "a" }),
    block("Pixel", { pixelId: "P-1" }),
    block("Pixel", { pixelId: "P-2", isInitSkip: true }),
  ]

  it("the theme has the values from before the walk, the settings those after it", () => {
    const flow = bot(
      {
        variables: { A: "before" },
        theme: {
          chat: { hostAvatar: { url: "https://e.com/{{A}}" } },
          customCss: "b{} .lite-badge{}",
        },
        settings: { metadata: { title: "{{A}}" } },
      },
      group("g", set("A", '"after"'), ask.text()),
    )
    talk(flow).turns({
      appearance: {
        theme: { chat: { hostAvatar: { url: "https://e.com/before" } }, customCss: "b{}" },
        settings: { metadata: { title: "after" } },
      },
    })
    expect(talk(flow).user("x").turn.appearance).toBeUndefined()
  })

  it("the badge's rules are taken out of the theme, the comments around them are not", () => {
    const css = "/* no .lite-badge here */ p{} /* {a} */ .lite-badge{x:y} q{} /* .lite-badge{"
    const { appearance } = talk(bot({ theme: { customCss: css } }, group("g", ask.text()))).turn
    expect(appearance?.theme.customCss).toBe(
      "/* no .lite-badge here */ p{} /* {a} */ q{} /* .lite-badge{",
    )
  })

  it("start props come first among the actions of a live chat", () => {
    const chat = talk(
      bot({ settings: { metadata } }, group("g", say("Hi"), ...trackers, ask.text())),
    )
    expect(chat.turn.actions[0]).toEqual({
      type: "startPropsToInject",
      startPropsToInject: {
        customHeadCode: "<script>x</script>",
        gtmId: "GTM-1",
        googleAnalyticsId: "G-1",
        pixelIds: ["P-1"],
      },
    })
    expect(JSON.stringify(chat.user("x").turn.actions)).not.toContain("startProps")
  })

  it("only elements of the head code travel", () => {
    const kept = '<meta name="a"><link href="b"/><SCRIPT>if (1 < 2) {}</SCRIPT><style>open'
    const customHeadCode = `text <!-- <meta> --> ${kept.replaceAll("><", "> text <")}`
    const flow = bot({ settings: { metadata: { customHeadCode } } }, group("g", ask.text()))
    const [action] = talk(flow).turn.actions
    expect(action).toMatchObject({ startPropsToInject: { customHeadCode: kept } })
    const nothing = { metadata: { customHeadCode: "only text" } }
    expect(talk(bot({ settings: nothing }, group("g", ask.text()))).turn.actions).toEqual([])
  })

  it("in a preview a log lists omitted code", () => {
    const settings = { metadata }
    const said = (parts: object, ...blocks: typeof trackers) =>
      talk(bot(parts, group("g", ...blocks)), { isPreview: true }).turn.logs.map(
        (log) => log.description,
      )
    expect(said({ settings })).toEqual([
      "Custom head code, Google Tag Manager are not enabled in Preview mode",
    ])
    expect(said({}, ...trackers.slice(1, 2))).toContain("Pixel is not enabled in Preview mode")
    expect(said({})).toEqual([])
  })
})

describe("10.7 the dynamic theme", () => {
  const chatTheme = {
    hostAvatar: { url: "{{A}}" },
    guestAvatar: { url: "{{A}}" },
  }
  const background = { type: "Image", content: "{{A}}/bg" }

  it("travels with every answer and follows the variables", () => {
    const theme = { chat: chatTheme, general: { background } }
    const flow = bot(
      { theme, variables: { A: "1" } },
      group("g", ask.text({ saves: "A" }), ask.number()),
    )
    const chat = talk(flow)
    expect(chat.turn.dynamicTheme).toEqual({ hostAvatarUrl: "1", backgroundUrl: "1/bg" })
    expect(chat.user("2").turn.dynamicTheme).toEqual({ hostAvatarUrl: "2", backgroundUrl: "2/bg" })
    expect(chat.user("x").turn.dynamicTheme).toEqual({ hostAvatarUrl: "2", backgroundUrl: "2/bg" })
  })

  it("is absent when no address begins with a variable", () => {
    const theme = { chat: { hostAvatar: { url: "https://e.com/{{A}}" } } }
    expect(talk(bot({ theme }, group("g", ask.text()))).turn.dynamicTheme).toBeUndefined()
  })
})

describe("10.11 typing", () => {
  it("is the client's: the settings travel as they are", () => {
    const typingEmulation = { enabled: true, speed: 300, maxDelay: 2, delayBetweenBubbles: 1 }
    const flow = bot({ settings: { typingEmulation } }, group("g", say("a"), say("b"), ask.text()))
    talk(flow)
      .bot("a", "b")
      .idle()
      .turns({ appearance: { settings: { typingEmulation } } })
  })
})
