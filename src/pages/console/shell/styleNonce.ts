/** What the policy of the page asks of styles that scripts add. */
export const styleNonce = document.querySelector<HTMLScriptElement>("script[nonce]")?.nonce ?? ""

// Where the kit's dialogs look for it.
Object.assign(globalThis, { __webpack_nonce__: styleNonce })
