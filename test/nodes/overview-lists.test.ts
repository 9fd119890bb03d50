/** "overview": the words for lists, and for what was not completed, in the language of the reader. */
import should from 'should'
import { changedListOf, registerBatches } from '../../lib/runtime/monitor/batches'
import { pageTexts } from '../../lib/runtime/http/page-texts'
import { readSections } from '../../nodes/overview/rows'
import { RED } from '../support/errors'

describe('the lists on the overview page', () => {
  const none = { items: [], failures: [] }
  const sources = { pending: none, ended: none, errors: [], mayAct: false, now: 0 }

  it('name the changed rows of a list in the language of the reader', async () => {
    const of = { pause: () => Promise.resolve(false), resume: () => Promise.resolve(false) }
    const list = {
      node: { id: 'b', name: '', flow: 'Leases' },
      total: 1,
      done: 1,
      failed: 0,
      changed: 0,
      offersChanged: false,
      started: 1,
    }
    const ended = [changedListOf('may.csv'), 'june.csv'].map((id, at) => ({ ...list, id, ended: 2 - at }))
    const undo = registerBatches(RED, 'b', { ...of, list: () => Promise.resolve([]), ended: () => ended })
    const titles = async (language: string) =>
      (await readSections({ RED, ...sources, language })).lists.map(({ row }) => row.title).sort()
    try {
      should(await titles('nb')).deepEqual(['june.csv', 'may.csv (endrede rader)'])
      should(await titles('en-US')).deepEqual(['june.csv', 'may.csv (changed rows)'])
    } finally {
      undo()
    }
  })

  it('do not call a contract failed that a person has canceled', () => {
    for (const [language, word] of [
      ['nb', 'trukket tilbake'],
      ['en-US', 'canceled'],
    ] as const) {
      const texts = pageTexts('overview', language)
      should(texts['outcomes.canceled']).equal(word)
      should(texts['sections.failed']).endWith(` ${word}`)
    }
  })
})
