/** Names of items, which are also the names of their files, and lists of all items of a node. */
import should from 'should'
import { compactText, itemName, newId } from '../../../lib/store/item-name'
import { listAll } from '../../../lib/store/list-all'
import type { Listed } from '../../../lib/store/store'

describe('the name of an item', () => {
  it('is its id if that was generated here, and says nothing about any other id', () => {
    const id = newId()
    should(id).match(/^w[0-9a-f]{22}$/)
    should(newId()).not.equal(id)
    should(itemName(id)).equal(id)
    for (const other of ['../ola', `${id}0`, `x${id}`, id.toUpperCase(), `w${'g'.repeat(22)}`, '']) {
      should(itemName(other))
        .match(/^e[0-9a-f]{32}$/)
        .and.equal(itemName(other))
    }
    should(itemName('ola')).not.equal(itemName('kari'))
    should(compactText('Ola "N" 🖊\n')).equal('Ola "N" 🖊\n')
  })
})

describe('all items of a node', () => {
  it('are listed page by page, after the last position of each, until a page is empty', async () => {
    const asked: (number | undefined)[] = []
    const pages = [
      [{ id: 'a', position: 3 }],
      [
        { id: 'b', position: 5 },
        { id: 'c', position: 9 },
      ],
      [],
    ]
    const list = ({ after }: { after?: number } = {}) => {
      asked.push(after)
      return Promise.resolve(pages.shift() as unknown as Listed[])
    }
    should((await listAll({ list })).map(({ id }) => id)).deepEqual(['a', 'b', 'c'])
    should(asked).deepEqual([undefined, 3, 9])
  })
})
