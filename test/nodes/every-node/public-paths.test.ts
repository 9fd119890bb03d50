/** Which paths the public nodes may have beside the editor, and which address Node-RED knows as its own. */
import should from 'should'
import { createRequire } from 'node:module'
import { adminRouteAt } from '../../../lib/runtime/http/admin-routes'
import type { Router, Runtime } from '../../../lib/runtime/node-red/node-red'
import { ownAddress, publicAddress } from '../../../lib/runtime/http/public-address'

const express = createRequire(require.resolve('node-red'))('express') as () => Router

/** A runtime with these settings, whose editor also has routes of other nodes. */
const runtime = (settings: object = {}, more: object = {}) => {
  const httpAdmin = express()
  httpAdmin.get('/eid/suggestions/:client/:list', (_request, response) => void response.end())
  httpAdmin.post('/other-node/:id', (_request, response) => void response.end())
  return { settings, httpAdmin, ...more } as unknown as Runtime
}

describe('the paths of public nodes', () => {
  for (const path of [
    '/flows',
    'flows/',
    '/flows/hook',
    '/auth',
    '/auth/token',
    '/eid',
    '/eid/suggestions',
    '/comms',
  ]) {
    it(`refuse ${path} beside the editor at the root`, () => {
      should(adminRouteAt(runtime(), path)).be.a.String()
    })
  }

  for (const path of [
    '/nodes',
    '/settings',
    '/icons/x',
    '/locales',
    '/library',
    '/other-node',
    '/red',
    '/resources/a',
  ]) {
    it(`refuse ${path} too`, () => void should(adminRouteAt(runtime({ httpAdminRoot: '/' }), path)).be.a.String())
  }

  it('are free otherwise, those of fresh nodes first of all', () => {
    for (const path of [
      '/contracts',
      '/eid/page',
      '/eid/webhook',
      '/flows-of-ours',
      '/hooks/flows',
      '/eid-example/x',
    ]) {
      should(adminRouteAt(runtime(), path)).be.undefined()
    }
  })

  it('follow the roots of editor and flows', () => {
    should(adminRouteAt(runtime({ httpAdminRoot: '/admin/' }), '/flows')).be.undefined()
    should(adminRouteAt(runtime({ httpAdminRoot: '/admin/' }), '/admin')).equal('/admin')
    should(adminRouteAt(runtime({ httpAdminRoot: 'admin' }), '/admin/hook')).equal('/admin')
    should(adminRouteAt(runtime({ httpAdminRoot: '/a/b' }), '/a')).equal('/a/b')
    should(adminRouteAt(runtime({ httpNodeRoot: '/api' }), '/flows')).be.undefined()
    should(adminRouteAt(runtime({ httpNodeRoot: '/eid' }), '/suggestions')).be.a.String()
    // If a root is also used by the editor, that was the decision of the person who set it.
    should(adminRouteAt(runtime({ httpNodeRoot: '/flows' }), '/hook')).be.undefined()
    should(adminRouteAt(runtime({ httpAdminRoot: false }), '/flows')).be.undefined()
  })
})

describe('the address of Node-RED', () => {
  const at = (settings: object, port?: number) =>
    ownAddress(runtime(settings, { server: port === undefined ? undefined : { address: () => ({ port }) } }))

  it('is made of its settings and of where its server listens', () => {
    should(at({ uiHost: '192.0.2.1' }, 1881)).deepEqual({ base: 'http://192.0.2.1:1881', forOthers: true })
    should(at({ uiHost: 'red.example', uiPort: '443', https: {} })).deepEqual({
      base: 'https://red.example',
      forOthers: true,
    })
    should(at({ uiHost: '::1', uiPort: 1880 })).deepEqual({ base: 'http://[::1]:1880', forOthers: false })
    should(at({ uiHost: '0.0.0.0' }, 1880)).deepEqual({ base: 'http://localhost:1880', forOthers: false })
    should(at({})).deepEqual({ base: '', forOthers: false })
  })

  it('is put before the root of the flows unless there is a public one', () => {
    const RED = runtime({ httpNodeRoot: '/nr/' })
    should(publicAddress(RED, '', '/eid/page', 'http://localhost:1880')).equal('http://localhost:1880/nr/eid/page')
    should(publicAddress(RED, 'https://a.example', '/eid/page', 'x')).equal('https://a.example/nr/eid/page')
    should(publicAddress(RED, 'https://a.example/deep', '/eid/page', 'x')).equal('https://a.example/deep/eid/page')
  })
})
