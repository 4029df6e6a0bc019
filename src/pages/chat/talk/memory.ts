/** Remembers a conversation in the browser, as far as the bot asks for it. */
import type { ChatInput, ClientAction, Message, RuntimeBot } from "../payload.ts"
import type { Entry } from "./view.ts"

/** An answer on its way: repeated under the same key until it came through. */
export type Pending = { key: string; message?: Message | undefined }

/** A conversation that can be gone on with. */
export type Kept = {
  resultId?: string | undefined
  /** Absent: the conversation is over, and only the result is remembered. */
  open?: {
    sessionId: string
    bot: RuntimeBot
    entries: readonly Entry[]
    progress?: number | undefined
    input?: ChatInput | undefined
    /** What the chat waits for instead of an answer. */
    awaited?: ClientAction | undefined
    pending?: Pending | undefined
  }
}

/** What was remembered, and what came of a payment on a page of the provider. */
type Remembered = Kept & { isPaid?: boolean | undefined }

export type Memory = {
  read(): Remembered | undefined
  /** Stores the conversation where the settings say so, or forgets it. */
  write(kept: Kept, settings: RuntimeBot["settings"]): void
  /** Stores the conversation while a payment may lead to a page of the provider and back. */
  hold(kept: Kept, secret: string): void
  /** The payment led nowhere else. */
  release(): void
}

const format = "parley-chat-1"

/** The memory of one bot. Where the browser allows no storage, nothing is remembered. */
export function openMemory(host: string, bot: string): Memory {
  const name = `${format}:${host}:${bot}`
  return {
    read: () => {
      const kept = readFrom("sessionStorage", name) ?? readFrom("localStorage", name)
      return afterPayment(`${name}:paying`, kept)
    },
    write: (kept, settings) => {
      const place = placeOf(settings)
      if (place) attempt(() => window[place].setItem(name, JSON.stringify(kept)))
      const other = place === "localStorage" ? "sessionStorage" : "localStorage"
      attempt(() => window[other].removeItem(name))
      if (!place) attempt(() => window.sessionStorage.removeItem(name))
    },
    hold: (kept, secret) =>
      attempt(() => {
        sessionStorage.setItem(`${name}:paying`, JSON.stringify({ ...kept, secret }))
      }),
    release: () => attempt(() => sessionStorage.removeItem(`${name}:paying`)),
  }
}

/** With the secret of the payment, which comes back in the address. */
type Held = Kept & { secret: string }

/** What Stripe adds to the address to which it sends people back. */
const added = ["payment_intent", "payment_intent_client_secret", "redirect_status"]

/** The conversation that was remembered or else held, and what the address says came of its payment. */
function afterPayment(name: string, remembered: Kept | undefined): Remembered | undefined {
  const held = readFrom("sessionStorage", name) as Held | undefined
  attempt(() => sessionStorage.removeItem(name))
  if (!held) return remembered
  const { secret, ...waiting } = held
  const kept = remembered ?? waiting
  // Another tab may have gone on meanwhile.
  if (JSON.stringify(kept.open?.input) !== JSON.stringify(waiting.open?.input)) return kept
  const address = new URL(location.href)
  const { searchParams } = address
  // The page around may take payments of its own; and who went back has still to pay.
  if (searchParams.get("payment_intent_client_secret") !== secret) return kept
  const isPaid = searchParams.get("redirect_status") !== "failed"
  for (const each of added) searchParams.delete(each)
  history.replaceState(history.state, "", address)
  return { ...kept, isPaid }
}

type StorageName = "sessionStorage" | "localStorage"

function placeOf({ general }: RuntimeBot["settings"]): StorageName | undefined {
  const isNew = general?.isNewResultOnRefreshEnabled
  const isOn = general?.rememberUser?.isEnabled ?? (isNew === undefined ? false : !isNew)
  if (!isOn) return undefined
  return general?.rememberUser?.storage === "local" ? "localStorage" : "sessionStorage"
}

function readFrom(place: StorageName, name: string): Kept | undefined {
  const text = attempt(() => window[place].getItem(name))
  return text ? attempt(() => JSON.parse(text) as Kept) : undefined
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
