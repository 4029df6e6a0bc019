/** What the policy of the page asks of styles that scripts add. */
export const styleNonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""
