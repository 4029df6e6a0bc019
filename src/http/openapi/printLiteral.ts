/** Prints a value of JSON as a literal of a language, on one line where it fits. */

/** Longest line that holds a whole list or object. */
const columns = 60

type Language = "json" | "js" | "python"

/** Prints a value; what does not fit on a line has a line for each member. */
export function printLiteral(value: unknown, language: Language, indent = ""): string {
  if (typeof value !== "object" || value === null) return printScalar(value, language)
  const deeper = indent + (language === "python" ? "    " : "  ")
  const isList = Array.isArray(value)
  const members = Object.entries(value).map(([name, member]) => {
    const printed = printLiteral(member, language, deeper)
    return isList ? printed : `${printName(name, language)}: ${printed}`
  })
  const [open, close] = isList ? ["[", "]"] : ["{", "}"]
  const space = isList || members.length === 0 || language === "python" ? "" : " "
  const line = `${open}${space}${members.join(", ")}${space}${close}`
  if (indent.length + line.length <= columns && !line.includes("\n")) return line
  return `${open}\n${members.map((member) => deeper + member).join(",\n")}\n${indent}${close}`
}

function printName(name: string, language: Language): string {
  return language === "js" && /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function printScalar(value: unknown, language: Language): string {
  const words: Readonly<Record<string, string>> = { true: "True", false: "False", null: "None" }
  const printed = JSON.stringify(value) ?? "null"
  return language === "python" ? (words[printed] ?? printed) : printed
}
