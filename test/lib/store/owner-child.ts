/** A process that tries to own a folder's stored items under a name, and reports the result to its parent. */
import { OwnedElsewhere, own } from '../../../lib/store/local/sole-owner'

const [folder = '', name = ''] = process.argv.slice(2)

async function main(): Promise<void> {
  process.on('disconnect', () => process.exit(0))
  for (;;) {
    try {
      await own(folder, name)
      process.send?.('owns')
      return
    } catch (error) {
      process.send?.(error instanceof OwnedElsewhere ? `refused by ${error.owner}` : String(error))
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

void main()
