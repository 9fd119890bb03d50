/** The "Test connection" route of a config node: reports in words whether the typed settings work. */
import type { Fields } from '../../settings/fields'
import type { TextParams } from '../../api/errors/texts'
import { editorJson } from '../http/editor-only'
import { toEidError } from '../node-red/errors'
import type { HttpRequest, HttpResponse, Runtime } from '../node-red/node-red'
import { createTranslate, type Translate } from '../node-red/texts'
import { completeTyped, readTyped, type TypedRequest } from '../values/typed-settings'

interface TestAnswer {
  readonly ok: boolean
  readonly text: string
  readonly code?: string
}

/** Settings and credentials with the values that the dialog does not have. */
export type Completed = Omit<TypedRequest, 'id'>

interface TestedNode {
  /** The name of the node's folder. */
  readonly set: string
  readonly fields: Fields
  /** The settings that decide where secrets are sent: stored secrets are sent only to the stored places. */
  readonly places: readonly string[]
  /**
   * Tests the settings, completed with stored passwords and environment variables. `asked` are the settings without
   * these, for the sentence with which this resolves. Rejects with the reason why the settings do not work.
   */
  test(RED: Runtime, typed: Completed, translate: Translate, asked: TypedRequest): Promise<string>
}

/** Registers `POST eid/<set>/test`, for people who may deploy. */
export function registerTestRoute(RED: Runtime, { set, fields, places, test }: TestedNode): void {
  const answer = async ({ body }: HttpRequest): Promise<TestAnswer> => {
    const translate = createTranslate(RED, set, fields)
    const asked = readTyped(body)
    try {
      const typed = completeTyped(RED, asked, { type: `eid-${set}`, fields, places })
      if (typed === 'elsewhere') return { ok: false, text: translate('test.secretElsewhere'), code: 'EID_CONFIG' }
      return { ok: true, text: await test(RED, typed, translate, asked) }
    } catch (thrown) {
      const { message, code } = toEidError(thrown, inForm(translate))
      return { ok: false, text: message, code }
    }
  }
  const handle = async (request: HttpRequest, response: HttpResponse) => response.json(await answer(request))
  RED.httpAdmin.post(`/eid/${set}/test`, ...editorJson(RED), (request, response) => void handle(request, response))
}

/** Prefers the sentences for the reader of an open form (`test.config`): elsewhere, they say which form to open. */
function inForm(translate: Translate): Translate {
  const find = (key: string, params?: TextParams) => {
    const own = translate(`test.${key}`, params)
    return own === `test.${key}` ? translate(key, params) : own
  }
  return Object.assign(find, { label: translate.label })
}
