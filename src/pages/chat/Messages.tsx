/** The conversation so far, which screen readers announce as it grows. */
import type { ComponentChildren, VNode } from "preact"
import { Bubble, isVisible } from "./bubbles/bubbles.tsx"
import { useChat } from "./chatContext.ts"
import { drawnOnce, hasSameMembers } from "./drawnOnce.ts"
import { BotIcon, PersonIcon } from "./icons.tsx"
import { isPicture, linkAddress } from "./richText/address.ts"
import type { AnswerEntry, Entry, MessageEntry, View } from "./talk/view.ts"

/** Lines rendered and laid out together, so that a new message only costs as much as its neighbours. */
const inBlock = 32

export function Messages({ entries, isTyping }: Pick<View, "entries" | "isTyping">): VNode {
  const lines = linesOf(entries, isTyping)
  const blocks: VNode[] = []
  for (let from = 0; from < lines.length; from += inBlock) {
    blocks.push(<Block key={from} lines={lines.slice(from, from + inBlock)} />)
  }
  return (
    <div class="messages" role="log" aria-live="polite" aria-busy={isTyping}>
      {blocks}
      {isTyping && <Typing isFirstOfRow={lines.at(-1)?.entry.kind === "answer"} />}
    </div>
  )
}

type LineProps<E = Entry> = {
  entry: E
  hasAvatar: boolean
  isFirstOfRow: boolean
  isLast: boolean
}

function linesOf(entries: View["entries"], isTyping: boolean): LineProps[] {
  const shown = entries.filter(
    (entry) => entry.kind === "answer" || entry.of || isVisible(entry.message),
  )
  return shown.map((entry, index) => {
    const next = shown[index + 1]
    // Only the last of several messages in a row has an avatar.
    const hasAvatar = next?.kind !== entry.kind && !(next === undefined && isTyping)
    const isFirstOfRow = index > 0 && shown[index - 1]?.kind !== entry.kind
    return { entry, hasAvatar, isFirstOfRow, isLast: next === undefined }
  })
}

const Block = drawnOnce(
  ({ lines }: { lines: readonly LineProps[] }) => (
    <div class="block">
      {lines.map(({ entry, ...place }) =>
        entry.kind === "answer" ? (
          <AnswerLine key={entry.key} entry={entry} {...place} />
        ) : (
          <MessageLine key={entry.key} entry={entry} {...place} />
        ),
      )}
    </div>
  ),
  ({ lines }, { lines: others }) =>
    lines.length === others.length &&
    lines.every((line, index) => hasSameMembers(line, others[index] ?? line)),
)

// A new message does not render a long conversation again.
const MessageLine = drawnOnce(
  ({ entry, hasAvatar, isFirstOfRow, isLast }: LineProps<MessageEntry>) => {
    const { message, of } = entry
    const isMedia = message.type !== "text" && message.type !== "file"
    return (
      <div class={isFirstOfRow ? "line host turn" : "line host"}>
        <Avatar of="host" isShown={hasAvatar} />
        <div class={isMedia ? "bubble host-bubble media" : "bubble host-bubble"}>
          {of?.author && <bdi class="author">{of.author}</bdi>}
          <Said>
            <Bubble message={message} isLast={isLast} />
            {of?.urls?.map((url) => (
              <SentFile key={url} url={url} name={undefined} />
            ))}
          </Said>
        </div>
      </div>
    )
  },
)

/** Text of the author or visitor: in its own direction, without a language unless the bot has one. */
function Said({ children }: { children: ComponentChildren }): VNode {
  return (
    <div class="said" dir="auto" lang={useChat().bot.settings.general?.language ?? ""}>
      {children}
    </div>
  )
}

const AnswerLine = drawnOnce(({ entry, hasAvatar, isFirstOfRow }: LineProps<AnswerEntry>) => {
  const { text, urls, names, picture, isSent } = entry
  const { texts } = useChat()
  return (
    <div class={`line guest${isFirstOfRow ? " turn" : ""}${isSent ? "" : " unsent"}`}>
      <div class="bubble guest-bubble">
        <span class="for-readers">{texts.youSaid} </span>
        <Said>
          {picture && <img class="picture chosen" src={picture} alt="" />}
          {urls.map((url, index) => (
            <SentFile key={url} url={url} name={names?.[index]} />
          ))}
          {text && <p>{text}</p>}
        </Said>
      </div>
      <Avatar of="guest" isShown={hasAvatar} />
    </div>
  )
})

function SentFile({ url, name }: { url: string; name: string | undefined }): VNode | null {
  const { texts } = useChat()
  const address = linkAddress(url)
  if (!address) return null
  const path = new URL(address).pathname
  if (/\.(?:webm|mp3|m4a|ogg|wav|aac)$/i.test(path)) {
    // biome-ignore lint/a11y/useMediaCaption: it is the person's own voice.
    return <audio src={address} controls aria-label={texts.voiceClip} />
  }
  return (
    <a class="sent" href={address} target="_blank" rel="noopener noreferrer">
      {isPicture(address) && <img class="picture" src={address} alt="" />}
      {name || `${texts.attachedFile} (${path.split(".").pop()})`}
    </a>
  )
}

/** An avatar. One that is not shown still takes up its space, so that messages stay aligned. */
function Avatar({ of, isShown }: { of: "host" | "guest"; isShown: boolean }): VNode | null {
  const { look } = useChat()
  const address = of === "host" ? look.hostAvatar : look.guestAvatar
  if (address === undefined) return null
  if (!isShown) return <span class="avatar empty" />
  return address ? (
    <img class="avatar" src={address} alt="" />
  ) : (
    <span class="avatar usual">{of === "host" ? <BotIcon /> : <PersonIcon />}</span>
  )
}

function Typing({ isFirstOfRow }: Pick<LineProps, "isFirstOfRow">): VNode {
  return (
    <div class={isFirstOfRow ? "line host turn" : "line host"}>
      <Avatar of="host" isShown />
      <div class="bubble host-bubble typing">
        <span aria-hidden="true" />
        <span aria-hidden="true" />
        <span aria-hidden="true" />
      </div>
    </div>
  )
}
