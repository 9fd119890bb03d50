/** Panels of the control room: the things of one area as a heading and finished HTML. */
import type { World } from '../world'
import type { Language, RoomTexts } from './texts'

/** Who looks: in which language, for what, and which rows are open. */
export interface View {
  readonly world: World
  readonly language: Language
  readonly texts: RoomTexts
  /** Keys of the rows whose insides are shown. */
  readonly open: ReadonlySet<string>
  /** In lower case; only rows with this text are shown. Empty: all. */
  readonly find: string
}

export interface Panel {
  /** Letters and hyphens; the panel's anchor on the page. */
  readonly id: string
  readonly title: (texts: RoomTexts) => string
  /**
   * The panel's body as HTML; values from outside must have gone through `escape` of `pages/html.ts`. A form
   * with `data-json` is sent as JSON, by the method in `data-method` when it is not POST, and the page is brought up
   * to date afterwards. An element with a `data-key` stays the same element of the page as long as it exists.
   */
  readonly render: (view: View) => string
  /** What `GET /sandbox/state` returns under the panel's id. */
  readonly state?: (world: World) => unknown
}
