/** Loads pictures before their message is shown, so that nothing moves when they appear. */
import type { ChatMessage } from "../payload.ts"
import { mediaAddress } from "../richText/address.ts"

/** How long to wait for a picture; one that loads later appears in a frame of a default shape. */
const maxWaitMs = 4_000

type Size = { width: number; height: number }

const sizes = new Map<string, Size>()

/** The size of a picture, if it has been loaded. */
export function sizeOf(address: string): Size | undefined {
  return sizes.get(address)
}

/** Resolves when the picture of a message is loaded or takes too long. */
export async function prepareMedia(message: ChatMessage): Promise<void> {
  const address = message.type === "image" ? mediaAddress(message.content.url) : undefined
  if (!address || sizes.has(address)) return
  const picture = new Image()
  picture.src = address
  const loaded = picture.decode().then(
    () => sizes.set(address, { width: picture.naturalWidth, height: picture.naturalHeight }),
    () => {},
  )
  await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, maxWaitMs))])
}
