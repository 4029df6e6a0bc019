/** The letters to the ADMINs of an inactive workspace. */
import { cut } from "../lib/cut.ts"
import { languageFor } from "../lib/languages.ts"

type Inactive = {
  name: string
  /** For how many days it has been inactive at least. */
  days: number
  /** When it will be suspended, if it stays inactive. */
  suspendedAt: Date
  publicUrl: string
}

/** The letter in the language of its reader, or else in English. */
export function inactivityLetter(language: string | null, inactive: Inactive) {
  const { days, publicUrl } = inactive
  const known = languageFor([language ?? undefined]) === "de" ? "de" : "en"
  const name = cut(inactive.name.replaceAll(/\s+/g, " "))
  const format = { dateStyle: "long", timeZone: "UTC" } as const
  const date = inactive.suspendedAt.toLocaleDateString(known, format)
  return texts[known]({ name, days, date, publicUrl })
}

type Facts = Pick<Inactive, "name" | "days" | "publicUrl"> & { date: string }

const texts = {
  en: ({ name, days, date, publicUrl }: Facts) => ({
    subject: `Your workspace "${name}" is inactive`,
    text:
      `For ${days} days, nothing has been changed in the workspace "${name}" at ${publicUrl}, and its bots have had ` +
      `no chats. If this goes on, it is suspended on ${date}: its bots take no new chats then. Nothing is deleted.\n\n` +
      "To keep it open, change or publish one of its bots. If you do not need it any more, you need not do anything.\n",
  }),
  de: ({ name, days, date, publicUrl }: Facts) => ({
    subject: `Ihr Workspace „${name}“ ist inaktiv`,
    text:
      `Seit ${days} Tagen wurde im Workspace „${name}“ auf ${publicUrl} nichts geändert, und seine Bots hatten keine ` +
      `Chats. Bleibt es dabei, wird er am ${date} gesperrt: Seine Bots nehmen dann keine neuen Chats mehr an. ` +
      "Gelöscht wird nichts.\n\n" +
      "Damit er offen bleibt, ändern oder veröffentlichen Sie einen seiner Bots. Wenn Sie ihn nicht mehr brauchen, " +
      "müssen Sie nichts tun.\n",
  }),
}
