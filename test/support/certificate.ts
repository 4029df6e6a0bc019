/** Makes self-signed certificates, a new one for each test: RFC 5280 in DER (X.690). */
import { generateKeyPairSync, sign } from "node:crypto"

/** The key and the certificate of a TLS server, as PEM. */
export type SelfSigned = { cert: string; key: string }

/** Makes a certificate of 127.0.0.1 that signs itself and is valid until a time. */
export function selfSigned({ until }: { until: Date }): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const name = sequence(set(sequence(commonName, der(0x0c, Buffer.from("127.0.0.1")))))
  const certified = sequence(
    // Version 3.
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time(new Date("2020-01-01")), time(until)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(sequence(subjectAltName, der(0x04, sequence(der(0x87, loopback)))))),
  )
  const signature = sign("sha256", certified, privateKey)
  const whole = sequence(certified, ecdsaWithSha256, der(0x03, Buffer.from([0]), signature))
  const lines = whole.toString("base64").match(/.{1,64}/g) ?? []
  return {
    cert: ["-----BEGIN CERTIFICATE-----", ...lines, "-----END CERTIFICATE-----", ""].join("\n"),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
  }
}

const loopback = Buffer.from([127, 0, 0, 1])
const commonName = Buffer.from("0603550403", "hex")
const subjectAltName = Buffer.from("0603551d11", "hex")
const ecdsaWithSha256 = sequence(Buffer.from("06082a8648ce3d040302", "hex"))

/** A tag, the length of the contents, and the contents. */
function der(tag: number, ...contents: Buffer[]): Buffer {
  const body = Buffer.concat(contents)
  const { length: size } = body
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

function sequence(...contents: Buffer[]): Buffer {
  return der(0x30, ...contents)
}

function set(...contents: Buffer[]): Buffer {
  return der(0x31, ...contents)
}

/** UTCTime: of years below 2050. */
function time(at: Date): Buffer {
  return der(0x17, Buffer.from(`${at.toISOString().slice(2, 19).replace(/\D/g, "")}Z`))
}
