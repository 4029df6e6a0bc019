/** Finds out from where the script of the embed was loaded. */

/**
 * The origin of the script; undefined where the page has it inline or in a bundle of its own. One file is both a
 * classic script and a module, so it cannot say `import.meta.url`, which classic scripts do not parse: the
 * stack of an error names the same address in every browser.
 */
export function scriptOrigin(stack = new Error().stack ?? ""): string | undefined {
  const { currentScript } = document
  if (currentScript instanceof HTMLScriptElement && currentScript.src !== "") {
    return new URL(currentScript.src).origin
  }
  const [address] = /\bhttps?:\/\/[^\s()@]+\/embed\.js\b/.exec(stack) ?? []
  return address && new URL(address).origin
}
