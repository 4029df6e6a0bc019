/** The one form in which hosts are kept and compared. */

/** Max length of a host name, in letters of any alphabet. */
const maxHostLength = 255

/**
 * A host, with or without a port, in lower case, with international names in ASCII, and without the dot of
 * the root: `Ä.Example.` is `xn--4ca.example`. A text that is no host stays as it is, in lower case.
 */
export function plainHost(host: string): string {
  const [, name = host, port = ""] = /^(.*[^:])(:\d{1,5})$/s.exec(host) ?? []
  return inAscii(name).replace(/\.$/, "").toLowerCase() + port
}

function inAscii(name: string): string {
  const isForeign = /\P{ASCII}/u.test(name) && name.length <= maxHostLength
  // The parser would take the rest for a path, a port or a user.
  if (!isForeign || /[\s/\\?#@:[\]]/.test(name)) return name
  const address = `http://${name}`
  return URL.canParse(address) ? new URL(address).hostname : name
}
