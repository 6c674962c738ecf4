import {
  chmodSync,
  closeSync,
  fstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';

/** Compiled forms of scripts, by the name of the script. */
export type CompiledCode = ReadonlyMap<string, Buffer>;

/** First line of a file of compiled code. */
interface Head {
  readonly sum: number;
  readonly parts: readonly (readonly [name: string, bytes: number])[];
}

const writableByOthers = 0o022;

/**
 * Returns the folder for compiled code, in the user's own cache folder: another user could put code into a shared one.
 * A missing `~/.cache` is made, as the XDG base directory specification asks.
 *
 * @param build identifies the code: compiled forms of another build are of no use
 * @returns undefined where the user has no folder of their own
 */
export function openCodeFolder(env: NodeJS.ProcessEnv, build: string): string | undefined {
  const isMine = (path: string): boolean => statSync(path).uid === process.geteuid?.();
  try {
    let base = env.XDG_CACHE_HOME;
    if (!base && env.HOME?.startsWith('/') && isMine(env.HOME)) {
      base = join(env.HOME, '.cache');
      makeFolder(base);
    }
    if (!base?.startsWith('/') || !isMine(base)) return undefined;
    const folder = join(base, 'svc', 'code');
    for (const path of [join(base, 'svc'), folder]) makeFolder(path);
    if ((statSync(folder).mode & writableByOthers) !== 0) chmodSync(folder, 0o700);
    return join(folder, build);
  } catch {
    return undefined;
  }
}

/**
 * Makes one folder, if it does not exist. Node's own `recursive` never returns where a filesystem answers `ENOENT` below a
 * folder that exists, as /proc does.
 *
 * @throws the operating system's error
 */
function makeFolder(path: string): void {
  try {
    mkdirSync(path, 0o700);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/** Reads a file of compiled code; undefined when it is absent, damaged, or another user may have written it. */
export function readCompiledCode(path: string): CompiledCode | undefined {
  try {
    const file = openSync(path, 'r');
    try {
      const { uid, mode } = fstatSync(file);
      if (uid !== process.geteuid?.() || (mode & writableByOthers) !== 0) return undefined;
      return parseCompiledCode(readFileSync(file));
    } finally {
      closeSync(file);
    }
  } catch {
    return undefined;
  }
}

function parseCompiledCode(bytes: Buffer): CompiledCode | undefined {
  const end = bytes.indexOf('\n');
  const { sum, parts } = JSON.parse(bytes.toString('latin1', 0, end)) as Head;
  let at = end + 1;
  if (crc32(bytes.subarray(at)) !== sum) return undefined;
  const code = new Map<string, Buffer>();
  for (const [name, length] of parts) {
    code.set(name, bytes.subarray(at, at + length));
    at += length;
  }
  return code;
}

/** Writes a file of compiled code, and removes those of other builds. Failures only cost time in the next run. */
export function writeCompiledCode(path: string, code: CompiledCode): void {
  try {
    const folder = join(path, '..');
    const all = join(folder, '..');
    for (const name of readdirSync(all))
      if (join(all, name) !== folder) rmSync(join(all, name), { recursive: true, force: true });
    makeFolder(folder);
    const body = Buffer.concat([...code.values()]);
    const head: Head = {
      sum: crc32(body),
      parts: [...code].map(([name, { length }]) => [name, length]),
    };
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), body]), {
      mode: 0o600,
      flag: 'wx',
    });
    renameSync(temporary, path);
  } catch {
    // the next run compiles again
  }
}
