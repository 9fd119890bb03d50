/** What the sandbox remembers of its share area. */

export interface ShareState {
  readonly created: number
}

export function createShareState(): ShareState {
  return { created: 0 }
}
