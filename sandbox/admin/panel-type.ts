/** Panels of the control room: one area's things as a heading and ready HTML. */
import type { World } from '../world'
import type { Language, RoomTexts } from './texts'

export interface Panel {
  /** Letters and hyphens; the panel's anchor on the page. */
  readonly id: string
  readonly title: (texts: RoomTexts) => string
  /**
   * The panel's body as HTML; whatever came from outside must have gone through `escape` of `pages/html.ts`. A form
   * with `data-json` is sent as JSON, by the method in `data-method` when it is not POST, and the page is brought up
   * to date afterwards. What is unfolded stays so when its `details` has a `data-key`.
   */
  readonly render: (world: World, language: Language) => string
  /** What `GET /sandbox/state` tells under the panel's id. */
  readonly state?: (world: World) => unknown
}
