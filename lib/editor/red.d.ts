/** Types for the parts of the editor that the forms use, matching Node-RED 4.1 and 5. */

type RowData = Record<string, unknown>

interface TypedInputType {
  value: string
  label?: string
  icon?: string
  hasValue?: boolean
  options?: { value: string; label: string }[]
  autoComplete?: (value: string, done?: (found: Suggestion[]) => void) => Suggestion[] | undefined
}

interface Suggestion {
  value: string
  label: string
}

interface EditableListOptions {
  addButton?: string | boolean
  sortable?: boolean
  removable?: boolean
  height?: number | 'auto'
  addItem(row: JQuery, index: number, data: RowData): void
  removeItem?(data: RowData): void
  sortItems?(items: JQuery): void
}

interface JQuery {
  typedInput(options: { default?: string; types: (string | TypedInputType)[]; typeField?: string | JQuery }): JQuery
  typedInput(method: 'value' | 'type'): string
  typedInput(method: 'value' | 'type' | 'width' | 'types', value: unknown): JQuery
  typedInput(method: 'show' | 'hide'): JQuery
  editableList(options: EditableListOptions): JQuery
  editableList(method: 'addItem', data: RowData): JQuery
  editableList(method: 'empty'): JQuery
  editableList(method: 'items'): JQuery
  editableList(method: 'height' | 'width', value: number): JQuery
}

interface EditorNode extends Record<string, unknown> {
  id: string
  type: string
  name?: string
  z?: string
  d?: boolean
  _(key: string, params?: Record<string, unknown>): string
}

interface NodeDefinition extends ThisType<EditorNode> {
  category: string
  color?: string
  icon?: string
  inputs?: number
  outputs?: number
  defaults: unknown
  credentials?: unknown
  outputLabels?: unknown
  paletteLabel?: string | ((this: EditorNode) => string)
  label?: (this: EditorNode) => string
  labelStyle?: (this: EditorNode) => string
  oneditprepare?: (this: EditorNode) => void
  oneditsave?: (this: EditorNode) => void
  oneditcancel?: (this: EditorNode) => void
  /** `this` is the definition itself, with the type and the texts that Node-RED has added. */
  onpaletteadd?: (this: Pick<EditorNode, 'type' | '_'>) => void
  onadd?: (this: EditorNode) => void
  oneditresize?: (this: EditorNode, size: { width: number; height: number }) => void
}

interface EditorDefault {
  value?: unknown
  type?: string
  required?: boolean
  validate?: (this: EditorNode, value: unknown, options: { label?: string }) => boolean | string
}

interface SidebarTab {
  id: string
  label: string
  name: string
  iconClass: string
  content: HTMLElement
  pinned?: boolean
  enableOnEdit?: boolean
  onchange?: () => void
}

interface EditorNotification {
  close(): void
}

declare const RED: {
  notify(
    content: JQuery,
    options: {
      modal?: boolean
      fixed?: boolean
      type?: string
      buttons?: { text: string; class?: string; click: () => void }[]
    },
  ): EditorNotification
  _(key: string, params?: Record<string, unknown>): string
  utils: { getNodeLabel(node: EditorNode): string }
  plugins: { registerPlugin(id: string, definition: { type?: string; onadd?: () => void }): void }
  workspaces: { active(): string }
  sidebar: { addTab(tab: SidebarTab): void; show(id: string): void; containsTab(id: string): boolean }
  user: { hasPermission(permission: string): boolean }
  actions: { add(id: string, action: () => void): void }
  /** Exists only in 4.1 and later. Only the hooks that are used here are declared. */
  hooks?: {
    add(id: string, listener: (shown: { message: { type?: string }; element: JQuery; payload: unknown }) => void): void
  }
  settings: {
    /** Whether Node-RED itself asks for a name and a password, so that *overview* needs no users. */
    eidOverviewLogin?: boolean
    getLocal(key: string): unknown
    setLocal(key: string, value: unknown): void
    readonly httpNodeRoot?: string | false
    readonly context?: { readonly stores?: readonly string[] }
  }
  view: { reveal(id: string): void; redraw(): void }
  events: {
    on(event: 'links:add' | 'links:remove' | 'deploy', listener: () => void): void
    on(event: 'nodes:add' | 'nodes:change' | 'nodes:remove', listener: (node: EditorNode) => void): void
    on(event: 'flows:change', listener: (flow: { id: string; disabled?: boolean }) => void): void
  }
  /** The changes that can be undone or done again, the latest one last. `pop` undoes the latest one. */
  history: { list(): readonly object[]; listRedo(): readonly object[]; pop(): void; redo(): void }
  clipboard: { copyText(text: string, element?: JQuery, message?: string): boolean }
  editor: { editConfig(name: string, type: string, id: string): void; validateNode(node: EditorNode): boolean }
  nodes: {
    registerType(type: string, definition: NodeDefinition): void
    /** The flow as it was last deployed. */
    originalFlow(): Record<string, unknown>[] | undefined
    eachNode(visit: (node: EditorNode) => void): void
    eachConfig(visit: (node: EditorNode) => boolean): void
    id(): string
    getType(type: string): {
      defaults: Record<string, EditorDefault>
      credentials?: Record<string, unknown>
    }
    import(nodes: object[]): void
    node(id: string): EditorNode | null
    filterLinks(wanted: { source: EditorNode; sourcePort?: number }): { target: EditorNode }[]
    /** The nodes whose wires lead to this node. */
    getAllUpstreamNodes?(node: EditorNode): EditorNode[]
    workspace(id: string): { label?: string; disabled?: boolean } | undefined
  }
}

/**
 * Replaced by the build with the object literal of the node's settings, which is made from the node's table; the form
 * provides the labels and the validation.
 */
declare function __DEFAULTS__(form: import('./form').Form): unknown
/**
 * Replaced by the build with the properties that all palette nodes share: category, icon, settings, credentials, and
 * the functions of `form.common`. The three dots before the call are replaced too.
 */
declare function __COMMON__(form: import('./common-definition').NodeForm): Pick<NodeDefinition, 'category' | 'defaults'>
/** Replaced by the build with the object literal of the node's credentials. */
declare const __CREDENTIALS__: unknown
