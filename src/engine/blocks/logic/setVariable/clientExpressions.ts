/** What only the client knows, as JavaScript for it to evaluate. */

/** By the clock of the client: `morning`, `afternoon` or `evening`. */
export const momentOfTheDay = `const hours = new Date().getHours()
if (hours < 12) return "morning"
if (hours < 18) return "afternoon"
return "evening"`

/** By the description that a browser gives of itself: `desktop`, `tablet` or `mobile`. */
export const deviceType = `const agent = navigator.userAgent
const isTouchMac = /Macintosh/.test(agent) && navigator.maxTouchPoints > 1
if (isTouchMac || /iPad|Tablet|PlayBook|Silk|Android(?!.*Mobile)/i.test(agent)) return "tablet"
if (/Mobi|iPhone|iPod|Android|BlackBerry|IEMobile|Opera Mini/i.test(agent)) return "mobile"
return "desktop"`
