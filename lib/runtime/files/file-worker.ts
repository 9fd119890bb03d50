/** The process that reads Word files and lists, one after another: the entry point of `file-process.ts`. */
import type { FileJob } from './file-jobs'
import type { FileAnswer } from './file-process'

const send = (answer: FileAnswer) => void process.send?.(answer)

async function answer(job: FileJob): Promise<unknown> {
  if (job.what === 'rows') {
    const { listIn } = await import('./list-reading.js')
    return listIn(job, (part) => send({ part }))
  }
  const { fieldsIn, filledWith, textIn } = await import('./word-reading.js')
  if (job.what === 'fields') return fieldsIn(job.bytes)
  return job.what === 'text' ? textIn(job.bytes) : filledWith(job.bytes, job.data)
}

process.on('message', (job: FileJob) => {
  void answer(job)
    // The libraries fail on a file that is damaged or nested too deep.
    .catch(() => ({ key: job.what === 'rows' ? 'listFile' : 'wordFile' }))
    .then((end) => send({ end }))
})
