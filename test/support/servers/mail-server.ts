/** A mail server for tests, which keeps the mails that it receives. */
import { once } from 'node:events'
import type { AddressInfo, Server } from 'node:net'

const { SMTPServer } = require('smtp-server') as { SMTPServer: new (options: SmtpOptions) => SmtpServer }

interface SmtpOptions {
  readonly authOptional: boolean
  readonly disabledCommands: readonly string[]
  onData(stream: NodeJS.ReadableStream, session: object, done: () => void): void
}

interface SmtpServer {
  readonly server: Server
  listen(port: number, host: string): void
  close(done: () => void): void
}

export interface MailServer {
  readonly port: number
  /** The received mails in their raw form, oldest first. */
  readonly mails: readonly string[]
  subjects(): string[]
  /** The text of each mail as a single line, without the line breaks of the transport. */
  texts(): string[]
  close(): Promise<void>
}

export async function startMailServer(): Promise<MailServer> {
  const mails: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData(stream, _session, done) {
      let mail = ''
      stream.on('data', (chunk: Buffer) => (mail += chunk.toString()))
      stream.on('end', () => {
        mails.push(mail)
        done()
      })
    },
  })
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    port: (server.server.address() as AddressInfo).port,
    mails,
    subjects: () =>
      mails.map((mail) => /^Subject: (.*(?:\r?\n[ \t].*)*)/m.exec(mail)?.[1]?.replace(/\r?\n\s*/g, ' ') ?? ''),
    texts: () => mails.map((mail) => mail.replace(/=\r?\n/g, '').replace(/\s+/g, ' ')),
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
}
