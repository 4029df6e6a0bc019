/** The conversation so far, which screen readers announce as it grows. */
import type { ComponentChildren, VNode } from "preact"
import { useMemo } from "preact/hooks"
import { Bubble, isVisible } from "./bubbles/bubbles.tsx"
import { useChat } from "./chatContext.ts"
import { BotIcon, PersonIcon } from "./icons.tsx"
import type { ChatMessage } from "./payload.ts"
import { isPicture, linkAddress } from "./richText/address.ts"
import type { Entry, View } from "./talk/view.ts"
import type { Look } from "./theme/theme.ts"

type Props = { view: View; look: Look }

export function Messages({ view, look }: Props): VNode {
  const { entries, isTyping } = view
  const shown = entries.filter((entry) => entry.kind === "answer" || isVisible(entry.message))
  return (
    <div class="messages" role="log" aria-live="polite" aria-busy={isTyping}>
      {shown.map((entry, index) => {
        const next = shown[index + 1]
        // Only the last of several messages in a row has an avatar.
        const isLastOfRow = next?.kind !== entry.kind && !(next === undefined && isTyping)
        const place = { hasAvatar: isLastOfRow, isLast: next === undefined }
        return <Line key={entry.key} entry={entry} look={look} {...place} />
      })}
      {isTyping && <Typing look={look} />}
    </div>
  )
}

type LineProps = { entry: Entry; look: Look; hasAvatar: boolean; isLast: boolean }

function Line({ entry, look, hasAvatar, isLast }: LineProps): VNode {
  if (entry.kind === "answer") return <AnswerLine entry={entry} look={look} hasAvatar={hasAvatar} />
  return <MessageLine message={entry.message} {...{ look, hasAvatar, isLast }} />
}

type MessageLineProps = Omit<LineProps, "entry"> & { message: ChatMessage }

function MessageLine({ message, look, hasAvatar, isLast }: MessageLineProps): VNode {
  // So that a new message does not render a long conversation again.
  const bubble = useMemo(() => <Bubble message={message} isLast={isLast} />, [message, isLast])
  const isMedia = message.type !== "text"
  return (
    <div class="line host">
      <Avatar address={look.hostAvatar} isShown={hasAvatar} DefaultIcon={BotIcon} />
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

type AnswerLineProps = { entry: Extract<Entry, { kind: "answer" }>; look: Look; hasAvatar: boolean }

function AnswerLine({ entry, look, hasAvatar }: AnswerLineProps): VNode {
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
      <Avatar address={look.guestAvatar} isShown={hasAvatar} DefaultIcon={PersonIcon} />
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

type AvatarProps = { address: string | undefined; isShown: boolean; DefaultIcon: () => VNode }

/** An avatar. One that is not shown still takes up its space, so that messages stay aligned. */
function Avatar({ address, isShown, DefaultIcon }: AvatarProps): VNode | null {
  if (address === undefined) return null
  if (!isShown) return <span class="avatar empty" />
  return address ? (
    <img class="avatar" src={address} alt="" />
  ) : (
    <span class="avatar usual">
      <DefaultIcon />
    </span>
  )
}

function Typing({ look }: { look: Look }): VNode {
  return (
    <div class="line host">
      <Avatar address={look.hostAvatar} isShown DefaultIcon={BotIcon} />
      <div class="bubble host-bubble typing">
        <span aria-hidden="true" />
        <span aria-hidden="true" />
        <span aria-hidden="true" />
      </div>
    </div>
  )
}
