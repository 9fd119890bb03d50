/** The part of the QR code reader that the tests use. */
declare module 'jsqr' {
  export default function jsQR(rgba: Uint8ClampedArray, width: number, height: number): { data: string } | null
}
