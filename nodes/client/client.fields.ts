/**
 * Settings of the client: the address, the non-secret part of the credentials, and the choices that the API
 * documentation leaves open.
 */
import type { Fields } from '../../lib/settings/fields'

export const fields = {
  name: { kind: 'label', initial: '' },
  environment: { kind: 'choice', initial: 'sandbox', choices: ['sandbox', 'live'] },
  baseUrl: { kind: 'text', initial: '', rule: 'url', required: true, requiredWhen: { environment: ['live'] } },
  tokenUrl: { kind: 'text', initial: '', rule: 'url' },
  signatureOrigins: { kind: 'text', initial: '' },
  identificationOrigins: { kind: 'text', initial: '' },
  /**
   * The requested scopes, separated by spaces. If empty, the client requests all scopes in the sandbox, and none at the
   * live service.
   */
  scopes: { kind: 'text', initial: '' },
  timeout: { kind: 'count', initial: '' },
  retries: { kind: 'count', initial: 3 },
  concurrency: { kind: 'count', initial: 8 },
  sharePaths: { kind: 'choice', initial: 'auto', choices: ['auto', 'buckets', 'share'] },
  uploadPath: { kind: 'choice', initial: 'auto', choices: ['auto', 'buckets', 'upload', 'file'] },
  shareNames: {
    kind: 'choice',
    initial: 'title-firstName',
    choices: ['title-firstName', 'name-firstname', 'title-firstname', 'name-firstName'],
  },
  recipientFiles: { kind: 'choice', initial: 'uploads', choices: ['uploads', 'content', 'both'] },
  tls: { kind: 'config', initial: '', config: 'tls-config' },
  proxy: { kind: 'config', initial: '', config: 'http proxy' },
} as const satisfies Fields

/** The credentials; Node-RED stores them apart from the flow. The form marks them with a star if `starred`. */
export const credentials = {
  clientId: { type: 'text', starred: true },
  clientSecret: { type: 'password', starred: true },
} as const
