/** JavaScript that opens the widget of Zendesk (its Web Widget for messaging). */

/** Arguments: `isAuthEnabled` ("true" or "false"), `token` and `key`. */
export const openCode = `const open = () => {
  if (isAuthEnabled === "true" && token) {
    window.zE("messenger", "loginUser", (answer) => answer(token))
  }
  window.zE("messenger", "show")
  window.zE("messenger", "open")
}
if (window.zE) open()
else {
  const script = document.createElement("script")
  script.id = "ze-snippet"
  script.src = "https://static.zdassets.com/ekr/snippet.js?key=" + encodeURIComponent(key)
  script.onload = open
  document.head.append(script)
}`
