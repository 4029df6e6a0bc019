/** Signs forms with which browsers upload one object (Amazon S3 API, "POST policy", signature version 4). */
import { createHmac } from "node:crypto"

type PolicySigner = { accessKeyId: string; secretAccessKey: string; region: string }

/** What the form can upload. */
type PostLimits = {
  bucket: string
  key: string
  contentType: string
  maxBytes: number
  seconds: number
}

/** The fields of the form. The signature covers key, type and size. */
export function signPost(
  signer: PolicySigner,
  { bucket, key, contentType, maxBytes, seconds }: PostLimits,
  now: Date,
): Record<string, string> {
  const stamp = now.toISOString().replace(/[-:]|\.\d+/g, "")
  const day = stamp.slice(0, 8)
  const fields = {
    key,
    "Content-Type": contentType,
    "x-amz-algorithm": "AWS4-HMAC-SHA256",
    "x-amz-credential": `${signer.accessKeyId}/${day}/${signer.region}/s3/aws4_request`,
    "x-amz-date": stamp,
  }
  const policy = JSON.stringify({
    expiration: new Date(now.getTime() + seconds * 1000).toISOString(),
    conditions: [
      { bucket },
      ...Object.entries(fields).map(([field, value]) => ({ [field]: value })),
      ["content-length-range", 0, maxBytes],
    ],
  })
  const encoded = Buffer.from(policy).toString("base64")
  return { ...fields, policy: encoded, "x-amz-signature": signPolicy(signer, day, encoded) }
}

/** Signs an encoded policy on a day such as `20151229`; in hexadecimal. */
export function signPolicy(
  { secretAccessKey, region }: PolicySigner,
  day: string,
  encoded: string,
): string {
  const key = [day, region, "s3", "aws4_request"].reduce<Buffer>(
    (signer, part) => createHmac("sha256", signer).update(part).digest(),
    Buffer.from(`AWS4${secretAccessKey}`),
  )
  return createHmac("sha256", key).update(encoded).digest("hex")
}
