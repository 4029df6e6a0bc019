/** Recognises the service that a video's address belongs to. */

import { defined } from "../../../../lib/presentMembers.ts"
import type { videoServices } from "../../../payload.ts"

/** A video for its player: the recognised address without scheme, and the id in it. */
type DetectedVideo = {
  type: (typeof videoServices)[number]
  url: string
  id?: string
  /** Query for the player, with its question mark. */
  queryParamsStr?: string
}

// Group 1 is the id, group 2 the query. Unlisted videos of Vimeo need its `h`.
const services = [
  {
    type: "youtube",
    address: /youtube\.com\/(?:watch\?(?:[^#\s]{0,200}&)?v=|shorts\/|live\/|embed\/)([\w-]+)/,
  },
  { type: "youtube", address: /youtu\.be\/([\w-]+)(\?[^#\s]+)?/ },
  { type: "vimeo", address: /vimeo\.com\/(?:video\/)?(\d+)(\?h=\w+)?/ },
  { type: "tiktok", address: /tiktok\.com\/@[^/?#\s]+\/video\/(\d+)/ },
  { type: "gumlet", address: /gumlet\.(?:com|tv)\/watch\/([\w-]+)/ },
] as const

/** The video at an address; for an unknown service, the type `url` and the address itself. */
export function detectService(url: string): DetectedVideo {
  for (const { type, address } of services) {
    const match = address.exec(url)
    if (!match) continue
    const [found, id, query] = match
    // Links to YouTube use `t`, its embedded player `start`.
    const queryParamsStr = query?.replace(/([?&])t=/g, "$1start=")
    return { type, url: found, ...defined({ id, queryParamsStr }) }
  }
  const isOneDrive = /^https?:\/\/onedrive\.live\.com\/embed/.test(url)
  return { type: "url", url: isOneDrive ? url.replace("/embed", "/download") : url }
}
