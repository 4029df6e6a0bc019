/**
 * Presence of people at bots, in the memory of every process with listeners there. Processes notify each
 * other; a lost notification is replaced by the next within seconds.
 */
import { z } from "zod"
import type { Notifications } from "../../db/connection/notifications.ts"
import { readJson } from "../../lib/foreignJson.ts"

/** A person present at a bot. */
export type Present = {
  userId: string
  /** Null: none. */
  name: string | null
  /** Their focused element; absent: none. */
  focus?: string | undefined
}

/** A person at a bot; `onChange` is called when others come, leave or move. */
type Entering = Pick<Present, "userId" | "name"> & { onChange(): void }

export type Presence = ReturnType<typeof openPresence>

type PresenceOptions = {
  notifications: Pick<Notifications, "on" | "notify">
  processId: string
  /** Interval at which a process repeats its people, 20 seconds by default. */
  repeatMs?: number
}

type Person = Pick<Present, "name" | "focus"> & {
  /** Their number of streams in this process. */
  count: number
  /** Other processes they are in, with expiry times. */
  elsewhere: Map<string, number>
}

type Room = { people: Map<string, Person>; listeners: Set<() => void> }

/** `who`: a process requests the people present; `at`: a person moves, in any process. */
const noteSchema = z.object({
  kind: z.enum(["here", "gone", "at", "who"]),
  from: z.string(),
  botId: z.string(),
  userId: z.string().default(""),
  name: z.string().nullable().default(null),
  focus: z.string().optional(),
})

/** Lost repetitions before a person counts as gone. */
const patience = 3

/** Opens it; a process has one. */
export function openPresence(options: PresenceOptions) {
  const { notifications, processId, repeatMs = 20_000 } = options
  /** The rooms of bots with people in this process. */
  const rooms = new Map<string, Room>()

  const send = (note: Omit<z.input<typeof noteSchema>, "from">) =>
    void notifications.notify("bot_presence", JSON.stringify({ ...note, from: processId }))
  const sendHere = (botId: string, userId: string, { name, focus }: Person) =>
    send({ kind: "here", botId, userId, name, focus })
  const repeat = (botId: string, { people }: Room) => {
    for (const [userId, person] of people) if (person.count > 0) sendHere(botId, userId, person)
  }
  const removeGone = ({ people }: Room) => {
    const now = performance.now()
    for (const [userId, { count, elsewhere }] of people) {
      for (const [process, until] of elsewhere) if (until < now) elsewhere.delete(process)
      if (count === 0 && elsewhere.size === 0) people.delete(userId)
    }
  }
  /** Notifies the listeners if a change added, removed or moved a person. */
  const changing = (room: Room, change: () => void) => {
    const before = JSON.stringify(presentIn(room))
    change()
    removeGone(room)
    if (JSON.stringify(presentIn(room)) === before) return
    for (const listener of room.listeners) listener()
  }

  const take = (room: Room, note: z.output<typeof noteSchema>) => {
    const { kind, from, botId, userId, name, focus } = note
    if (kind === "who") return repeat(botId, room)
    const person = room.people.get(userId)
    changing(room, () => {
      if (kind === "here") {
        const { count, elsewhere } = person ?? newPerson(name)
        elsewhere.set(from, performance.now() + patience * repeatMs)
        // A process that they just entered does not know their focus yet.
        room.people.set(userId, { name, focus: focus ?? person?.focus, count, elsewhere })
      }
      if (kind === "at" && person) room.people.set(userId, { ...person, focus })
      if (kind === "gone") person?.elsewhere.delete(from)
    })
  }

  const stopNotifications = notifications.on("bot_presence", (payload) => {
    const { success, data } = noteSchema.safeParse(readJson(payload))
    const room = success ? rooms.get(data.botId) : undefined
    if (room && data?.from !== processId) take(room, data as z.output<typeof noteSchema>)
  })
  const timer = setInterval(() => {
    for (const [botId, room] of rooms) {
      repeat(botId, room)
      changing(room, () => {})
    }
  }, repeatMs).unref()

  return {
    /** Counts a person in. Returns what counts them out. */
    enter(botId: string, { userId, name, onChange }: Entering) {
      const room = rooms.get(botId) ?? { people: new Map(), listeners: new Set() }
      if (!rooms.has(botId)) send({ kind: "who", botId })
      rooms.set(botId, room)
      const { focus, count, elsewhere } = room.people.get(userId) ?? newPerson(name)
      const person = { name, focus, count: count + 1, elsewhere }
      changing(room, () => room.people.set(userId, person))
      sendHere(botId, userId, person)
      room.listeners.add(onChange)
      return () => {
        if (!room.listeners.delete(onChange)) return
        const left = room.people.get(userId)
        changing(room, () => {
          if (left) room.people.set(userId, { ...left, count: left.count - 1 })
        })
        if (left?.count === 1) send({ kind: "gone", botId, userId })
        if (room.listeners.size === 0) rooms.delete(botId)
      }
    },
    /** Sets the focus of a person; ignored before they enter. */
    focus(botId: string, { userId, focus }: Pick<Present, "userId" | "focus">) {
      const room = rooms.get(botId)
      const note = { kind: "at", from: processId, botId, userId, name: null, focus } as const
      if (room) take(room, note)
      send({ kind: "at", botId, userId, focus })
    },
    /** The people present, in the order of arrival. */
    list(botId: string) {
      const room = rooms.get(botId)
      return room ? presentIn(room) : []
    },
    close() {
      clearInterval(timer)
      stopNotifications()
      rooms.clear()
    },
  }
}

function presentIn({ people }: Room): Present[] {
  return [...people].map(([userId, { name, focus }]) => ({ userId, name, focus }))
}

function newPerson(name: string | null): Person {
  return { name, count: 0, elsewhere: new Map() }
}
