/** Opens another page, in this tab or in a new one. */
import { linkAddress } from "../richText/address.ts"
import type { Talk } from "../talk/talk.ts"

/** A new tab that the browser does not allow is offered as a button. */
export function openPage(talk: Talk, url: string | undefined, isNewTab: boolean): void {
  const address = linkAddress(url)
  if (!address) return
  if (!isNewTab) {
    window.location.assign(address)
    return
  }
  // With `noopener` among the features the answer is always null, so the opener is taken away after.
  const opened = window.open(address, "_blank")
  if (opened) opened.opener = null
  else talk.store.change({ blockedUrl: address })
}
