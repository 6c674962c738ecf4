import { join } from 'node:path';
import { formatByteRate, parseByteRate } from '../base/link/byte-rate.ts';
import { checkTimeZone, checkWindow, checkWindowList } from '../base/link/windows.ts';
import type { Report } from '../base/report.ts';
import { removeDurably, writeStateFile } from '../disk/atomic-file.ts';
import { readPlainText } from '../disk/plain-file.ts';

/** What an administrator has set at run time, in place of the configuration. */
export interface LinkOverrides {
  /** Bytes a second; 0: no cap. */
  readonly rateLimit?: number;
  readonly windows?: { readonly windows: readonly string[]; readonly timeZone: string };
}

const pathOf = (stateRoot: string): string => join(stateRoot, 'link');

/** Reads the overrides. What cannot be read is logged, and the configuration holds in its place. */
export async function readOverrides(stateRoot: string, report: Report): Promise<LinkOverrides> {
  const path = pathOf(stateRoot);
  try {
    const document = JSON.parse(await readPlainText(path)) as Record<string, unknown> | null;
    const { rateLimit, windows, timeZone } = document ?? {};
    const rate = rateLimit === undefined ? undefined : parseByteRate(String(rateLimit));
    const list = windows === undefined ? undefined : toList(windows, timeZone);
    if ((rate !== undefined && 'rule' in rate) || list === 'broken') throw new Error('damaged');
    return {
      ...(rate === undefined ? {} : { rateLimit: rate.bytesPerSecond }),
      ...(list === undefined ? {} : { windows: list }),
    };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
      report.log('error', 'The overrides of the link cannot be read; using the configuration', { path });
    return {};
  }
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
