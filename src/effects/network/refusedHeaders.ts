/** Names of headers that no request of a flow sends. */

/** Headers that only the metadata services of clouds require. */
export const metadataHeaders: readonly string[] = [
  "metadata",
  "metadata-flavor",
  "x-google-metadata-request",
  "x-aws-ec2-metadata-token",
  "x-aws-ec2-metadata-token-ttl-seconds",
  "x-metadata-token",
]

/** Headers of the connection (RFC 9110, section 7.6.1) and those derived from the request. */
export const connectionHeaders: readonly string[] = [
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]
