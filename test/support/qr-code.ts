/** Reads the QR code of a page the way a phone does: from its picture, pixel by pixel. */
import jsQR from 'jsqr'

/** The text of the first QR code in an HTML page; undefined if there is no readable code. */
export function scanPage(html: string): string | undefined {
  const squares = 4
  const side = Number(/viewBox="0 0 (\d+) \1"/.exec(html)?.[1] ?? 0) * squares
  const pixels = new Uint8ClampedArray(side * side * 4).fill(255)
  for (const [, x, y] of html.matchAll(/M(\d+) (\d+)h1v1h-1z/g)) {
    for (let row = 0; row < squares; row += 1) {
      const start = ((Number(y) * squares + row) * side + Number(x) * squares) * 4
      for (let pixel = start; pixel < start + squares * 4; pixel += 4) pixels.fill(0, pixel, pixel + 3)
    }
  }
  return scanPixels(pixels, side, side)
}

export function scanPixels(rgba: Uint8ClampedArray, width: number, height: number): string | undefined {
  return jsQR(rgba, width, height)?.data
}
