/** For each node that takes messages, settings with which it sends a request: one set for each choice in its form. */

type Settings = Readonly<Record<string, unknown>>
const pdf = { file: Buffer.from('%PDF-1.4 lease').toString('base64'), fileType: 'base64' }
const typed = (type: string, values: Readonly<Record<string, string>>): Settings =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => [
      [name, value],
      [`${name}Type`, type],
    ]),
  )
const said = (values: Readonly<Record<string, string>>) => typed('str', values)
const list = (name: string, ...rows: readonly Settings[]): Settings => ({
  [`${name}Type`]: 'form',
  [`${name}Rows`]: rows,
})
const person = said({ firstName: 'Ola', lastName: 'Nordmann', email: 'ola.nordmann@example.com' })
const recipient = {
  ...person,
  ...said({ mobileCountryCode: '47', mobileNumber: '99999999', uploads: 'file-1', identityProvider: 'NO_EID' }),
  ...typed('days', { expires: '30' }),
}
const ids = said({
  documentId: 'd-1',
  signerId: 's-1',
  attachmentId: 'a-1',
  sessionId: 'x-1',
  shareId: 'sh-1',
  recipientId: 'r-1',
  depositId: 'dep-1',
})
const pages = Object.fromEntries(
  ['success', 'abort', 'error'].map((one) => [`${one}Url`, `https://example.com/${one}`]),
)
const ofFlow: Readonly<Record<string, Settings>> = {
  redirect: said(pages),
  iframe: said({ parentDomains: 'https://example.com', postMessageTargetOrigin: 'https://example.com' }),
  headless: said({ allowedProviders: 'no_eid_mobile', phoneNumber: '+4799999999', dateOfBirth: '1990-02-03' }),
}
const sessions = ['v2', 'v1'].flatMap((apiVersion) =>
  Object.entries(ofFlow).map(([flow, settings]) => ({
    // For a session in a frame, v1 requires the return addresses too.
    ...(apiVersion === 'v1' && flow === 'iframe' && said(pages)),
    operation: 'create',
    apiVersion,
    ...settings,
    ...said({ flow }),
  })),
)
const each = (operations: readonly string[], settings: (operation: string) => Settings): Settings[] =>
  operations.map((operation) => ({ operation, ...ids, ...settings(operation) }))

const deposit = { operation: 'create', ...said({ landlordName: 'Kari Nordmann' }), ...list('tenants', person) }

export const goodSettings: Readonly<Record<string, readonly Settings[]>> = {
  approve: [
    {
      ...said({ what: 'Release the deposit' }),
      ...list('approvers', said({ id: 'per', name: 'Per Hansen', by: 'nin', provider: 'no_eid' })),
      mayApproveOwn: true,
      publicUrl: 'https://flows.example.com',
    },
  ],
  'create-document': [
    {
      ...said({ title: 'Lease', contactEmail: 'kari.nordmann@example.com', fileName: 'lease.pdf' }),
      ...pdf,
      ...list('signers', { ...person, ...said({ externalSignerId: 'tenant-1' }) }),
    },
  ],
  document: [
    ...each(['get', 'list', 'cancel', 'removeSigner', 'getAttachment', 'download', 'remind'], () => ({})),
    ...each(['update'], () => said({ title: 'Lease' })),
    ...each(['addSigner', 'changeSigner'], () => ({
      ...person,
      ...said({ externalSignerId: 'tenant-1', mechanism: 'pkisignature' }),
    })),
    ...each(['addAttachment', 'changeAttachment'], () => ({
      ...pdf,
      ...said({ title: 'Keys', fileName: 'keys.pdf' }),
    })),
  ],
  archive: each(['archive'], () => said({ archiveFolder: '/nowhere' })),
  'identification-session': [
    ...sessions,
    ...each(['get', 'invalidate'], () => ({ apiVersion: 'v2' })),
    { operation: 'list', apiVersion: 'v2' },
    { operation: 'list', apiVersion: 'v1' },
  ],
  'share-create': [
    {
      ...said({ title: 'Payroll', description: 'May' }),
      ...list('content', ...['file-1', 'file-2'].map((id) => said({ id, name: 'May', type: 'file' }))),
      ...list('recipients', recipient),
    },
  ],
  share: each(['get', 'list', 'change', 'addRecipient', 'changeRecipient', 'removeRecipient'], (operation) => ({
    ...(operation === 'change' && said({ title: 'Payroll' })),
    ...(/^(add|change)R/.test(operation) && recipient),
  })),
  'share-upload': [{ ...ids, ...said({ contentId: 'file-1', fileName: 'may.pdf' }), ...pdf }],
  deposit: [
    { ...deposit, ...typed('num', { depositAmount: '27000' }) },
    { ...deposit, ...typed('num', { monthlyRent: '9000', depositFactor: '3' }) },
    ...each(['get', 'list'], () => ({})),
    ...each(['change'], () => said({ landlordStreet: 'Storgata 1' })),
  ],
  'deposit-cancel': [ids],
  'deposit-terminate': [
    { ...ids, ...said({ category: 'TENANT', username: 'kari' }) },
    {
      ...ids,
      ...said({ category: 'SPLIT', username: 'kari', kid: '1234567897' }),
      ...typed('num', { amountTenant: '25000', amountLandlord: '2000', expectedTotal: '27000' }),
    },
  ],
  request: [said({ method: 'GET', path: '/share/x' })],
  wait: ['document', 'first-signature', 'session', 'deposit'].map((what) => ({ what, ...said({ resourceId: 'r-1' }) })),
  pending: [{}],
}
