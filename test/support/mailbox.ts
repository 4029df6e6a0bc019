/** A mail server for the file that opens it, which keeps what it gets. */
import type { AddressInfo } from "node:net"
import { SMTPServer } from "smtp-server"
import { whenOver } from "./whenOver.ts"

/** A mail, as it came. */
type Mail = { to: string; text: string }

/** Opens a mail server that takes everything, but for addresses that begin with the status of a refusal: `550-…`. */
export async function openMailbox(): Promise<{ url: string; mails: Mail[] }> {
  const mails: Mail[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo({ address }, _session, done) {
      const status = Number(/^([45]\d\d)-/.exec(address)?.[1] ?? 250)
      done(status === 250 ? null : Object.assign(new Error("Refused"), { responseCode: status }))
    },
    onData(stream, { envelope }, done) {
      let text = ""
      stream.on("data", (part: Buffer) => {
        text += part.toString()
      })
      stream.on("end", () => {
        mails.push({ to: envelope.rcptTo[0]?.address ?? "", text })
        done()
      })
    },
  })
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve))
  whenOver(() => new Promise<void>((resolve) => smtp.close(resolve)))
  const { port } = smtp.server.address() as AddressInfo
  return { url: `smtp://127.0.0.1:${port}`, mails }
}
