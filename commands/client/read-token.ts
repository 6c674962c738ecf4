import { open } from 'node:fs/promises';
import { fr, type Sentence } from '../../src/base/language.ts';
import { isAbsent } from '../../src/disk/is-absent.ts';
import { SentenceError } from '../cli/sentence-error.ts';

/**
 * Reads the API token: the first line of the file, else `SVC_API_TOKEN`. Undefined when neither is given, for
 * an instance without authentication.
 *
 * @throws SentenceError when the file cannot be read, or contains no token
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
  const line = await readFirstLine(path).catch((cause: NodeJS.ErrnoException) => {
    throw new SentenceError(
      isAbsent(cause)
        ? [`the token file ${path} does not exist`, fr`le fichier de jeton ${path} n’existe pas`]
        : [
            `the token file ${path} cannot be read (${cause.code})`,
            fr`le fichier de jeton ${path} est illisible (${String(cause.code)})`,
          ],
      { cause },
    );
  });
  if (line === '')
    throw new SentenceError([`the token file ${path} is empty`, fr`le fichier de jeton ${path} est vide`]);
  return checkToken(line, [`the token file ${path}`, fr`le fichier de jeton ${path}`]);
}

async function readFirstLine(path: string): Promise<string> {
  await using file = await open(path, 'r');
  const { bytesRead, buffer } = await file.read(Buffer.alloc(8192), 0, 8192);
  return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0]!.trim();
}

function checkToken(token: string, [english, french]: Sentence): string {
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new SentenceError([
    `${english} contains no token; expected one line of printable characters`,
    fr`${french} ne contient pas de jeton : une ligne de caractères imprimables est attendue`,
  ]);
}
