/** Opens another page, in this tab or a new one. */
import { linkAddress } from "../richText/address.ts"
import type { Talk } from "../talk/talk.ts"

/** Opens an address. If the browser blocks a new tab, the chat shows a button for it. */
export function openPage(talk: Talk, url: string | undefined, isNewTab: boolean): void {
  const address = linkAddress(url)
  if (!address) return
  if (!isNewTab) {
    window.location.assign(address)
    return
  }
  // With the feature `noopener` the result would always be null, so the opener is removed afterwards.
  const opened = window.open(address, "_blank")
  if (opened) opened.opener = null
  else talk.store.change({ blockedUrl: address })
}
