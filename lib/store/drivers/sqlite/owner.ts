/**
 * Lets only one process at a time use a folder. Each process listens at a socket in the folder itself, so it does not
 * matter by which path the folder is reached. A socket ends with its process, so neither clocks nor process ids have to
 * be trusted, and nothing has to be cleaned up after a kill.
 */
import { randomBytes } from 'node:crypto'
import * as fs from 'node:fs'
import { connect, createServer } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { codeOf } from '../../../common/patiently'

export interface Ownership {
  /** True if it can't be found out here whether another process uses the folder. */
  readonly isUnguarded: boolean
  release(): void
}

/** The error if another running process uses the folder. */
export class OwnedElsewhere extends Error {
  /** Process id and name of the machine. */
  readonly owner: string

  constructor(owner: string) {
    super('another process uses this folder')
    this.owner = owner
  }
}

/** Opens a file so that no other process can open it: the flag `O_EXLOCK`, which Node.js passes on but does not name. */
const exclusive: Partial<Record<NodeJS.Platform, number>> = {
  win32: 0x10000000,
  darwin: 0x20 | fs.constants.O_NONBLOCK,
  freebsd: 0x20 | fs.constants.O_NONBLOCK,
}
const ending = '.owner'
/** The extension of a socket at which no process listens yet. */
const unready = '.new'
/** Kinds of drives that several machines may use: NFS, SMB, CIFS, Ceph, GlusterFS and others over FUSE, 9P. */
const sharedDrives = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x00c36400, 0x65735546, 0x01021997])

/** Resolves when this process owns the folder. Rejects with `OwnedElsewhere`, or with an error of the system. */
export async function own(folder: string): Promise<Ownership> {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  const flag = exclusive[process.platform]
  return flag === undefined ? listenIn(folder) : lockIn(folder, flag)
}

/** Windows and macOS lock a file for as long as a process has it open. */
function lockIn(folder: string, flag: number): Ownership {
  const path = join(folder, 'eid.owner')
  try {
    const file = fs.openSync(path, fs.constants.O_RDWR | fs.constants.O_CREAT | flag, 0o600)
    return { isUnguarded: false, release: () => fs.closeSync(file) }
  } catch (error) {
    if (/^(EBUSY|EAGAIN|EWOULDBLOCK)$/.test(codeOf(error))) throw new OwnedElsewhere('')
    if (/^(ENOTSUP|EOPNOTSUPP)$/.test(codeOf(error))) return { isUnguarded: true, release: () => undefined }
    throw error
  }
}

async function listenIn(folder: string): Promise<Ownership> {
  const directory = fs.openSync(folder, 'r')
  // An address has at most 107 bytes, however long the path of the folder is.
  const short = (name: string) => `/proc/self/fd/${directory}/${name}`
  const machine = hostname()
    .replace(/[^\w-]/g, '-')
    .slice(0, 30)
  const name = `${process.pid}@${machine}-${randomBytes(4).toString('hex')}${ending}`
  const server = createServer((socket) => socket.on('error', () => undefined).end())
  const release = () => {
    server.close()
    fs.rmSync(join(folder, name), { force: true })
    fs.closeSync(directory)
  }
  try {
    await new Promise<void>((done, failed) => void server.once('error', failed).listen(short(name + unready), done))
    // It gets its final name only now, because other processes remove a socket at which no process listens.
    fs.renameSync(join(folder, name + unready), join(folder, name))
    server.unref()
  } catch (error) {
    release()
    // The drive has no sockets.
    if (/^(EPERM|ENOTSUP|EOPNOTSUPP|EINVAL|EACCES)$/.test(codeOf(error)) && isWritable(folder))
      return { isUnguarded: true, release: () => undefined }
    throw error
  }
  try {
    for (const other of fs.readdirSync(folder)) {
      if (other === name || !other.endsWith(ending)) continue
      if (await answers(short(other))) throw new OwnedElsewhere(other.replace(/-[^-]*$/, '').replace('@', ' '))
      fs.rmSync(join(folder, other), { force: true })
    }
  } catch (error) {
    // If two processes start at the same moment, both may come here. Both try again after different times.
    release()
    throw error
  }
  return { isUnguarded: sharedDrives.has(fs.statfsSync(folder).type), release }
}

/** Whether a process listens at this address. One that is too busy or stopped counts as listening. */
function answers(address: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const socket = connect(address)
    const end = (is: boolean) => {
      socket.destroy()
      resolve(is)
    }
    socket.once('connect', () => end(true))
    socket.once('error', (error) => {
      if (/^(EMFILE|ENFILE|ENOMEM)$/.test(codeOf(error))) reject(error)
      else end(!/^(ECONNREFUSED|ENOENT|ENOTSOCK)$/.test(codeOf(error)))
    })
  })
}

function isWritable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK)
    return true
  } catch {
    return false
  }
}
