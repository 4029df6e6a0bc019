/** Shows a page that comes with code. The code runs only if the bot is trusted. */
import type { VNode } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { useChat } from "../chatContext.ts"
import { runTrusted } from "../code/code.ts"
import type { BubbleProps, ContentOf } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"
import { PageFrame, usualHeight } from "./PageFrame.tsx"

export function CustomEmbedBubble(props: BubbleProps<"custom-embed">): VNode | null {
  const { talk } = useChat()
  return talk.page.isTrusted ? <Trusted {...props} /> : <Framed {...props} />
}

function Trusted({ content, isLast }: BubbleProps<"custom-embed">): VNode {
  const box = useRef<HTMLDivElement>(null)
  const { report } = useChat()
  useEffect(() => {
    const { initFunction, waitForEventFunction } = content
    const init = { ...initFunction, args: { ...initFunction.args, typebotElement: box.current } }
    const continueFlow = (text?: unknown) => report(text === undefined ? undefined : String(text))
    void runTrusted(init).then(() => {
      if (!isLast || !waitForEventFunction) return
      const { args, content } = waitForEventFunction
      return runTrusted({ content, args: { ...args, continueFlow } })
    })
  }, [])
  return <div ref={box} class="frame" style={{ minHeight: usualHeight }} />
}

function Framed({ content, isLast }: BubbleProps<"custom-embed">): VNode | null {
  const address = addressOf(content)
  if (!address) return null
  return <PageFrame address={address} height={600} isWaiting={isLast} read={readBooking} />
}

/** The address of the page that the code would show, with the values that it would fill in. */
function addressOf({ url, initFunction }: ContentOf<"custom-embed">): string | undefined {
  const { baseUrl, link, name, email, layout } = initFunction.args
  const page = typeof baseUrl === "string" && typeof link === "string" ? `${baseUrl}/${link}` : url
  const address = mediaAddress(page)
  if (!address) return undefined
  const full = new URL(address)
  full.searchParams.set("embed", "true")
  for (const [key, value] of Object.entries({ name, email, layout })) {
    if (typeof value === "string" && value) full.searchParams.set(key, value)
  }
  return full.href
}

/** Reads the message of Cal.com about a booking (embed protocol, version 1): the date is the answer. */
function readBooking(data: unknown): { text: string } | undefined {
  if (typeof data !== "object" || data === null) return undefined
  const { originator, type, data: event } = data as Record<string, unknown>
  if (originator !== "CAL" || !/^bookingSuccessful(?:V2)?$/.test(String(type))) return undefined
  const { date, startTime, booking } = (event ?? {}) as Record<string, unknown>
  const start = (booking as Record<string, unknown> | undefined)?.startTime
  const text = [date, startTime, start].find((each) => typeof each === "string")
  return text ? { text } : undefined
}
