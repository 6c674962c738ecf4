import { join } from 'node:path';
import { formatByteRate, parseByteRate } from '../base/link/byte-rate.ts';
import { checkTimeZone, checkWindow, checkWindowList } from '../base/link/windows.ts';
import type { Report } from '../base/report.ts';
import { removeDurably, writeStateFile } from '../disk/atomic-file.ts';
import { readPlainText } from '../disk/plain-file.ts';

/** Settings of an administrator at run time, in place of the configuration. */
export interface LinkOverrides {
  /** Bytes a second; 0: no cap. */
  readonly rateLimit?: number;
  readonly windows?: { readonly windows: readonly string[]; readonly timeZone: string };
}

const pathOf = (stateRoot: string): string => join(stateRoot, 'link');

/** Overrides that were read. */
interface ReadOverrides {
  readonly overrides: LinkOverrides;
  /** Whether there are some that cannot be read: the configuration holds in their place. */
  readonly isDamaged: boolean;
}

/** Reads the overrides. One that cannot be read leaves the other in force; it is logged. */
export async function readOverrides(stateRoot: string, report: Report): Promise<ReadOverrides> {
  const path = pathOf(stateRoot);
  const read = await readDocument(path);
  if (read.isDamaged)
    report.log('error', 'The overrides of the link cannot be read; using the configuration', { path });
  return read;
}

async function readDocument(path: string): Promise<ReadOverrides> {
  let document: Readonly<Record<string, unknown>>;
  try {
    document = JSON.parse(await readPlainText(path)) as typeof document;
    if (typeof document !== 'object' || document === null) return { overrides: {}, isDamaged: true };
  } catch (error) {
    return { overrides: {}, isDamaged: (error as NodeJS.ErrnoException).code !== 'ENOENT' };
  }
  const { rateLimit, windows, timeZone } = document;
  const rate = rateLimit === undefined ? undefined : parseByteRate(String(rateLimit));
  const list = windows === undefined ? undefined : toList(windows, timeZone);
  const isRate = rate !== undefined && 'bytesPerSecond' in rate;
  const isList = list !== undefined && list !== 'broken';
  return {
    overrides: {
      ...(isRate ? { rateLimit: rate.bytesPerSecond } : {}),
      ...(isList ? { windows: list } : {}),
    },
    isDamaged: (rate !== undefined && !isRate) || list === 'broken',
  };
}

function toList(windows: unknown, timeZone: unknown): NonNullable<LinkOverrides['windows']> | 'broken' {
  if (!Array.isArray(windows) || typeof timeZone !== 'string') return 'broken';
  const texts = windows.map(String);
  const rule = texts.map(checkWindow).find(Boolean) ?? checkWindowList(texts) ?? checkTimeZone(timeZone);
  return rule === undefined ? { windows: texts, timeZone } : 'broken';
}

/** Writes the overrides durably. @throws SVC-STO-002 */
export async function writeOverrides(
  stateRoot: string,
  { rateLimit, windows }: LinkOverrides,
): Promise<void> {
  const path = pathOf(stateRoot);
  if (rateLimit === undefined && windows === undefined) {
    await removeDurably(path);
    return;
  }
  const document = {
    ...(rateLimit === undefined ? {} : { rateLimit: formatByteRate(rateLimit) }),
    ...windows,
  };
  await writeStateFile(path, `${JSON.stringify(document)}\n`);
}
