/** "overview" in a Node-RED that is embedded in another program, where only the page itself applies `httpNodeAuth`. */
import helper from 'node-red-node-test-helper'
import should from 'should'
import type { HttpHandler } from '../../../lib/runtime/node-red/node-red'
import node from '../../../nodes/overview/overview'
import { removeFlow, startFlow } from '../../support/flow'
import { basic, overviewUsers } from '../../support/overview-users'
import type { PublicSide } from '../../support/public-site'
import { useSides } from '../../support/service-and-site'
import { until } from '../../support/time'

// The hash of "password" from the documentation of Node-RED, and the older form.
const hashes = {
  bcrypt: '$2a$08$zZWtXTja0fB1pzD4sHCMyOCMYz2Z6dNbM6tl8sJogENOMcxWV9DN.',
  md5: '5f4dcc3b5aa765d61d8327deb882cf99',
}

describe('overview with httpNodeAuth', () => {
  let site: PublicSide
  useSides((sides) => ({ site } = sides))
  afterEach(async () => {
    await removeFlow()
    helper.settings({ httpNodeAuth: undefined })
  })

  const start = (httpNodeAuth: unknown) => {
    helper.settings({ httpNodeAuth })
    const secrets = { users: overviewUsers }
    return startFlow({ type: 'eid-overview', module: node, modules: [site.module], settings: { client: '' }, secrets })
  }
  const statusFor = async (headers: Record<string, string>) =>
    (await fetch(`${site.url}/contracts`, { headers })).status
  const isServed = () => until(async () => (await statusFor({})) === 401)

  for (const [form, pass] of Object.entries(hashes)) {
    it(`opens with its name and password only, kept as ${form}`, async () => {
      await start({ user: 'office', pass })
      await isServed()
      should(await statusFor(basic('office', 'wrong'))).equal(401)
      should(await statusFor(basic('kari', 'password'))).equal(401)
      should(await statusFor(basic('kari', 'correct horse'))).equal(401)
      should(await statusFor(basic('office', 'password'))).equal(200)
    })
  }

  it('lets the password be tried a few times only', async () => {
    await start({ user: 'office', pass: hashes.md5 })
    await isServed()
    const codes: number[] = []
    for (let guess = 0; guess < 60; guess++) codes.push(await statusFor(basic('office', `guess ${guess}`)))
    should(codes.filter((code) => code === 401)).have.length(10)
    should(codes.filter((code) => code === 429)).have.length(50)
  })

  it('is applied if it is a function or a list of functions', async () => {
    const asks: HttpHandler = ({ headers }, response, next) =>
      headers['x-key'] === 'right' ? next() : response.status(401).end()
    for (const auth of [asks, [(_request: unknown, _response: unknown, next: () => void) => next(), asks]]) {
      await start(auth)
      await isServed()
      should(await statusFor({ 'X-Key': 'wrong' })).equal(401)
      should(await statusFor(basic('kari', 'correct horse'))).equal(401)
      should(await statusFor({ 'X-Key': 'right' })).equal(200)
      await removeFlow()
    }
  })

  it('opens for no one if it has no password', async () => {
    for (const auth of [{ user: 'office' }, 'office', true]) {
      await start(auth)
      await isServed()
      should(await statusFor(basic('office', 'undefined'))).equal(401)
      should(await statusFor(basic('undefined', 'undefined'))).equal(401)
      await removeFlow()
    }
  })
})
