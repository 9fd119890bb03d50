/** Reads and fills in Word files in a process of its own. */
import type { PlainObject } from '../../common/plain-object'
import type { WordJob } from './file-jobs'
import { createFileProcess, type Limits } from './file-process'
import type { FileProblem } from './file-problem'
import type { WordFields } from './word-field'

interface WordProcess {
  fields(bytes: Buffer): Promise<WordFields>
  text(bytes: Buffer): Promise<string | FileProblem>
  fill(bytes: Buffer, data: PlainObject): Promise<Buffer | FileProblem>
}

/** A file that exceeds the limits gets the problem `wordHeavy`. */
export function createWordProcess(limits?: Limits): WordProcess {
  const run = createFileProcess(limits)
  const ask = async (what: WordJob['what'], bytes: Buffer, data: PlainObject = {}) =>
    (await run({ what, bytes, data })) ?? { key: 'wordHeavy' }
  return {
    fields: async (bytes) => (await ask('fields', bytes)) as WordFields,
    text: async (bytes) => (await ask('text', bytes)) as string | FileProblem,
    fill: async (bytes, data) => (await ask('fill', bytes, data)) as Buffer | FileProblem,
  }
}
