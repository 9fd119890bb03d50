/** The parts of the test helper that the tests use. */
declare module 'node-red-node-test-helper' {
  /** The part of sinon that the helper itself uses. */
  export interface SpySandbox {
    spy(object: Record<string, unknown>, name: string): object
    restore(): void
  }
  interface Helper {
    _sandbox: SpySandbox
    init(path: string, settings?: object): void
    settings(settings: object): void
    load(nodes: unknown[], flow: object[], credentials?: object): Promise<void>
    unload(): Promise<void>
    getNode(id: string): TestNode | null
    readonly _events: NodeJS.EventEmitter
    /** The runtime's own access to the flows. `setFlows` resolves before the flows have started. */
    readonly _redNodes: {
      getFlows(): { flows: Record<string, unknown>[] }
      setFlows(flow: object[], credentials: object | undefined, type: string): Promise<unknown>
    }
    setFlows(flow: object[], type?: string, credentials?: object): Promise<void>
    startServer(done: () => void): void
    stopServer(done: () => void): void
    url(): string
  }
  export interface TestNode {
    id: string
    receive(msg: object): void
    on(event: string, listener: (value: never) => void): void
    removeAllListeners(event: string): void
    close(removed?: boolean): Promise<void>
    context(): Record<'flow' | 'global', { set(key: string, value: unknown): void }>
  }
  const helper: Helper
  export default helper
}
