/** Says why a file could not be written or read, in the words of the catalog `files`. */
import { FileFault } from './save-file'

/** The error codes that have a sentence of their own. */
const knownCodes = [
  'ENOSPC',
  'EDQUOT',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ENAMETOOLONG',
  'SPECIAL',
  'LINK',
  'GONE',
  'ERR_INVALID_ARG_VALUE',
]

/** The code of an error of the file system, such as ENOSPC; undefined for any other error. */
export function fileCode(error: unknown): string | undefined {
  if (error instanceof FileFault) return error.code
  const { syscall, code } = error as NodeJS.ErrnoException
  return error instanceof Error && typeof syscall === 'string' ? String(code) : undefined
}

/** The reason as a parameter of a text. */
export const fileReason = (code: string) => (knownCodes.includes(code) ? `@files.${code}` : code)
