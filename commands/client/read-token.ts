import { open } from 'node:fs/promises';
import { isAbsent } from '../../src/disk/is-absent.ts';

/**
 * Reads the API token: the first line of the file, else `SVC_API_TOKEN`. Undefined when neither is given, for
 * an instance without authentication.
 *
 * @throws Error when the file cannot be read, or contains no token
 */
export async function readToken(
  path: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string | undefined> {
  if (path === undefined) {
    const token = env.SVC_API_TOKEN?.trim();
    return token === undefined || token === '' ? undefined : checkToken(token, 'SVC_API_TOKEN');
  }
  const line = await readFirstLine(path).catch((cause: NodeJS.ErrnoException) => {
    const why = isAbsent(cause) ? 'does not exist' : `cannot be read (${cause.code})`;
    throw new Error(`the token file ${path} ${why}`, { cause });
  });
  if (line === '') throw new Error(`the token file ${path} is empty`);
  return checkToken(line, `the token file ${path}`);
}

async function readFirstLine(path: string): Promise<string> {
  await using file = await open(path, 'r');
  const { bytesRead, buffer } = await file.read(Buffer.alloc(8192), 0, 8192);
  return buffer.toString('utf8', 0, bytesRead).split('\n', 1)[0]!.trim();
}

function checkToken(token: string, source: string): string {
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new Error(`${source} contains no token; expected one line of printable characters`);
}
