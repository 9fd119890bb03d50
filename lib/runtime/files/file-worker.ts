/** The process that reads Word files and lists, one after another: the entry point of `file-process.ts`. */
import type { FileJob } from './file-jobs'
import type { FileAnswer } from './file-process'

const send = (answer: FileAnswer) => void process.send?.(answer)

/** Loads a module with the first job that needs it. */
function once<T>(load: () => Promise<T>): () => Promise<T> {
  let loaded: Promise<T> | undefined
  return () => (loaded ??= load())
}

const lists = once(() => import('./list-reading.js'))
const words = once(() => import('./word-reading.js'))

async function answer(job: FileJob): Promise<unknown> {
  if (job.what === 'rows') return (await lists()).listIn(job, (part) => send({ part }))
  const { fieldsIn, filledWith, textIn } = await words()
  if (job.what === 'fields') return fieldsIn(job.bytes)
  return job.what === 'text' ? textIn(job.bytes) : filledWith(job.bytes, job.data)
}

process.on('message', (job: FileJob) => {
  void answer(job)
    // The libraries fail on a file that is damaged or nested too deep.
    .catch(() => ({ key: job.what === 'rows' ? 'listFile' : 'wordFile' }))
    .then((end) => send({ end }))
})
