/** What the sandbox remembers of its identification area. */

export interface IdentificationState {
  readonly created: number
}

export function createIdentificationState(): IdentificationState {
  return { created: 0 }
}
