/** Stored credentials of Google accounts, one of each kind. */
import { generateKeyPairSync } from "node:crypto"
import type { Renewable } from "../../src/effects/google/googleAuth.ts"

/** A user who has granted this service access. */
export const userAccount: Renewable = {
  id: "user",
  type: "google sheets",
  data: { refresh_token: "1//refresh-secret" },
}

/** A service account with a key of its own. */
export const serviceAccount: Renewable = {
  id: "service",
  type: "google sheets",
  data: { client_email: "bot@project.iam.gserviceaccount.com", private_key: rsaKey() },
}

function rsaKey(): string {
  return generateKeyPairSync("rsa", {
    modulusLength: 2048,
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
    publicKeyEncoding: { type: "spki", format: "pem" },
  }).privateKey
}
