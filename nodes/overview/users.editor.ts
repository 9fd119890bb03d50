/** The list of users in the form: shows names but no passwords; typed passwords are hashed before they are stored. */
import { postJson } from '../../lib/editor/post-json'
import { hidePasswords, readUserLines } from './user-lines'

/** Node-RED's placeholder for a stored secret. */
const stored = '__PWRD__'

interface StoredList {
  readonly users: string
  /** Whether Node-RED itself asks for a name and password; then this list is not used. */
  readonly byNodeRed: boolean
}

export function prepareUsers(node: EditorNode, text: (key: string) => string): void {
  const area = $('#eid-users')
  const reason = $('#eid-users-reason')
  area.data('node', node.id)
  const fill = (list: string) => void area.val(list).data('shown', list)
  const check = () => {
    const [first] = readUserLines(String(area.val())).problems
    const isNone = !hasUsers(node)
    const words = first ? text(`userProblems.${first.key}`) : isNone ? text('userProblems.none') : ''
    reason.text(words.replace('__line__', String(first?.line)).replace('__name__', first?.name ?? ''))
    area.toggleClass('input-error', first !== undefined || isNone)
  }
  const own = ownList(node)
  fill(own === undefined ? '' : hidePasswords(readUserLines(own).users))
  area.on('input', check)
  check()
  $.getJSON(`eid/overview/users/${encodeURIComponent(node.id)}`)
    .done(({ users, byNodeRed }: StoredList) => {
      if (own === undefined && area.val() === '') fill(users)
      check()
      if (!byNodeRed) return
      area.off('input', check).removeClass('input-error').removeAttr('aria-required')
      area.closest('.form-row').find('.eid-star').hide()
      reason.text(text('byNodeRed'))
    })
    .fail(() => undefined)
}

/**
 * Writes the list, in the form that is stored, to the input that Node-RED reads. The request to the server is
 * synchronous, because the form closes at once. If the server can't hash a password now, the node hashes it when it
 * starts.
 */
export function saveUsers(node: EditorNode): void {
  const area = $('#eid-users').data('saved', true)
  const typed = String(area.val())
  const target = $('#node-input-users')
  if (typed === area.data('shown')) return
  if (typed.trim() === '') return void target.val('')
  target.val(typed)
  const body = { id: node.id, users: typed, known: ownList(node) ?? '' }
  const take = ({ users }: { users: string }) => void target.val(users)
  postJson('eid/overview/users', body, { async: false }).done(take)
}

/**
 * Whether the node has users: in its open form or, if the form is closed or the list not yet shown, as stored. Only a
 * node that was never deployed is known to have none without opening its form.
 */
function hasUsers(node: EditorNode): boolean {
  const area = $('#eid-users')
  const isOpen = area.data('node') === node.id
  if (isOpen && String(area.val()).trim() !== '') return true
  if (isOpen && String(area.data('shown') ?? '') !== '') return false
  const { has_users: has } = (node.credentials ?? {}) as { has_users?: unknown }
  if (ownList(node) !== undefined || has === true) return true
  return has === undefined && node.credentials === undefined && node.changed !== true
}

/** Whether to mark the node: not if it is disabled. In the open form, only the list itself is marked. */
export function lacksUsers(node: EditorNode): boolean {
  const area = $('#eid-users')
  const isOpen = area.data('node') === node.id && area.data('saved') !== true
  return !isOpen && node.d !== true && RED.settings.eidOverviewLogin !== true && !hasUsers(node)
}

/** Returns the list as typed since the last deploy; undefined if only the server has the list. */
function ownList({ credentials }: EditorNode): string | undefined {
  const { users } = (credentials ?? {}) as { users?: unknown }
  return typeof users === 'string' && users !== '' && users !== stored ? users : undefined
}
