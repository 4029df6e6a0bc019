/** What the pages of the guide do: one language for all examples, copying, and where the reader is. */
const key = "parley-docs-language"

function choose(language) {
  for (const input of document.querySelectorAll(`.tabs input[value="${language}"]`))
    input.checked = true
}

function remembered() {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

document.addEventListener("change", ({ target }) => {
  if (!target.matches(".tabs input")) return
  const before = target.getBoundingClientRect().top
  choose(target.value)
  // Examples above may be longer now: what was clicked stays where it is.
  scrollBy({ top: target.getBoundingClientRect().top - before, behavior: "instant" })
  try {
    localStorage.setItem(key, target.value)
  } catch {
    // Browsers that store nothing forget the choice.
  }
})

choose(remembered() ?? "sh")

for (const code of document.querySelectorAll(".code:not(.prints)")) {
  const button = document.createElement("button")
  button.className = "copy"
  button.type = "button"
  button.textContent = "Copy"
  button.addEventListener("click", async () => {
    const shown = [...code.querySelectorAll("pre")].find((pre) => pre.checkVisibility())
    await navigator.clipboard.writeText(`${shown.textContent}\n`)
    button.textContent = "Copied"
    setTimeout(() => {
      button.textContent = "Copy"
    }, 1500)
  })
  code.append(button)
}

// The heading that is read is marked in the list beside the page.
const links = new Map(
  [...document.querySelectorAll("aside a")].map((link) => [link.hash.slice(1), link]),
)
const headings = [...links.keys()].map((id) => document.getElementById(id))

function mark() {
  const read =
    headings.findLast((heading) => heading.getBoundingClientRect().top < 120) ?? headings[0]
  for (const [id, link] of links) link.classList.toggle("read", id === read?.id)
}

addEventListener("scroll", mark, { passive: true })
mark()
