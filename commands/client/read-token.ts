import { join } from 'node:path';
import { readNamed } from '../../src/disk/named-file.ts';
import { toNamedFileError } from '../../src/disk/named-file-error.ts';
import { svcError } from '../../src/text/error.ts';
import { fr } from '../../src/text/language.ts';
import { rule } from '../../src/text/rule.ts';

/** Maximum size of a token file in bytes; lines after the first are ignored. */
const fileLimit = 64 << 10;

const tokenForm = /^[\x21-\x7e]{1,4096}$/;
const noToken = rule([
  'contains no token: one line of printable characters is expected',
  fr`ne contient pas de jeton : une ligne de caractères imprimables est attendue`,
]);

/** Path of the token that quickstart creates for `svc sync`, in the state folder. */
export function toTokenFile(stateRoot: string): string {
  return join(stateRoot, 'sync.token');
}

/**
 * Reads the API token: the first line of the file, else `SVC_API_TOKEN`. Undefined when neither is given, for
 * an instance without authentication.
 *
 * @throws SVC-FIL-005 when the file cannot be read, SVC-VAL-001 when it contains no token, SVC-CFG-001 for such a variable
 */
export async function readToken(
  path: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if (path === undefined) {
    const token = env.SVC_API_TOKEN?.trim();
    if (token === undefined || token === '') return undefined;
    if (tokenForm.test(token)) return token;
    throw svcError('SVC-CFG-001', { setting: 'SVC_API_TOKEN', detail: noToken });
  }
  const line = await readFirstLine(path);
  if (tokenForm.test(line)) return line;
  throw svcError('SVC-VAL-001', { file: path, rule: noToken, problem: 'token' });
}

async function readFirstLine(path: string): Promise<string> {
  try {
    return (await readNamed(path, fileLimit)).toString('utf8').split('\n', 1)[0]!.trim();
  } catch (error) {
    throw toNamedFileError(error, path);
  }
}
