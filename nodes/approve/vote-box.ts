/** Keeps the answers of the approvers: at most one for each row and approval, in their order. */
import type { Store } from '../../lib/store/store'
import type { Approver } from './approvers'
import { voteIn, type Vote } from './votes'

interface VoteBox {
  /** The answers about an approval, oldest first. Answers of rows that no longer exist are left out. */
  votes(approval: string): Promise<Vote[]>
  /** Stores an answer; false if the row has answered already. */
  add(approval: string, vote: Vote): Promise<boolean>
}

export function createVoteBox(notes: Pick<Store, 'add' | 'get'>, approvers: () => readonly Approver[]): VoteBox {
  const idOf = (approval: string, row: string) => `answer/${approval}/${row}`
  return {
    async votes(approval) {
      const items = await Promise.all(approvers().map(({ id }) => notes.get(idOf(approval, id))))
      const found = items.flatMap((item) => {
        const vote = voteIn(item?.body)
        return item && vote ? [{ vote, position: item.position }] : []
      })
      return found.sort((one, other) => one.position - other.position).map(({ vote }) => vote)
    },
    add: (approval, vote) => notes.add(idOf(approval, vote.row), { body: vote }),
  }
}
