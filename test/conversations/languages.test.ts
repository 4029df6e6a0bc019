/** 2.10: the language of built-in texts. */
import { describe, expect, it } from "vitest"
import { type Language, languages } from "../../src/lib/languages.ts"
import { ask, bot, group, say } from "../support/bots.ts"
import { talk } from "../support/talk.ts"

const retries: Record<Language, string> = {
  en: "This does not look like an email address. Could you type it again?",
  de: "Das sieht nicht nach einer E-Mail-Adresse aus. Bitte geben Sie sie noch einmal ein.",
  fr: "Cela ne ressemble pas à une adresse e-mail. Pouvez-vous la saisir à nouveau\u00a0?",
  es: "Esto no parece una dirección de correo electrónico. ¿Podría escribirla de nuevo?",
  pt: "Isso não parece um endereço de e-mail. Pode escrevê-lo novamente?",
  it: "Questo non sembra un indirizzo e-mail. Può scriverlo di nuovo?",
  nl: "Dit lijkt geen e-mailadres te zijn. Kun je het nog een keer typen?",
  pl: "To nie wygląda na adres e-mail. Wpisz go jeszcze raz.",
  ar: "لا يبدو هذا عنوان بريد إلكتروني. هل يمكنك كتابته مرة أخرى؟",
  he: "זו לא נראית כתובת אימייל. אפשר להקליד אותה שוב?",
  ja: "メールアドレスの形式が正しくないようです。もう一度入力していただけますか？",
  zh: "这似乎不是有效的邮箱地址，请重新输入。",
}

const asksEmail = (language?: string) =>
  bot({ settings: { general: { language } } }, group("G", say("Your email?"), ask.email()))

describe("2.10 languages", () => {
  it.each(languages)("describes invalid replies in the language of the bot: %s", (own) => {
    talk(asksEmail(own)).bot("Your email?").user("nonsense").bot(retries[own])
  })

  it.each([
    ["of the bot before that of the client", "fr-CA", "de", "fr"],
    ["of the client where the bot says none", undefined, "pt-BR", "pt"],
    ["of the client where the bot says one without texts", "sv", "ja", "ja"],
    ["English without a language", undefined, undefined, "en"],
    ["English for languages without texts", "sv", "nonsense", "en"],
  ] as const)("takes the language %s", (_, own, language, spoken) => {
    talk(asksEmail(own), { language }).bot("Your email?").user("nonsense").bot(retries[spoken])
  })

  it("reads numbers, times and dates in the language of the chat, and shows the saved form", () => {
    const order = bot(
      { settings: { general: { language: "de" } } },
      group(
        "G",
        ask.number({ saves: "N" }),
        ask.time({ saves: "T" }),
        ask.date(),
        say("{{N}} {{T}}"),
      ),
    )
    talk(order)
      .user("1.500")
      .bot("Diese Antwort ist nicht gültig. Bitte versuchen Sie es noch einmal.")
      .user("1.500,50")
      .newFormat("1500.5")
      .user("17 Uhr")
      .newFormat("17:00")
      .user("3. Mai 2026")
      .newFormat("03/05/2026")
      .bot("1500.5 17:00")
  })

  it("keeps the words of the author, for this question and for all", () => {
    const systemMessages = { invalidMessage: "Nope." }
    const own = { retryMessageContent: "An email, please." }
    talk(
      bot(
        { settings: { general: { language: "de", systemMessages } } },
        group("G", ask.email(own), ask.number()),
      ),
    )
      .user("nonsense")
      .bot("An email, please.")
      .user("ann@example.com")
      .user("nonsense")
      .bot("Nope.")
  })

  it("stores the same in every language", () => {
    const flow = bot(
      { settings: { general: { language: "de" } } },
      group("G", ask.date({ isRange: true, saves: "D" })),
    )
    talk(flow).user("2026-03-09 to 2026-03-11").knows("D", "09/03/2026 to 11/03/2026")
  })

  it("says in it that a payment is not possible, and writes the amount as it does", () => {
    const options = { credentialsId: "c", amount: "1234.5", currency: "EUR" }
    const flow = bot(
      { settings: { general: { language: "de" } } },
      group("G", ask.payment(options)),
    )
    const prepared = { intentId: "pi_1", clientSecret: "s", publicKey: "k" }
    let isUp = false
    const paymentIntent = () => (isUp ? prepared : { failed: true as const, description: "Down" })
    const chat = talk(flow, { answers: { paymentIntent } })
    chat
      .bot("Eine Zahlung ist im Moment nicht möglich.")
      .asks("choice input", { items: [{ id: "retry", content: "Erneut versuchen" }] })
    isUp = true
    chat
      .user("Erneut versuchen")
      .asks("payment input", { runtimeOptions: { amountLabel: "1.234,50\u00a0€" } })
      .user("fail")
      .bot("Die Zahlung ist fehlgeschlagen. Bitte versuchen Sie es noch einmal.")
  })

  it("keeps a session without a language unchanged", () => {
    const chat = talk(asksEmail())
    expect("language" in chat.turn.session).toBe(false)
  })
})
