/** Flows with "approve": its approvers, who proposes, and the messages that ask for an approval. */
import node from '../../nodes/approve/approve'
import { startFlow, type Flow, type FlowOptions } from './flow'
import type { PublicSide } from './public-site'
import type { Service } from './service'

/** The people of the tests, in the order of their credentials. */
const people = ['per', 'kari', 'liv', 'ola']
const slotOf = (person: string) => String(people.indexOf(person) + 1)

/** A row of the approvers. */
export const approverRow = (id: string, name: string, more: object = {}) => ({
  id,
  slot: slotOf(id),
  name,
  email: `${id}@example.com`,
  by: 'nin',
  provider: 'no_eid',
  ...more,
})

/** Invented national ids. None of them exists: they have the month 00. */
export const nins = {
  ola: '01000000001',
  per: '02000000002',
  kari: '03000000003',
  liv: '05000000005',
  stranger: '04000000004',
} as const

/** The credentials of a node with the ids of these people. */
export const idsOf = (ids: object): Record<string, string> =>
  Object.fromEntries(Object.entries(ids).map(([person, id]) => [`approverId${slotOf(person)}`, String(id)]))

/** Who proposes, as "wait" leaves it on the message. */
export const ola = { provider: 'no_eid', providerId: 'id-of-ola', nin: nins.ola, fullName: 'Ola Nordmann' }

/** Starts a flow of "approve" with the approvers Per and Kari; `live` uses the national ids of the credential. */
export function startApprove(
  { service, site }: { service: Service; site: PublicSide },
  settings: object = {},
  live: { ids?: object; secrets?: Record<string, string> } | false = false,
  more: Pick<FlowOptions, 'more' | 'modules'> = {},
): Promise<Flow> {
  return startFlow({
    type: 'eid-approve',
    module: node,
    modules: [site.module, ...(more.modules ?? [])],
    more: more.more ?? [],
    outputs: 4,
    settings: {
      what: 'Release the deposit of {tenant}',
      detailsRows: [{ label: 'Amount', text: '{amount}' }],
      approversRows: [approverRow('per', 'Per Hansen'), approverRow('kari', 'Kari Nordmann')],
      publicUrl: site.url,
      ...settings,
    },
    client: {
      baseUrl: service.url,
      ...(live && { environment: 'live', scopes: 'identify document_read document_file' }),
    },
    ...(live && {
      credentials: { clientId: 'sandbox', clientSecret: 'sandbox' },
      secrets: live.secrets ?? idsOf(live.ids ?? { per: nins.per, kari: nins.kari }),
    }),
  })
}

/** Sends a message, and returns the addresses of `count` approvers by their first names. */
export async function propose(flow: Flow, msg: object = {}, count = 2): Promise<Record<string, string>> {
  flow.send({ payload: { tenant: 'Liv', amount: 12500 }, identity: ola, kept: 'yes', ...msg })
  const pages: Record<string, string> = {}
  for (let left = count; left > 0; left--) {
    const { approver, url } = await flow.next(3)
    pages[String(approver).split(' ')[0]?.toLowerCase() ?? ''] = String(url)
  }
  return pages
}
