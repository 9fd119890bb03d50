/** A call that comes before Node-RED has read its flows, when no path is known yet. */
import should from 'should'
import { pausedPaths } from '../../../lib/runtime/http/paused-paths'
import type { HttpRequest, HttpResponse, NodeConfig, Runtime } from '../../../lib/runtime/node-red/node-red'

describe('before Node-RED has read its flows', () => {
  it('a call to any path is asked to come back, and a page of others is left alone', () => {
    let flows: readonly NodeConfig[] | undefined
    const eachNode = (callback: (config: NodeConfig) => void) => {
      if (!flows) throw new TypeError('no flows')
      flows.forEach(callback)
    }
    const RED = { events: {}, nodes: { eachNode } } as unknown as Runtime
    const answerPaused = pausedPaths(RED, [{ type: 'eid-webhook', methods: ['post'], initialPath: '/hook' }])
    const ask = (method: string, path: string) => {
      const told: unknown[] = []
      const response = {
        status: (code: number) => (told.push(code), response),
        set: (headers: Record<string, string>) => (told.push(headers['Retry-After']), response),
        end: () => undefined,
      }
      return [answerPaused(method, { path } as HttpRequest, response as unknown as HttpResponse), ...told]
    }
    should([ask('post', '/hook'), ask('get', '/ui')]).deepEqual([[true, 503, '2'], [false]])
    const base = { id: 'w', type: 'eid-webhook', z: 'f' }
    flows = [{ id: 'f', type: 'tab' } as NodeConfig, base as NodeConfig]
    should([ask('post', '/hook'), ask('post', '/other')]).deepEqual([[true, 503, '2'], [false]])
  })
})
