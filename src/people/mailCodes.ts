/** Sign-in codes by mail. Answers never reveal which addresses have an account. */
import { createHmac, randomInt, timingSafeEqual } from "node:crypto"
import type { Db } from "../db/connection/openDatabase.ts"
import { attemptSignInCode, saveSignInCode, takeSignInCode } from "../db/people/signInCodes.ts"
import { type MailServer, sendBySmtp } from "../effects/mail/smtp.ts"
import { isFailure } from "../engine/calls.ts"
import type { Log } from "../telemetry/log.ts"
import { isKnownAddress } from "./signIn.ts"

const codeSeconds = 600
const sendMs = 60_000
/** An address gets so many codes an hour, and each code takes so many attempts: 25 of a hundred million. */
const maxCodes = 5
const maxAttempts = 5
const digits = 8

type MailCodesDeps = {
  db: Db
  log: Log
  server: MailServer
  /** Codes are short, so that their hashes alone would give them away. */
  key: Buffer
  /** Where people enter the code. */
  publicUrl: string
}

export type MailCodes = ReturnType<typeof openMailCodes>

export function openMailCodes({ db, log, server, key, publicUrl }: MailCodesDeps) {
  const hashOf = (email: string, code: string) =>
    createHmac("sha256", key)
      .update(JSON.stringify([email, code]))
      .digest()
  const sending = new Set<Promise<void>>()

  const sendTo = async (email: string): Promise<void> => {
    if (!(await isKnownAddress(db, email))) return
    const code = String(randomInt(10 ** digits)).padStart(digits, "0")
    const isSaved = await saveSignInCode(db, {
      email,
      codeHash: hashOf(email, code),
      seconds: codeSeconds,
      most: maxCodes,
    })
    if (!isSaved) return log.warn("An address was refused further codes to sign in for an hour")
    const signal = AbortSignal.timeout(sendMs)
    const sent = await sendBySmtp(server, mailWith(email, code, publicUrl), { signal })
    if (!isFailure(sent)) return
    // Servers repeat whom they refuse.
    const details = sent.details?.replaceAll(email, "…")
    log.error({ why: sent.description, details }, "A code to sign in was not sent")
  }
  return {
    /** Sends a code to an address that may sign in, and does nothing for others; the caller need not wait. */
    send(email: string) {
      const work: Promise<void> = sendTo(email)
        .catch((error: unknown) => log.error({ err: error }, "A code to sign in was not sent"))
        .finally(() => sending.delete(work))
      sending.add(work)
    },
    /** Takes a code away, once, if it is right. Every other outcome looks the same. */
    async redeem(email: string, code: string) {
      const expected = await attemptSignInCode(db, { email, most: maxAttempts })
      const codeHash = hashOf(email, code.replaceAll(/\s/g, ""))
      const isRight = timingSafeEqual(codeHash, expected ?? Buffer.alloc(codeHash.length))
      return isRight && (await takeSignInCode(db, { email, codeHash }))
    },
    /** Resolves once everything that was asked for is sent. */
    async close() {
      await Promise.all(sending)
    },
  }
}

function mailWith(email: string, code: string, publicUrl: string) {
  const { host } = new URL(publicUrl)
  return {
    to: [email],
    subject: `${code} is your code for ${host}`,
    text:
      `Your code to sign in at ${publicUrl} is ${code}.\n\n` +
      "It works once, within ten minutes. If you have not asked for it, another person has typed your " +
      "address: you need not do anything, and should not pass it on.\n",
    files: [],
    attachesOnlyUploads: false,
  }
}
