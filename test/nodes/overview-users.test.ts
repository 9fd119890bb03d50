/** "overview": users with passwords that are not stored as hashes, such as those in an environment variable. */
import crypto from 'node:crypto'
import helper from 'node-red-node-test-helper'
import should from 'should'
import node from '../../nodes/overview/overview'
import { isPasswordOf } from '../../nodes/overview/passwords'
import { removeFlow, startFlow } from '../support/flow'
import type { PublicSide } from '../support/public-site'
import { useSides } from '../support/service-and-site'
import { until } from '../support/time'
import { RED } from '../support/errors'

describe('users of the overview page', () => {
  let site: PublicSide
  useSides((sides) => ({ site } = sides))
  afterEach(() => {
    delete process.env.EID_TEST_USERS
    return removeFlow()
  })

  const start = (users: string) =>
    startFlow({
      type: 'eid-overview',
      module: node,
      modules: [site.module],
      settings: { client: '' },
      secrets: { users },
    })
  const statusFor = async (name: string, password: string) => {
    const Authorization = `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`
    return (await fetch(`${site.url}/contracts`, { headers: { Authorization } })).status
  }
  const isOpen = () => until(async () => (await fetch(`${site.url}/contracts`)).status === 401)
  const storedUsers = () =>
    (
      helper as unknown as { _RED: { nodes: { getCredentials(id: string): { users: string } } } }
    )._RED.nodes.getCredentials('n').users

  it('may be many in an environment variable', async () => {
    process.env.EID_TEST_USERS = Array.from({ length: 200 }, (_none, at) => `user${at} password ${at}`).join('\n')
    await start('${EID_TEST_USERS}')
    await isOpen()
    should(await statusFor('user199', 'password 199')).equal(200)
    should(await statusFor('user198', 'password 199')).equal(401)
    should(await statusFor('user200', 'password 200')).equal(401)
    should(storedUsers()).equal('${EID_TEST_USERS}')
  })

  it('are admitted before their passwords are written as hashes, and after', async () => {
    await start('kari correct horse\nola battery staple')
    await isOpen()
    should(await statusFor('kari', 'correct horse')).equal(200)
    await until(() => storedUsers().startsWith('kari scrypt$'))
    should(storedUsers()).not.containEql('staple')
    should(await statusFor('ola', 'battery staple')).equal(200)
    const stored = storedUsers()
    await removeFlow()
    await start(stored)
    await isOpen()
    should(await statusFor('ola', 'battery staple')).equal(200)
    should(await statusFor('ola', 'correct horse')).equal(401)
  })

  it('cannot log in with the dots that the form shows', async () => {
    await start('kari correct horse\nola ••••••••')
    await isOpen()
    should(await statusFor('ola', '••••••••')).equal(401)
    should(await statusFor('kari', 'correct horse')).equal(200)
  })

  it('cost a guess one hash, whether there is such a user or not, and in whatever form the password is kept', async () => {
    const { scrypt } = crypto
    const costs: unknown[] = []
    crypto.scrypt = ((...args: Parameters<typeof scrypt>) => {
      costs.push(args[3])
      scrypt(...args)
    }) as typeof scrypt
    const hash = `scrypt$32768$8$3$${'a'.repeat(22)}$${'b'.repeat(43)}`
    try {
      for (const stored of [undefined, 'correct horse', hash])
        should(await isPasswordOf(RED, stored, 'a wrong one')).be.false()
      should(await isPasswordOf(RED, undefined, '')).be.false()
      should(await isPasswordOf(RED, 'A\u030Ase og Kari', '\u00C5se og Kari')).be.true()
    } finally {
      crypto.scrypt = scrypt
    }
    should(costs).have.length(5)
    for (const one of costs) should(one).deepEqual(costs[0])
  })
})
