/** Files of end users: far too many, of false sizes, under false names. */
import { ask, type Got } from "../ask.ts"
import { type Attack, bounded, type Judge, refused, served } from "../attack.ts"
import { atOnce } from "../floods.ts"
import { block, flowOf } from "../flow.ts"
import type { Target } from "../target.ts"

const megabyte = 1024 * 1024

/** Leave to upload, as the service gives it. */
type Leave = { presignedUrl: string; formData: Record<string, string>; fileUrl: string }

const askingForFile = () =>
  flowOf([{ ...block("file input", { isMultipleAllowed: true }), id: "files" }])

async function openChat(target: Target): Promise<string> {
  const { publicId } = await target.publish("files", askingForFile)
  const path = `/api/v1/bots/${publicId}/startChat`
  const { text } = await ask(target.address, { path, body: {} })
  return /"sessionId":"([^"]+)"/.exec(text)?.[1] ?? ""
}

const prepare = (target: Target, sessionId: string, more: object = {}) =>
  ask(target.address, {
    path: "/api/v1/generate-upload-url",
    body: { sessionId, blockId: "files", fileName: "a.png", fileType: "image/png", ...more },
  })

/** Sends bytes to where the leave says, on this service whatever its public name. */
function upload(target: Target, { presignedUrl, formData }: Leave, bytes: Buffer): Promise<Got> {
  const { pathname, search } = new URL(presignedUrl)
  const boundary = "----siege"
  const field = (name: string, more: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n`
  const fields = Object.entries(formData).map(([name, value]) => `${field(name, "")}${value}\r\n`)
  const before = `${fields.join("")}${field("file", '; filename="a.png"')}`
  const body = Buffer.concat([Buffer.from(before), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` }
  return ask(target.address, { path: pathname + search, body, headers })
}

async function uploadOne(target: Target, sessionId: string, size: number): Promise<Got> {
  const prepared = await prepare(target, sessionId)
  if (prepared.status !== 200) return prepared
  return upload(target, JSON.parse(prepared.text) as Leave, Buffer.alloc(size, 1))
}

const alone =
  (work: (target: Target, sessionId: string) => Promise<Got>): Attack["run"] =>
  async (target) =>
    work(target, await openChat(target))

/** Begins with leave to upload one file. */
const withLeave = (work: (target: Target, leave: Leave) => Promise<Got>): Attack["run"] =>
  alone(async (target, sessionId) => {
    const { text } = await prepare(target, sessionId)
    return work(target, JSON.parse(text) as Leave)
  })

const attack = (name: string, judge: Judge, run: Attack["run"], crowd = 1): Attack => ({
  name,
  door: "uploads",
  run,
  judge,
  crowd,
})

export const uploadAttacks: Attack[] = [
  attack(
    "30 × 10 MB in one session",
    refused(400, 403, 409, 413, 429, 503),
    alone(async (target, sessionId) => {
      const got = await atOnce(30, () => uploadOne(target, sessionId, 10 * megabyte - 1))
      // One of them at least is too much.
      return got.find(({ status }) => status >= 400) ?? worst(got)
    }),
  ),
  attack(
    "larger than it may be",
    refused(413, 400),
    alone((target, sessionId) => uploadOne(target, sessionId, 11 * megabyte)),
    4,
  ),
  attack(
    "size that is not a number",
    bounded,
    alone((target, sessionId) => prepare(target, sessionId, { fileSize: 1e308 })),
    4,
  ),
  attack(
    "name that leads elsewhere",
    (got) => (/\.\.|passwd|\.php/.test(got.text) ? "the name was taken" : bounded(got)),
    alone((target, sessionId) =>
      prepare(target, sessionId, { fileName: "../../../etc/passwd\u0000.php", fileType: null }),
    ),
    4,
  ),
  attack(
    "page instead of a picture",
    (got) => (/text\/html/.test(got.text) ? "the page would be shown" : bounded(got)),
    alone((target, sessionId) =>
      prepare(target, sessionId, { fileName: "a.html", fileType: "text/html" }),
    ),
    4,
  ),
  attack(
    "the same leave twice",
    refused(409, 403),
    withLeave(async (target, leave) => {
      await upload(target, leave, Buffer.from("a"))
      return upload(target, leave, Buffer.from("b"))
    }),
    4,
  ),
  attack(
    "forged leave",
    refused(403, 404),
    withLeave((target, leave) => {
      const presignedUrl = leave.presignedUrl.replace(/=([^&]*)$/, "=forged")
      return upload(target, { ...leave, presignedUrl }, Buffer.from("a"))
    }),
    4,
  ),
  attack(
    "form of 10,000 fields",
    bounded,
    withLeave((target, leave) => {
      const formData = Object.fromEntries(
        Array.from({ length: 10_000 }, (_, index) => [`field${index}`, "x".repeat(500)]),
      )
      return upload(target, { ...leave, formData }, Buffer.from("a"))
    }),
    4,
  ),
  attack(
    "3,000 ranges of a file",
    bounded,
    withLeave(async (target, leave) => {
      await upload(target, leave, Buffer.alloc(megabyte, 1))
      const range = `bytes=${"0-,".repeat(3_000)}0-`
      const path = new URL(leave.fileUrl).pathname
      return ask(target.address, { path, headers: { range } })
    }),
    4,
  ),
  attack(
    "300 leaves that are never used",
    bounded,
    alone(async (target, sessionId) => worst(await atOnce(300, () => prepare(target, sessionId)))),
  ),
  {
    ...attack(
      "honest picture",
      served,
      alone((target, sessionId) => uploadOne(target, sessionId, 200_000)),
      4,
    ),
    isControl: true,
  },
]

function worst(all: readonly Got[]): Got {
  const found = all.find((each) => bounded(each) !== undefined) ?? all[0]
  if (!found) throw new Error("Nothing was sent")
  return found
}
