/** Notices of the chat itself: lost connections, refusals, blocked tabs. */
import type { ComponentChildren, VNode } from "preact"
import type { Conversation } from "./talk/conversation.ts"
import type { View } from "./talk/view.ts"

export function Notices({ view, conversation }: { view: View; conversation: Conversation }): VNode {
  const { isPaused, isCutOff, blockedUrl, ending, isOver, notice, bot, texts } = view
  const words = bot?.settings.general?.systemMessages ?? {}
  return (
    <>
      {isPaused && (
        <p class="joined" role="status">
          {texts.teamJoined}
        </p>
      )}
      {notice && <Notice text={texts[notice]} />}
      {isCutOff && (
        <Notice
          title={words.networkErrorTitle || texts.networkTitle}
          text={words.networkErrorMessage || texts.networkMessage}
        >
          <button type="button" class="button" onClick={conversation.retryNow}>
            {texts.tryAgain}
          </button>
        </Notice>
      )}
      {blockedUrl && (
        <Notice
          title={words.popupBlockedTitle || texts.popupTitle}
          text={words.popupBlockedDescription || texts.popupMessage}
        >
          <a
            class="button"
            href={blockedUrl}
            target="_blank"
            rel="noopener noreferrer"
            onClick={() => conversation.store.change({ blockedUrl: undefined })}
          >
            {words.popupBlockedButtonLabel || texts.popupButton}
          </a>
        </Notice>
      )}
      {ending && (
        <Notice text={ending.ownWords || texts[ending.text]}>
          {ending.canRestart && (
            <button type="button" class="button" onClick={conversation.restart}>
              {texts.startAgain}
            </button>
          )}
        </Notice>
      )}
      {isOver && !ending && bot?.settings.general?.isRestartEnabled && (
        <button type="button" class="button plain again" onClick={conversation.restart}>
          {texts.startAgain}
        </button>
      )}
    </>
  )
}

type NoticeProps = { title?: string; text: string; children?: ComponentChildren }

function Notice({ title, text, children }: NoticeProps): VNode {
  return (
    <div class="notice" role="alert">
      {title && <strong>{title}</strong>}
      <p>{text}</p>
      {children}
    </div>
  )
}
