/** The process that reads and fills in Word files, one after another: the entry point of `word-process.ts`. */
import { fieldsIn, filledWith, textIn } from './word-reading'
import type { WordJob } from './word-process'

function answer({ what, bytes, data }: WordJob): Promise<unknown> {
  if (what === 'fields') return fieldsIn(bytes)
  return what === 'text' ? textIn(bytes) : filledWith(bytes, data)
}

process.on('message', (job: WordJob) => {
  void answer(job)
    // The library fails on a file that is damaged or nested too deep.
    .catch(() => ({ key: 'wordFile' }))
    .then((found) => process.send?.(found))
})
