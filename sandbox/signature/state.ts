/** What the sandbox remembers of its signature area. */
export interface SignatureState {
  readonly created: number
}

export function createSignatureState(): SignatureState {
  return { created: 0 }
}
