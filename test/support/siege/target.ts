/** What is attacked: a running service, and what was set up in it beforehand. */

import type { Got } from "./ask.ts"

/** A service under attack. */
export type Target = {
  address: string
  /** Of an author who is a tenant like any other. */
  token: string
  /** Bot of honest users, which attackers may talk to as well. */
  honestPublicId: string
  /** A server of the attackers that flows may call. */
  upstreamUrl: string
  /** What was sent to that server since this was asked last: headers and bodies. */
  heard(): string
  /** Publishes a flow; the same name is published once. Rejects with a Refusal. */
  publish(name: string, flow: () => object): Promise<Published>
  /** A bot whose flow uses a credential with that secret; somebody else's token may read it. */
  secretBot(): Promise<SecretBot>
}

/** A bot that can be talked to. */
export type Published = { botId: string; publicId: string }

/** Stands in flows for the address of the attackers' server. */
export const upstreamMark = "http://upstream.siege"

/** An answer that says that a flow was not published. */
export class Refusal extends Error {
  override name = "Refusal"
  readonly got: Got

  constructor(got: Got) {
    super(`The flow was not published: ${got.text.slice(0, 300)}`)
    this.got = got
  }
}

/** A bot with a credential whose secret must not leave. */
export type SecretBot = {
  botId: string
  publicId: string
  credentialsId: string
  secret: string
  /** Of a collaborator who may read the bot; absent where none could be made. */
  readerToken: string | undefined
}
