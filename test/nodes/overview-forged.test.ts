/** "overview": an id that would lead to another address of the service is only used as text. */
import should from 'should'
import node from '../../nodes/overview/overview'
import type { OverviewView, PressAnswer } from '../../nodes/overview/view'
import { registerPending } from '../../lib/runtime/monitor/pending'
import { RED } from '../support/errors'
import { removeFlow, startFlow } from '../support/flow'
import { kari, overviewUsers } from '../support/overview-users'
import type { PublicSide } from '../support/public-site'
import type { Service } from '../support/service'
import { useSides } from '../support/service-and-site'
import { until } from '../support/time'

describe('forged ids on the overview page', () => {
  let service: Service
  let site: PublicSide
  useSides((sides) => ({ service, site } = sides))
  afterEach(removeFlow)

  for (const id of ['../../admin', '..', 'a/../../b', '%2e%2e/admin', 'x?a=b', 'x#y', '\\..\\admin', 'x\n']) {
    it(`such as ${JSON.stringify(id)} are shown, and no button calls the service with them`, async () => {
      await startFlow({
        type: 'eid-overview',
        module: node,
        modules: [site.module],
        settings: { client: '', mayAct: true },
        secrets: { users: overviewUsers },
        client: { baseUrl: service.url },
        credentials: { clientId: 'sandbox', clientSecret: 'sandbox' },
      })
      const item = {
        wait: id,
        kind: 'document',
        id,
        title: '',
        since: new Date().toISOString(),
        waitingFor: [],
        client: 'c',
        node: { id: 'forged', name: '', flow: '' },
      } as never
      const never = () => Promise.resolve(false)
      const undo = registerPending(RED, 'forged', {
        list: () => Promise.resolve([item]),
        find: (wait: string) => Promise.resolve(wait === id ? item : undefined),
        askNow: never,
        stopWaiting: never,
      } as never)
      try {
        const rows = await until(async () => {
          const answer = await fetch(`${site.url}/contracts/rows`, { headers: kari })
          return answer.status === 200 && ((await answer.json()) as OverviewView).rows
        })
        should(rows.map(({ title }) => title)).deepEqual([id])
        for (const action of ['remind', 'cancel']) {
          const answer = await fetch(`${site.url}/contracts/press`, {
            method: 'POST',
            headers: { ...kari, 'Content-Type': 'application/json', Origin: site.url },
            body: JSON.stringify({ id, action, reason: '' }),
          })
          should(((await answer.json()) as PressAnswer).ok).be.false()
        }
        for (const operation of ['cancelDocument', 'remindDocument', 'getDocument', 'getDocumentStatus'] as const)
          should(await service.requests(operation)).be.empty()
      } finally {
        undo()
      }
    })
  }
})
