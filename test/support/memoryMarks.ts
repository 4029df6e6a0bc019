/** Scripts that fill the memory of their machine with a mark, and a script that looks for the marks of others. */

/** Each ends with memory full of its global `mark`, a text of Q's. */
export const markingScripts = {
  "a text": "kept = mark.repeat(5e5)",
  "joined texts": "kept = ''; for (let i = 0; i < 2e4; i++) kept += mark + i",
  "a text of wide characters": "kept = (mark + '\\u20ac').repeat(1e5)",
  "many texts": "kept = Array.from({ length: 2e4 }, (_, i) => mark + i)",
  "a list of numbers": `kept = new Array(3e5).fill(new Float64Array(new Uint8Array(8).fill(0x51).buffer)[0])`,
  "a list that grew": "kept = []; for (let i = 0; i < 1e5; i++) kept.push(0x51515151)",
  "a list that shrank": "kept = new Array(3e5).fill(0x51515151); kept.length = 0",
  "names of members": "kept = {}; for (let i = 0; i < 1e4; i++) kept[mark + i] = i",
  symbols: "kept = []; for (let i = 0; i < 1e4; i++) kept.push(Symbol.for(mark + i), Symbol(mark))",
  "a buffer": "kept = new Uint8Array(9e6).fill(0x51)",
  "a buffer that nothing holds": "new Uint8Array(9e6).fill(0x51)",
  "a buffer that is only marked at its end": "new Uint8Array(9e6).fill(0x51, 8e6)",
  "a resizable buffer": `kept = new ArrayBuffer(8e6, { maxByteLength: 9e6 })
    new Uint8Array(kept).fill(0x51); kept.resize(8)`,
  "a buffer handed over": "kept = new Uint8Array(8e6).fill(0x51).buffer.transfer(9e6)",
  "memory beyond the first": "kept = new Uint8Array(15e6).fill(0x51)",
  maps: "kept = new Map(); for (let i = 0; i < 1e4; i++) kept.set(mark + i, new Set([mark]))",
  "large integers":
    "kept = []; for (let i = 0; i < 50; i++) kept.push(BigInt('0x' + '51'.repeat(5e4)))",
  "regular expressions": `kept = []; for (let i = 0; i < 2e3; i++) {
      kept.push(new RegExp("(" + mark + ")" + i)); kept[i].exec(mark + i) }`,
  functions:
    "kept = []; for (let i = 0; i < 2e3; i++) kept.push(new Function('return ' + JSON.stringify(mark)))",
  generators: `kept = []; for (let i = 0; i < 5e3; i++) {
      kept.push((function* (a) { yield a + i })(mark)); kept[i].next() }`,
  recursion:
    "const f = (a, n) => (n ? f(a + 1, n - 1) : a) + 0x51515151; kept = f(0x51515151, 100)",
  JSON: "kept = JSON.parse(JSON.stringify(Array.from({ length: 1e4 }, () => ({ [mark]: mark }))))",
  failures:
    "for (let i = 0; i < 1e3; i++) try { throw new Error(mark + i) } catch (error) { kept = error }",
  "pending promises": `for (let i = 0; i < 1e4; i++) {
      new Promise(() => {}); Promise.resolve(mark + i).then((text) => text) }`,
  "weak references": `kept = []; const registry = new FinalizationRegistry(() => {})
    for (let i = 0; i < 5e3; i++) {
      const held = { mark: mark + i }
      kept.push(new WeakRef(held)); registry.register(held, mark + i) }`,
  "formatted texts":
    "for (let i = 0; i < 50; i++) kept = i.toLocaleString('de') + mark.localeCompare(mark + i)",
  "a global variable": "globalThis[mark] = mark; mark = 7",
  "a failure that ends the script": "kept = new Uint8Array(9e6).fill(0x51); throw new Error(mark)",
}

/** Returns by which means of the language it found memory that is not its own, for every way to get some. */
export const findMarks = `
const found = []
const length = 1e6
const attempt = (name, act) => { try { return act(name) } catch { return undefined } }
const look = (name, view) => {
  const bytes = ArrayBuffer.isView(view)
    ? new Uint8Array(view.buffer, view.byteOffset, view.byteLength) : new Uint8Array(view)
  if (bytes.includes(0x51)) found.push(name)
}
const isBytes = (value) => ArrayBuffer.isView(value) || /ArrayBuffer\\]$/.test(Object.prototype.toString.call(value))
const ways = {
  length: (Made) => new Made(length / (Made.BYTES_PER_ELEMENT ?? 1)),
  "an array-like object": (Made) => new Made({ length: 2e3 }),
  "a buffer": (Made) => new Made(new ArrayBuffer(length)),
  "a buffer that grows with it": (Made) => {
    const buffer = new ArrayBuffer(8, { maxByteLength: length })
    const made = new Made(buffer)
    buffer.resize(length)
    return made
  },
  "resize": (Made) => { const made = new Made(8, { maxByteLength: length }); made.resize(length); return made },
  "resize after a shrink": (Made) => {
    const made = new Made(length, { maxByteLength: length })
    made.resize(8)
    made.resize(length)
    return made
  },
  "grow": (Made) => { const made = new Made(8, { maxByteLength: length }); made.grow(length); return made },
  "transfer": (Made) => new Made(8).transfer(length),
  "transferToFixedLength": (Made) => new Made(8).transferToFixedLength(length),
  "slice": (Made) => new Made(length).slice(8),
  "slice of a species": (Made) => {
    class Other extends Made { static get [Symbol.species]() { return Made } }
    return new Other(length).slice(8)
  },
  "from": (Made) => Made.from({ length: 2e3 }),
  "copies": (Made) => new Made(2e3).toReversed().toSorted().with(0, 0),
  "map": (Made) => new Made(2e3).map(() => 0),
  "filter": (Made) => new Made(2e3).filter(() => true),
  "copyWithin": (Made) => new Made(2e3).copyWithin(8, 0),
  "Reflect.construct": (Made) => Reflect.construct(Made, [length], Object),
}
for (const global of Reflect.ownKeys(globalThis)) {
  const Made = globalThis[global]
  if (typeof Made !== "function" || !attempt(global, () => isBytes(new Made(8)))) continue
  for (const way in ways) attempt(String(global) + ": " + way, (name) => {
    const made = ways[way](Made)
    if (isBytes(made)) look(name, made)
  })
}
const lists = {
  "new Array": () => new Array(2e3),
  "length": () => { const list = []; list.length = 2e3; return list },
  "a distant element": () => { const list = []; list[1999] = undefined; return list },
  "Array.from": () => Array.from({ length: 2e3 }),
  "Array.from a list": () => Array.from(new Array(2e3)),
  "slice": () => new Array(2e3).slice(),
  "concat": () => [].concat(new Array(2e3)),
  "splice": () => new Array(2e3).splice(0),
  "copyWithin": () => new Array(2e3).copyWithin(8, 0),
  "flat": () => [new Array(2e3)].flat(),
  "toReversed": () => new Array(2e3).toReversed(),
  "toSorted": () => new Array(2e3).toSorted(),
  "sort": () => new Array(2e3).sort(),
  "with": () => new Array(2e3).with(0, undefined),
  "toSpliced": () => new Array(2e3).toSpliced(0, 1),
  "spread": () => [...new Array(2e3)],
  "arguments": () => (function () { return Array.from(arguments) })(...new Array(1e4)),
  "values": () => Object.values(new Array(2e3)),
  "iterated": () => [...new Array(2e3).values()],
  "unset variables": () => { let a, b, c; var d, e, f; return [a, b, c, d, e, f] },
}
for (const name in lists) attempt(name, () => {
  const list = lists[name]()
  for (let i = 0; i < list.length; i++) if (list[i] !== undefined) { found.push("list: " + name); break }
})
const texts = {
  "join": () => new Array(2e3).join(""),
  "join with a comma": () => new Array(2e3).join(),
  "String": () => String(new Array(2e3)),
  "JSON": () => JSON.stringify(new Array(2e3)),
  "repeat": () => "x".repeat(2e3),
  "padStart": () => "x".padStart(2e3),
  "padEnd": () => "x".padEnd(2e3, "ab"),
  "concat": () => "".concat(...new Array(1e3)),
  "template": () => String.raw({ raw: new Array(2e3) }, ...new Array(1e3)),
  "fromCharCode": () => String.fromCharCode(...new Array(1e4)),
  "replaceAll": () => "x".repeat(2e3).replaceAll("x", "yy"),
  "split and join": () => "x".repeat(2e3).split("").join("-"),
  "upper case": () => "x".repeat(2e3).toUpperCase(),
  "normalize": () => "\\u0065\\u0301".repeat(1e4).normalize("NFC"),
  "encodeURI": () => encodeURIComponent("\\u20ac".repeat(1e4)),
  "escape": () => unescape(escape("\\u20ac".repeat(1e4))),
  "numbers": () => (2 ** 1000).toString(2) + (0.1).toFixed(100) + 1e300.toLocaleString("de"),
  "large integers": () => (2n ** 9999n).toString(16),
  "dates": () => new Date(0).toString() + new Date(NaN) + new Date(0).toLocaleString("de"),
  "failures": () => { try { null.x } catch (error) { return error.stack + error.message + error.name } },
  "source text": () => Function.prototype.toString.call(() => 1) + new Function("return 1"),
  "the last match": () => ["$&", "$_", "$1", "lastMatch", "input"].map((name) => RegExp[name]).join(),
  "globals": () => Reflect.ownKeys(globalThis).map(String).join(),
  "symbols": () => [Symbol.keyFor(Symbol.for("a")), Symbol().description].join(),
}
for (const name in texts) attempt(name, () => {
  const text = texts[name]()
  if (text.includes("Q".repeat(4)) || text.includes("\\u5151")) found.push("text: " + name)
})
return found
`
