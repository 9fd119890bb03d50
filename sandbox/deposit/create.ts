/** Creates a deposit: a contract that the tenants sign, and an account to pay into. */
import { randomUUID } from 'node:crypto'
import { invalid, type FieldError } from '../server/answers'
import type { Answer, Call } from '../server/call'
import { checkEmail, isPhoneNumber } from '../server/check'
import { objectIn, objectsIn, textIn, textsIn, type JsonObject } from '../server/json'
import type { World } from '../world'
import { tellTenant } from './notices'
import { signersOf } from './fund'
import { depositRecord } from './record'
import type { Deposit, Tenant } from './state'

/** `POST /deposit/personal`: returns the record; the tenants are sent their signing links. */
export function createDeposit(call: Call, world: World): Answer {
  const body = call.json()
  const errors = problemsOf(body)
  if (errors.length > 0) throw invalid(errors)
  const deposit = readDeposit(body, world)
  world.deposit.deposits.set(deposit.id, deposit)
  for (const tenant of signersOf(deposit)) {
    world.deposit.pages.set(tenant.token, { deposit, tenant, split: undefined })
    tellTenant(world, tenant, 'contract', tenant.token)
  }
  world.emit('deposit_created', { depositId: deposit.id, externalId: deposit.externalId }, deposit.tags)
  return { json: depositRecord(deposit, world) }
}

function readDeposit(body: JsonObject, world: World): Deposit {
  const { landlord, rentObject, contactDetails } = body
  return {
    id: randomUUID(),
    documentId: randomUUID(),
    externalId: textIn(body.externalId),
    created: world.clock.iso(),
    tenants: objectsIn(body.tenants).map(readTenant),
    landlord: objectIn(landlord).representativeSignature === true ? readLandlord(body) : undefined,
    requested: { landlord, contract: withoutFile(objectIn(body.contract)), rentObject, contactDetails },
    amount: amountOf(objectIn(body.contract)),
    tags: textsIn(objectIn(body.advanced).tags),
    status: 'CREATED',
    funds: 0,
    lastPaymentCheck: undefined,
    split: undefined,
    payouts: [],
  }
}

function readTenant(requested: JsonObject): Tenant {
  return { id: randomUUID(), token: randomUUID(), requested, signed: false, bankAccountNumber: undefined }
}

/** The landlord as a signer, who is notified at the contact address of the request. */
function readLandlord({ landlord, contactDetails, ui }: JsonObject): Tenant {
  const info = { firstName: textIn(objectIn(landlord).name), email: textIn(objectIn(contactDetails).email) }
  return readTenant({ info, ui })
}

/** The contract without its file. The file is not stored, because nothing shows it again. */
function withoutFile({ dataToSign: _file, ...contract }: JsonObject): JsonObject {
  return contract
}

function amountOf({ depositAmount, monthlyRent, depositFactor }: JsonObject): number {
  return Number(depositAmount ?? Number(monthlyRent) * Number(depositFactor))
}

function problemsOf(body: JsonObject): FieldError[] {
  const errors: FieldError[] = []
  const need = (value: unknown, field: string) => {
    if (textIn(value) === '') errors.push({ field, message: `The field ${field} is required.` })
  }
  const tenants = objectsIn(body.tenants)
  if (tenants.length === 0) errors.push({ field: 'tenants', message: 'At least one tenant is required.' })
  tenants.forEach(({ info }, index) => {
    const { email, mobile } = objectIn(info)
    const field = (name: string) => `tenants[${index}].info.${name}`
    for (const name of ['firstName', 'lastName']) need(objectIn(info)[name], field(name))
    // The agreement has to reach the tenant in one way or the other.
    if (textIn(mobile) === '') need(email, field('email'))
    errors.push(...checkEmail(email, field('email')))
    if (textIn(mobile) !== '' && !isPhoneNumber(textIn(mobile).replace(/^\+/, ''))) {
      errors.push({ field: field('mobile'), message: 'This is not a phone number.' })
    }
  })
  errors.push(...checkEmail(objectIn(body.contactDetails).email, 'contactDetails.email'))
  need(objectIn(body.landlord).name, 'landlord.name')
  const { depositAmount, monthlyRent } = objectIn(body.contract)
  const field =
    depositAmount === undefined && monthlyRent !== undefined ? 'contract.monthlyRent' : 'contract.depositAmount'
  const amount = amountOf(objectIn(body.contract))
  if (!(amount > 0 && Number.isFinite(amount))) errors.push({ field, message: 'The deposit must be more than 0.' })
  return errors
}
