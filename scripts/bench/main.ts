/** Runs one bench by its name: `npm run bench chat`. */

const benches = [
  "canvas",
  "chat",
  "console",
  "import",
  "longChat",
  "numbers",
  "start",
  "worstRequests",
]

const [name = ""] = process.argv.slice(2)
if (!benches.includes(name)) {
  console.error(`Usage: npm run bench <${benches.join(" | ")}>`)
  process.exit(2)
}
const bench: { run(): Promise<void> | void } = await import(`./${name}.ts`)
await bench.run()
