/** The server's answers to the script of the page. */

/**
 * `start`: the person has to identify. `wait`: a link may begin only one identification a minute. `checking`: the service
 * has not said yet who it is. `again`: the identification did not succeed, or is too old. `elsewhere`: it was begun in
 * another browser. `unclear`: the method does not say who the person is. `answered`: the person has answered. `late`: the
 * time limit has passed. `paused`: the approval cannot continue now. The others say how the approval has ended.
 */
export type PageState =
  | 'start'
  | 'wait'
  | 'checking'
  | 'again'
  | 'elsewhere'
  | 'stranger'
  | 'unclear'
  | 'proposer'
  | 'identified'
  | 'answered'
  | 'late'
  | 'paused'
  | 'approved'
  | 'rejected'
  | 'expired'
  | 'withdrawn'
  | 'gone'

export interface PageView {
  readonly state: PageState
  /** With `start`: the address of the service at which the person identifies. */
  readonly url?: string
  /** With `unclear`: the methods that say who a person is. */
  readonly providers?: readonly string[]
  /** Only after identification: what is approved, and who proposed it. */
  readonly shown?: {
    readonly name: string
    readonly details: readonly { readonly label: string; readonly text: string }[]
    readonly proposer: string
    readonly digest: string
    /** The names of those who have approved already. */
    readonly approved: readonly string[]
  }
}

/** The data in the page for its script. */
export interface PageData {
  /** The addresses of the page's own calls, relative to the page. */
  readonly start: string
  readonly state: string
  readonly answer: string
  /** The state that is shown first; if absent, the script asks for it. */
  readonly first?: PageState
  readonly texts: Readonly<Record<string, string>>
}
