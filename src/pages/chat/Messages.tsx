/** The conversation so far, which screen readers announce as it grows. */
import type { ComponentChildren, VNode } from "preact"
import { useMemo } from "preact/hooks"
import { Bubble, isVisible } from "./bubbles/bubbles.tsx"
import { useChat } from "./chatContext.ts"
import { BotIcon, PersonIcon } from "./icons.tsx"
import { isPicture, linkAddress } from "./richText/address.ts"
import type { AnswerEntry, MessageEntry, View } from "./talk/view.ts"

export function Messages({ entries, isTyping }: Pick<View, "entries" | "isTyping">): VNode {
  const shown = entries.filter((entry) => entry.kind === "answer" || isVisible(entry.message))
  return (
    <div class="messages" role="log" aria-live="polite" aria-busy={isTyping}>
      {shown.map((entry, index) => {
        const next = shown[index + 1]
        // Only the last of several messages in a row has an avatar.
        const isLastOfRow = next?.kind !== entry.kind && !(next === undefined && isTyping)
        const place = { hasAvatar: isLastOfRow, isLast: next === undefined }
        return entry.kind === "answer" ? (
          <AnswerLine key={entry.key} entry={entry} {...place} />
        ) : (
          <MessageLine key={entry.key} entry={entry} {...place} />
        )
      })}
      {isTyping && <Typing />}
    </div>
  )
}

type LineProps<E> = { entry: E; hasAvatar: boolean; isLast: boolean }

function MessageLine({ entry, hasAvatar, isLast }: LineProps<MessageEntry>): VNode {
  const { message } = entry
  // So that a new message does not render a long conversation again.
  const bubble = useMemo(() => <Bubble message={message} isLast={isLast} />, [message, isLast])
  const isMedia = message.type !== "text"
  return (
    <div class="line host">
      <Avatar of="host" isShown={hasAvatar} />
      <div class={isMedia ? "bubble host-bubble media" : "bubble host-bubble"}>
        <Said>{bubble}</Said>
      </div>
    </div>
  )
}

/** What author or visitor wrote: in its own direction, and in no language unless the bot says one. */
function Said({ children }: { children: ComponentChildren }): VNode {
  return (
    <div class="said" dir="auto" lang={useChat().bot.settings.general?.language ?? ""}>
      {children}
    </div>
  )
}

function AnswerLine({ entry, hasAvatar }: LineProps<AnswerEntry>): VNode {
  const { text, urls, names, picture, isSent } = entry
  const { texts } = useChat()
  return (
    <div class={isSent ? "line guest" : "line guest unsent"}>
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
}

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

function Typing(): VNode {
  return (
    <div class="line host">
      <Avatar of="host" isShown />
      <div class="bubble host-bubble typing">
        <span aria-hidden="true" />
        <span aria-hidden="true" />
        <span aria-hidden="true" />
      </div>
    </div>
  )
}
