/** Sends a single message for each problem that needs attention, ready for e-mail or chat. */
import { inputError } from '../../lib/api/errors/errors'
import { flowLabel } from '../../lib/runtime/node-red/flow-label'
import type { NodeConfig, Runtime } from '../../lib/runtime/node-red/node-red'
import { translateInto } from '../../lib/runtime/node-red/texts'
import { registerLiveNode, type LiveBehaviour, type LiveNode } from '../../lib/runtime/node/live-node'
import { isShared, openNodeStore, reportFailures } from '../../lib/runtime/node/node-store'
import { onOccurrence, type Occurred } from '../../lib/runtime/monitor/occurrences'
import { sentenceOf } from '../../lib/runtime/monitor/error-sentence'
import { listKept } from '../../lib/runtime/monitor/kept-nodes'
import { watchPending } from '../../lib/runtime/monitor/pending'
import { watchLog } from '../../lib/runtime/monitor/uncaught'
import { refuseUnset } from '../../lib/runtime/values/values'
import { url } from '../../lib/settings/rules'
import { systemClock } from '../../lib/store/clock'
import type { Store } from '../../lib/store/store'
import { idOf, keepMs, type AlertPayload } from './alert'
import { fields } from './alerts.fields'
import { nextClockTime, readClockTime } from './calendar'
import { createCollector, type Collector } from './collector'
import { createDeletions, deletionLimits, type Deletions } from './deletions'
import { editorAddress, linkTo, registerAddressRoute } from './editor-address'
import type { ErrorPlace } from './errors'
import { readKinds, type ChoosableKind } from './kinds'
import { digestSubject, digestText, payloadOf, subjectLine, withoutEnded, type Words } from './mail'
import { createOutbox, type Outbox } from './outbox'
import { createLooks } from './looks'

export = (RED: Runtime): void => {
  watchLog(RED)
  registerAddressRoute(RED)
  registerLiveNode(RED, 'eid-alerts', fields, open)
}

type Live = LiveNode<typeof fields>

const maxKept = 50_000

/** Rejects with an EidError if the settings can't be used. */
async function open(live: Live): Promise<LiveBehaviour> {
  const { RED } = live
  const settings = settingsOf(live)
  const failed = reportFailures(live)
  const store = openNodeStore(live, { kind: 'alerts', maxItems: maxKept })
  const outbox = openOutbox(live, store, settings, failed)
  const deletionStore = openNodeStore(live, { kind: 'deletions', ...deletionLimits })
  const deletions = createDeletions({
    store: deletionStore,
    clock: systemClock,
    failed,
    say: (alert) => collector.sayUnsaved(alert),
  })
  const collector: Collector = openCollector(live, store, settings, outbox, deletions)
  const looks = createLooks(async () => {
    await outbox.look()
    await collector.look()
  }, failed)
  const unregister = [onOccurrence(RED, (occurred: Occurred) => looks.next(() => collector.heard(occurred)))]
  return Promise.resolve({
    // The node has no input. If the code of another node sends it a message anyway, the message is just completed.
    receive: ({ done }) => Promise.resolve(done()),
    start() {
      unregister.push(watchPending(RED, looks.soon))
      outbox.start()
      deletions.start()
      looks.start()
    },
    async close() {
      for (const end of unregister) end()
      await looks.stop()
      await Promise.all([outbox.stop(), deletions.stop()])
      await Promise.all([store.close(), deletionStore.close()])
    },
  })
}

interface Settings {
  readonly wanted: ReadonlySet<ChoosableKind>
  readonly at: readonly [number, number] | undefined
  readonly overdueDays: number
  readonly words: Words & { readonly chosen: string | undefined }
}

function settingsOf({ config, translate }: Live): Settings {
  for (const path of ['kinds', 'overdueDays', 'digest', 'language', 'editorUrl']) refuseUnset(path, config[path])
  const { wanted, unknown } = readKinds(config.kinds)
  const isDaily = config.digest === 'daily'
  if (isDaily) refuseUnset('at', config.at)
  const at = readClockTime(typeof config.at === 'string' ? config.at : fields.at.initial)
  const problems = [
    ...(unknown.length > 0 ? [{ path: 'kinds', key: 'alertKinds', params: { kinds: unknown.join(', ') } }] : []),
    ...(isDaily && !at ? [{ path: 'at', key: 'timeOfDay' }] : []),
    ...(isAddress(config.editorUrl) ? [] : [{ path: 'editorUrl', key: 'url' }]),
  ]
  if (problems.length > 0) throw inputError(problems)
  const days = Math.floor(Number(config.overdueDays ?? fields.overdueDays.initial))
  const chosen = config.language === 'en' || config.language === 'nb' ? config.language : undefined
  return {
    wanted,
    at: isDaily ? at : undefined,
    overdueDays: days >= 1 ? days : fields.overdueDays.initial,
    words: {
      translate: (chosen && translateInto(chosen, 'alerts')) ?? translate,
      language: chosen ?? translate('language'),
      chosen,
    },
  }
}

/** Whether the setting is empty or an address; both are valid. */
const isAddress = (setting: unknown) =>
  (setting ?? '') === '' || (typeof setting === 'string' && url(setting) === undefined)

function openOutbox(live: Live, store: Store, { at, words }: Settings, failed: (error: unknown) => void): Outbox {
  const { node, status, translate } = live
  let total = 0
  const sent = (count: number) => {
    total += count
    status.setResult({ fill: 'green', shape: 'dot', text: translate('status.sent', { count: total }) })
    status.rest()
  }
  return createOutbox({
    store,
    clock: systemClock,
    failed,
    sent,
    nextDigest: at && ((now) => nextClockTime(now, at)),
    send(payload, redelivered) {
      const text = String(payload.text)
      node.send({
        topic: payload.kind,
        payload,
        subject: subjectLine(payload, words),
        text,
        ...(redelivered && { redelivered }),
      })
    },
    sendDigest(all, redelivered) {
      const alerts = withoutEnded(all)
      const subject = digestSubject(alerts.length, words)
      const text = digestText(alerts, words)
      const payload = { kind: 'digest', alerts, text }
      node.send({ topic: 'digest', payload, subject, text, ...(redelivered && { redelivered }) })
    },
  })
}

function openCollector(live: Live, store: Store, settings: Settings, outbox: Outbox, deletions: Deletions): Collector {
  const { RED, config } = live
  const { wanted, overdueDays, words } = settings
  const editor = editorAddress(RED, config.editorUrl)
  return createCollector(RED, {
    store,
    clock: systemClock,
    wanted,
    overdueDays,
    shared: isShared(live),
    client: typeof config.client === 'string' ? config.client : '',
    locate: (id, places) => locate(RED, id, places, words.language),
    kept: async () => (await listKept(RED)).items,
    noteEnded: (items) => deletions.note(items),
    // The sentence is in Node-RED's language, unless another language is chosen.
    sentenceOf: (error) =>
      sentenceOf(
        error,
        words.chosen === undefined ? undefined : translateInto(words.chosen, error.node.type.replace(/^eid-/, '')),
      ),
    othersOf: (count) => words.translate('rows.others', { count }),
    async say(alert) {
      const label = alert.node ? locate(RED, alert.node.id, [], words.language).label : ''
      const payload: AlertPayload = payloadOf(alert, linkTo(editor, alert.node?.id ?? alert.client), words, label)
      await outbox.add(idOf(alert), payload, alert.onceMs ?? keepMs)
    },
  })
}

/** Finds the place where the editor shows a node; a node inside a subflow is shown where the subflow is defined. */
function locate(RED: Runtime, id: string, places: readonly string[], language: string): ErrorPlace {
  const configs = new Map<string, NodeConfig>()
  RED.nodes.eachNode((config) => void configs.set(config.id, config))
  const config = [id, ...[...places].reverse()].map((one) => configs.get(one)).find((one) => one !== undefined)
  const node = { id: config?.id ?? id, name: config?.name ?? '', flow: config ? flowLabel(RED, config) : '' }
  const translate = config && translateInto(language, config.type.replace(/^eid-/, ''))
  return { node, label: translate?.('label') ?? '' }
}
