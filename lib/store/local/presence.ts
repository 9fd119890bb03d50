/**
 * Lets the processes of a user folder ask each other which data they own, through a socket beside the data, or a pipe
 * on Windows.
 */
import { createHash, randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { chmod, mkdir, readdir, realpath, rename, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { codeOf } from '../../common/patiently'
import { unless } from './disk'

type Ownership = 'none' | 'deciding' | 'owner'

export interface Presence {
  readonly id: string
  /**
   * `owner` if this process owns the data, `deciding` while it is still asking the other processes; keyed by the name
   * of the data. Data that is not in this map is not owned.
   */
  readonly states: Map<string, 'deciding' | 'owner'>
  readonly place: Place
}

interface Answer {
  readonly state: Ownership
  readonly id: string
  /** A description of the process for people. */
  readonly owner: string
}

/** The place at which the processes of one user folder find each other. */
interface Place {
  readonly folder: string
  readonly ending: string
  /** On Windows, the addresses are pipes instead of files; pipes disappear with their process. */
  readonly isPipes: boolean
}

/** The longest socket address, in bytes, that works on every system. */
const longest = 100
const answerMs = 1_000
/** The extension of an address that other processes must not find yet. */
const unready = '.new'
/** Temporary errors that do not depend on the path. */
const passing = /^(EMFILE|ENFILE|ENOBUFS|ENOMEM|EAGAIN)$/

/** The paths of this process's sockets, to be removed when the process ends. */
const stood = new Set<string>()
process.once('exit', () => {
  for (const path of stood) rmSync(path, { force: true })
})

/**
 * Starts listening. `owner` describes this process to users of other processes. Returns undefined if no address is
 * possible: the drive supports no sockets, and there is no folder for temporary files. Rejects if too many files are
 * open.
 */
export async function standBeside(userDir: string, owner: string): Promise<Presence | undefined> {
  const id = randomBytes(6).toString('hex')
  const states: Presence['states'] = new Map()
  for (const place of placesOf(await realpath(userDir).catch(() => resolve(userDir)))) {
    const server = createServer((socket) => tellOf(socket, (name) => `${states.get(name) ?? 'none'} ${id} ${owner}`))
    try {
      await listen(server, place, id)
      return { id, states, place }
    } catch (error) {
      server.close()
      if (passing.test(codeOf(error))) throw error
    }
  }
  return undefined
}

/** The addresses of the other processes, including processes that have ended. */
export async function othersBeside({ id, place }: Presence): Promise<string[]> {
  const { folder, ending } = place
  // If the folder was removed by hand, there are no other processes.
  const names = (await readdir(folder).catch(unless(/^ENOENT$/))) ?? []
  return names.filter((name) => name.endsWith(ending) && name !== id + ending).map((name) => join(folder, name))
}

/**
 * Asks the process at this address whether it owns the data `name`. A process that is too busy to answer counts as the
 * owner.
 */
export async function ask(address: string, name: string): Promise<Answer | 'gone'> {
  try {
    const [state = '', id = '', ...owner] = (await exchange(address, name)).trim().split(' ')
    if (state === 'none' || state === 'deciding') return { state, id, owner: owner.join(' ') }
    return { state: 'owner', id, owner: owner.join(' ') }
  } catch (error) {
    if (passing.test(codeOf(error))) throw error
    if (!/^(ECONNREFUSED|ENOENT)$/.test(codeOf(error))) return { state: 'owner', id: '', owner: '' }
    // The address can be removed, because its name is never used again.
    await unlink(address).catch(() => undefined)
    return 'gone'
  }
}

function placesOf(userDir: string): Place[] {
  const short = createHash('sha256').update(userDir).digest('hex').slice(0, 16)
  if (process.platform === 'win32') return [{ folder: '\\\\.\\pipe\\', ending: `-eid-${short}`, isPipes: true }]
  const folders = [join(userDir, 'eid', 'owners'), join(tmpdir(), `eid-${short}`)]
  return folders
    .filter((folder) => Buffer.byteLength(join(folder, '000000000000.sock')) <= longest)
    .map((folder) => ({ folder, ending: '.sock', isPipes: false }))
}

async function listen(server: Server, { folder, ending, isPipes }: Place, id: string): Promise<void> {
  const path = join(folder, id + ending)
  const made = isPipes ? path : join(folder, id + unready)
  if (!isPipes) await mkdir(folder, { recursive: true, mode: 0o700 })
  await new Promise<void>((done, failed) => void server.once('error', failed).listen(made, done))
  server.unref()
  if (isPipes) return
  // The folder keeps other users out; the socket itself is open to all, because another process of the same user may
  // run as root.
  await chmod(made, 0o666)
  // The address gets its final name only now, because other processes remove an address at which no process answers.
  await rename(made, path)
  stood.add(path)
}

/** Answers one question; a question is a name followed by a line break. */
function tellOf(socket: Socket, answerTo: (name: string) => string): void {
  let asked = ''
  socket.setEncoding('utf8').setTimeout(answerMs, () => socket.destroy())
  socket.on('error', () => socket.destroy()).unref()
  socket.on('data', (part: string) => {
    asked += part
    const [name, rest] = asked.split('\n')
    if (rest !== undefined) socket.end(answerTo(name ?? ''))
    else if (asked.length > 1_000) socket.destroy()
  })
}

function exchange(address: string, name: string): Promise<string> {
  return new Promise((done, failed) => {
    let answer = ''
    const socket = connect(address, () => socket.write(`${name}\n`))
    socket.setEncoding('utf8').setTimeout(answerMs, () => socket.destroy(new Error('no answer')))
    socket.on('data', (part: string) => (answer += part))
    socket.on('end', () => done(answer)).on('error', failed)
  })
}
