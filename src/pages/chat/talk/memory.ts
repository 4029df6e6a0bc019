/** Remembers a conversation in the browser, if the bot asks for that. */
import type { ChatInput, ClientAction, Message, RuntimeBot } from "../payload.ts"
import type { View } from "./view.ts"

/** An answer that is being sent; it is repeated under the same key until it gets through. */
export type Pending = {
  key: string
  message?: Message | undefined
  /** The input that it answers, which is asked again if the answer is refused. */
  asked?: ChatInput | undefined
}

/** A draft of the person: not sent, or not received. */
export type Draft = { blockId: string; values: Readonly<Record<string, unknown>> }

/** The remembered state of an open conversation. */
export type Open = Pick<View, "entries" | "progress" | "dynamicTheme" | "input"> & {
  sessionId: string
  bot: RuntimeBot
  /** The awaited event instead of an answer. */
  awaited?: ClientAction | undefined
  pending?: Pending | undefined
  /** The prefilled variables with which it has begun, as JSON. */
  startedWith?: string | undefined
  /** A person of the team has taken over. */
  isPaused?: boolean | undefined
  /** Id of the last event that was heard. */
  heardId?: string | undefined
}

/** The memory of a person; without `open` the conversation is over. */
type Kept = { resultId?: string | undefined; open?: Open | undefined }

/** The memory, and whether a payment on a page of the provider succeeded. */
type Remembered = Kept & { isPaid?: boolean | undefined; draft?: Draft | undefined }

export type Memory = ReturnType<typeof openMemory>

const format = "parley-chat-1"

/** Opens the memory for one bot. Nothing is remembered if the browser does not allow storage. */
export function openMemory(host: string, bot: string, person?: string) {
  const name = `${format}:${host}:${bot}${person === undefined ? "" : `:${encodeURIComponent(person)}`}`
  const [drafts, paying] = [`${name}:draft`, `${name}:paying`]
  return {
    read: (): Remembered => {
      const kept = afterPayment(paying, read<Kept>(name))
      return { ...kept, draft: read<Draft>(drafts) }
    },
    /** Stores the conversation where the settings of the bot say, or forgets it. */
    write: (kept: Kept, settings: RuntimeBot["settings"]) => {
      const chosen = placeOf(settings)
      for (const place of places) put(place, name, place === chosen ? kept : undefined)
    },
    /** Forgets all of it. */
    clear: () => {
      for (const place of places) {
        for (const each of [name, drafts, paying]) put(place, each, undefined)
      }
    },
    /** Stores a draft in the same place, or forgets it. */
    writeDraft: (draft: Draft | undefined, settings: RuntimeBot["settings"]) => {
      const place = placeOf(settings)
      if (place) put(place, drafts, draft)
    },
    /** Stores the conversation while a payment may lead to a page of the provider and back. */
    hold: (kept: Kept, secret: string) => put("sessionStorage", paying, { ...kept, secret }),
    /** Forgets what `hold` stored: the payment did not leave the page. */
    release: () => put("sessionStorage", paying, undefined),
  }
}

/** A held conversation, with the secret of the payment, which the address will contain. */
type Held = Kept & { secret: string }

/** The query parameters that Stripe adds to the address to which it sends people back. */
const added = ["payment_intent", "payment_intent_client_secret", "redirect_status"]

/** The conversation that was remembered or held, with the outcome of its payment from the address. */
function afterPayment(name: string, remembered: Kept | undefined): Remembered | undefined {
  const held = read<Held>(name)
  put("sessionStorage", name, undefined)
  if (!held) return remembered
  const { secret, ...waiting } = held
  const kept = remembered ?? waiting
  // Another tab may have continued in the meantime.
  if (JSON.stringify(kept.open?.input) !== JSON.stringify(waiting.open?.input)) return kept
  const address = new URL(location.href)
  const { searchParams } = address
  // The page around the chat may take payments of its own, and a person who went back has yet to pay.
  if (searchParams.get("payment_intent_client_secret") !== secret) return kept
  const isPaid = searchParams.get("redirect_status") !== "failed"
  for (const each of added) searchParams.delete(each)
  history.replaceState(history.state, "", address)
  return { ...kept, isPaid }
}

const places = ["sessionStorage", "localStorage"] as const
type Place = (typeof places)[number]

function placeOf({ general }: RuntimeBot["settings"]): Place | undefined {
  const isNew = general?.isNewResultOnRefreshEnabled
  const isOn = general?.rememberUser?.isEnabled ?? (isNew === undefined ? false : !isNew)
  if (!isOn) return undefined
  return general?.rememberUser?.storage === "local" ? "localStorage" : "sessionStorage"
}

/** The value of a name in one of the places. */
function read<T>(name: string): T | undefined {
  return places
    .map((place) => attempt(() => JSON.parse(window[place].getItem(name) ?? "null") as T))
    .find(Boolean)
}

/** Stores a value under a name, or removes it. */
function put(place: Place, name: string, value: object | undefined): void {
  const store = () => window[place].setItem(name, JSON.stringify(value))
  // Where there is no room for the value, nothing older may stay in its place.
  if (!value || !attempt(() => [store()])) attempt(() => window[place].removeItem(name))
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
