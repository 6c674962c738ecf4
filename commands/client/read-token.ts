import { join } from 'node:path';
import { fr, type Sentence } from '../../src/base/language.ts';
import { readNamed } from '../../src/disk/named-file.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import { SentenceError } from '../cli/sentence-error.ts';

/** Maximum size of a token file in bytes; what follows its first line is ignored. */
const fileLimit = 64 << 10;

/** Path of the token that quickstart creates for `svc sync`, in the state folder. */
export function toTokenFile(stateRoot: string): string {
  return join(stateRoot, 'sync.token');
}

/**
 * Reads the API token: the first line of the file, else `SVC_API_TOKEN`. Undefined when neither is given, for
 * an instance without authentication.
 *
 * @throws SVC-FIL-005 when the file cannot be read, SentenceError when it contains no token
 */
export async function readToken(
  path: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if (path === undefined) {
    const token = env.SVC_API_TOKEN?.trim();
    return token === undefined || token === ''
      ? undefined
      : checkToken(token, ['SVC_API_TOKEN', fr`SVC_API_TOKEN`]);
  }
  const line = await readFirstLine(path);
  if (line === '')
    throw new SentenceError([`the token file ${path} is empty`, fr`le fichier de jeton ${path} est vide`]);
  return checkToken(line, [`the token file ${path}`, fr`le fichier de jeton ${path}`]);
}

async function readFirstLine(path: string): Promise<string> {
  try {
    return (await readNamed(path, fileLimit)).toString('utf8').split('\n', 1)[0]!.trim();
  } catch (error) {
    throw toNamedFileError(error, path);
  }
}

function checkToken(token: string, [english, french]: Sentence): string {
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new SentenceError([
    `${english} contains no token; expected one line of printable characters`,
    fr`${french} ne contient pas de jeton : une ligne de caractères imprimables est attendue`,
  ]);
}
