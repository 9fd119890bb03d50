/** What each area of the service provides for its panel in the control room: a heading, and the objects as HTML. */
import type { World } from '../world'
import type { Language, RoomTexts } from './texts'

/** The viewer's language and search, and the open rows. */
export interface View {
  readonly world: World
  readonly language: Language
  readonly texts: RoomTexts
  /** Keys of the open rows. */
  readonly open: ReadonlySet<string>
  /** The search text in lower case: only rows that contain it are shown. If empty, all rows are shown. */
  readonly find: string
}

export interface Panel {
  /** Letters and hyphens; also the panel's anchor on the page. */
  readonly id: string
  readonly title: (texts: RoomTexts) => string
  /**
   * The panel's body as HTML; external values must have gone through `escape` of `pages/html.ts`. A form with
   * `data-json` is sent as JSON, with the method in `data-method` if it is not POST, and the page is updated
   * afterwards. An update changes an element with a `data-key` in place and never replaces it.
   */
  readonly render: (view: View) => string
  /** The value in `GET /sandbox/state` under the panel's id. */
  readonly state?: (world: World) => unknown
}
