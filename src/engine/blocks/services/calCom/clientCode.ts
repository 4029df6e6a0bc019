/** JavaScript that the client runs around a Cal.com calendar (its embed API, version 1). */

/** Shows the calendar in `typebotElement`; the other names are arguments. */
export const initCode = `if (!window.Cal) {
  const queue = []
  const cal = function () { queue.push(arguments) }
  cal.ns = {}
  cal.q = queue
  cal.loaded = true
  window.Cal = cal
  const script = document.createElement("script")
  script.src = baseUrl + "/embed/embed.js"
  script.async = true
  document.head.append(script)
}
const given = (members) =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value))
window.Cal("init", { origin: baseUrl })
window.Cal("inline", {
  elementOrSelector: typebotElement,
  calLink: link,
  layout,
  config: {
    layout,
    ...given({ name, email, notes: additionalNotes, phone, attendeePhoneNumber: phone }),
    ...(otherPrefilledInformations || {}),
  },
})`

/** Calls `continueFlow` with the date, once something is booked. */
export const waitCode = `let isBooked = false
window.Cal("on", {
  action: "bookingSuccessful",
  callback: (event) => {
    if (isBooked) return
    isBooked = true
    const data = event.detail.data || {}
    continueFlow(data.date || (data.booking && data.booking.startTime))
  },
})`
