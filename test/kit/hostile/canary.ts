import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, utimesSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Files outside of a medium that nothing may read, change or run. */
export interface Canary {
  readonly folder: string;
  /** In each of the files, and nowhere else. */
  readonly text: string;
  /** A file of plain text. */
  readonly file: string;
  /** The file that a planted program writes when somebody runs it. */
  readonly trace: string;
  /** From here on nothing may happen to them. */
  arm(): void;
  /** The harm to them since. */
  harm(): string[];
}

const asked = new Date('2001-01-01T00:00:00Z');
const changed = new Date('2002-01-01T00:00:00Z');

/** Lays out canaries in a folder that does not exist yet. */
export async function layCanaries(folder: string): Promise<Canary> {
  const text = `canary-${randomUUID()}`;
  const file = join(folder, 'secret.txt');
  const files = [file, join(folder, 'media.jsonl'), join(folder, 'sha256', 'secret'), join(folder, 'probe')];
  await mkdir(join(folder, 'sha256'), { recursive: true });
  for (const one of files) await writeFile(one, text);
  const wasRead = (path: string): boolean => lstatSync(path).atimeMs !== asked.getTime();
  const reset = (): void => {
    for (const one of files) utimesSync(one, asked, changed);
  };
  reset();
  readFileSync(files.at(-1)!);
  // where a volume does not keep the times of reading, nothing can be said about it
  const tells = wasRead(files.at(-1)!);
  const look = (): string[] =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .sort()
      .map((name) => `${name} ${lstatSync(join(folder, name), { bigint: true }).ctimeNs}`);
  let before: string[] = [];
  return {
    folder,
    text,
    file,
    trace: join(folder, 'ran'),
    arm: () => {
      reset();
      before = look();
    },
    harm: () => [
      ...(tells ? files.filter(wasRead).map((path) => `read: ${path}`) : []),
      ...look()
        .filter((line) => !before.includes(line))
        .map((line) => `changed: ${line}`),
    ],
  };
}
