/** Tests that forms are signed as object stores expect. */
import { expect, test } from "vitest"
import { signPolicy, signPost } from "./postPolicy.ts"

const signer = {
  accessKeyId: "AKIAIOSFODNN7EXAMPLE",
  secretAccessKey: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
  region: "us-east-1",
}

test("signs the example of the Amazon S3 manual as it does", () => {
  const lines = [
    '{ "expiration": "2015-12-30T12:00:00.000Z",',
    '  "conditions": [',
    '    {"bucket": "sigv4examplebucket"},',
    '    ["starts-with", "$key", "user/user1/"],',
    '    {"acl": "public-read"},',
    '    {"success_action_redirect": "http://sigv4examplebucket.s3.amazonaws.com/successful_upload.html"},',
    '    ["starts-with", "$Content-Type", "image/"],',
    '    {"x-amz-meta-uuid": "14365123651274"},',
    '    {"x-amz-server-side-encryption": "AES256"},',
    '    ["starts-with", "$x-amz-meta-tag", ""],',
    "",
    '    {"x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20151229/us-east-1/s3/aws4_request"},',
    '    {"x-amz-algorithm": "AWS4-HMAC-SHA256"},',
    '    {"x-amz-date": "20151229T000000Z" }',
    "  ]",
    "}",
  ]
  const encoded = Buffer.from(lines.join("\r\n")).toString("base64")
  expect(signPolicy(signer, "20151229", encoded)).toBe(
    "8afdbf4008c03f22c2cd3cdb72e4afbb1f6a588f3255ac628749a66d7f09699e",
  )
})

test("binds key, type, size and time", () => {
  const limits = { bucket: "b", key: "k/1.png", contentType: "image/png", maxBytes: 9, seconds: 60 }
  const fields = signPost(signer, limits, new Date("2026-01-02T03:04:05.678Z"))
  const { policy = "", ...others } = fields
  expect(others).toMatchObject({
    key: "k/1.png",
    "Content-Type": "image/png",
    "x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20260102/us-east-1/s3/aws4_request",
    "x-amz-date": "20260102T030405Z",
    "x-amz-signature": signPolicy(signer, "20260102", policy),
  })
  expect(JSON.parse(Buffer.from(policy, "base64").toString())).toEqual({
    expiration: "2026-01-02T03:05:05.678Z",
    conditions: [
      { bucket: "b" },
      { key: "k/1.png" },
      { "Content-Type": "image/png" },
      { "x-amz-algorithm": "AWS4-HMAC-SHA256" },
      { "x-amz-credential": "AKIAIOSFODNN7EXAMPLE/20260102/us-east-1/s3/aws4_request" },
      { "x-amz-date": "20260102T030405Z" },
      ["content-length-range", 0, 9],
    ],
  })
})
