/** The status below a node after an error: every text is complete, whatever the service has answered. */
import should from 'should'
import { fromStatus, malformed } from '../../../lib/api/call/failures'
import { fromFault, type CallContext } from '../../../lib/api/call/no-answer'
import { TransportFault } from '../../../lib/api/errors/fault'
import type { EidError } from '../../../lib/api/errors/errors'
import { statusTextOf } from '../../../lib/runtime/node-red/errors'
import type { Runtime } from '../../../lib/runtime/node-red/node-red'
import { createTranslate, translateInto, type Translate } from '../../../lib/runtime/node-red/texts'
import { catalog, languages, nodeNames } from '../../support/house'

const call = (scope: string | undefined, path = '/signature/documents/d-1'): CallContext => ({
  method: 'GET',
  path,
  attempts: 1,
  seconds: 30,
  ...(scope !== undefined && { scope }),
})
const errors = [{ field: 'Title', message: 'is too long' }]
const bodies = [{}, { message: 'No way' }, { message: 'No way', errors }, { errors }, 'no JSON', undefined]
const refusals = [300, 302, 400, 401, 403, 404, 409, 410, 413, 422, 429, 499, 500, 502, 503]
const contexts = [call('document_read'), call(undefined), call(undefined, '/unknown'), call('', '/unknown')]

const answered = (status: number, body: unknown, context: CallContext): EidError =>
  fromStatus({ status, headers: {}, body: Buffer.from(JSON.stringify(body) ?? '') }, context, 0).error

/** Every error that a call can end with. */
function every(): EidError[] {
  const refused = contexts.flatMap((context) =>
    refusals.flatMap((status) => bodies.map((body) => answered(status, body, context))),
  )
  const broken = (['network', 'timeout', 'aborted', 'tooLarge'] as const).flatMap((kind) =>
    ['ECONNREFUSED', 'EPIPE', 'PROXY', 'ESOMETHING'].map(
      (reason) => fromFault(new TransportFault(kind, 'sent', reason), contexts[0] ?? call(undefined)).error,
    ),
  )
  return [...refused, ...broken, malformed({ status: 200, headers: {} }, call('document_read')).error]
}

/** The texts of a node; they can be read once the node has registered them. */
function textsOf(language: string, name: string): Translate {
  createTranslate({ _: (key: string) => key } as unknown as Runtime, name, {})
  const translate = translateInto(language, name)
  if (!translate) throw new Error(`There are no texts of ${name} in ${language}.`)
  return translate
}

describe('the status after an error', () => {
  for (const language of languages)
    it(`contains no placeholder that was not filled in (${language})`, () => {
      for (const name of nodeNames) {
        const translate = textsOf(language, name)
        for (const error of every()) should(statusTextOf(error, translate)).not.match(/__|^status\.|^brief\./)
      }
    })

  it('names the scope that a call lacks, even if the service names fields', () => {
    const translate = textsOf('en-US', 'document')
    const textOf = (context: CallContext) => statusTextOf(answered(403, { errors }, context), translate)
    should(textOf(call('document_read'))).equal('scope missing: document_read')
    should(textOf(call(undefined))).equal('not allowed')
  })

  it('contains only placeholders of the sentence that it shortens', () => {
    const placeholders = (text: unknown) => String(text).match(/__\w+?__/g) ?? []
    for (const language of languages)
      for (const name of ['client', ...nodeNames]) {
        const own = catalog(language, name)
        const common = catalog(language, 'client')
        const sentences = (['errors', 'config', 'answers', 'network', 'notFound'] as const).map((group) => ({
          ...(common[group] as object),
          ...(own[group] as object),
        }))
        for (const [key, text] of Object.entries((own.brief ?? {}) as Record<string, string>)) {
          const all = sentences.flatMap((one) => placeholders((one as Record<string, unknown>)[key]))
          // The number of further fields is counted by the status itself.
          if (key !== 'more') should(placeholders(text).filter((one) => !all.includes(one))).deepEqual([], key)
        }
      }
  })
})
