/** Marks the parts of code for colours: comments, texts, numbers and keywords of four languages. */

const text = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`/.source
const shellText = /"(?:\\.|[^"\\])*"|'[^']*'/.source
const scriptWords =
  "async|await|break|catch|const|default|do|else|export|for|from|function|if|import|let|new|of|return|throw|true|false|null|undefined|try|type|typeof|void|while|yield"
const pythonWords =
  "and|as|async|await|break|class|def|else|except|False|for|from|if|import|in|is|lambda|None|not|or|pass|raise|return|True|try|while|with|yield"
const shellWords = "case|do|done|else|esac|export|fi|for|if|in|then|until|while"

/** The pattern of a language: a comment, a text, a number or a keyword. */
function patternOf(comment: string, texts: string, words: string): RegExp {
  return new RegExp(
    `(?<comment>${comment})|(?<text>${texts})|(?<number>\\b\\d[\\d_.]*\\b)|(?<word>\\b(?:${words})\\b)`,
    "gm",
  )
}

const script = patternOf("//.*$", text, scriptWords)

const patterns: Readonly<Record<string, RegExp>> = {
  js: script,
  ts: script,
  json: patternOf("(?!)", text, "true|false|null"),
  python: patternOf("(?<![\\w\"'])#.*$", text, pythonWords),
  sh: patternOf("(?<=^|\\s)# .*$", shellText, shellWords),
}

/** Code as HTML, with a class for each marked part. */
export function highlight(
  code: string,
  language: string,
  escapeHtml: (text: string) => string,
): string {
  const pattern = patterns[language]
  if (pattern === undefined) return escapeHtml(code)
  let [html, end] = ["", 0]
  for (const { 0: found, index, groups = {} } of code.matchAll(pattern)) {
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    html += `${escapeHtml(code.slice(end, index))}<span class="${kind}">${escapeHtml(found)}</span>`
    end = index + found.length
  }
  return html + escapeHtml(code.slice(end))
}
