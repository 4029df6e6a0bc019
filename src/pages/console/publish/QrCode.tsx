/** Draws a text as a QR code. */
import encodeQR from "qr"

/** Light squares around it, without which cameras do not find it. */
const border = 2

export function QrCode({
  text,
  label,
  size = 112,
}: {
  text: string
  label: string
  size?: number
}) {
  const rows = encodeQR(text, "raw", { border })
  const path = rows.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : "")),
  )
  return (
    <svg
      role="img"
      aria-label={label}
      width={size}
      height={size}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
      // Cameras want dark on light, in the dark, too.
      style={{ background: "#fff", borderRadius: 8, flexShrink: 0 }}
    >
      <path d={path.join("")} fill="#000" />
    </svg>
  )
}
