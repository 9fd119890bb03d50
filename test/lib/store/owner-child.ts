/** A process that tries to own a folder, and reports the result to its parent. */
import { OwnedElsewhere, own } from '../../../lib/store/drivers/sqlite/owner'

const [folder = ''] = process.argv.slice(2)

async function main(): Promise<void> {
  process.on('disconnect', () => process.exit(0))
  for (;;) {
    try {
      await own(folder)
      process.send?.('owns')
      return
    } catch (error) {
      process.send?.(error instanceof OwnedElsewhere ? `refused by ${error.owner}` : String(error))
      await new Promise((resolve) => setTimeout(resolve, 20 + 60 * Math.random()))
    }
  }
}

void main()
