/** What each generator must be told: how it is installed, generates, compiles and walks. */

/** A place to work in. */
export type Place = {
  /** Empty at first. */
  folder: string
  /** Path of the document. */
  document: string
  /** Where the service listens. */
  address: string
}

/** A generator of clients. */
export type Generator = {
  name: string
  version: string
  /** Rejects with a sentence when something cannot be had. */
  install(): Promise<unknown>
  generate(place: Place): Promise<unknown>
  compile(place: Place): Promise<unknown>
  /** Walks with the generated client; resolves to what the walk printed. */
  walk(place: Place, words: readonly string[]): Promise<string>
  /** Failures that are bugs of the generator: how they show, and what is known of them. */
  bugs?: readonly { sign: RegExp; words: string }[]
}
