import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface BuildInfo {
  readonly version: string;
  readonly commit: string;
  /** RFC 3339. */
  readonly date: string;
}

/** What the bundler knows: it replaces this name by a JSON text. Run from the sources there is none. */
declare const SVC_BUILD: string | undefined;

/** Version, commit and date of this program; a run from the sources knows its version only. */
export function getBuildInfo(): BuildInfo {
  if (typeof SVC_BUILD !== 'undefined') return JSON.parse(SVC_BUILD);
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
  return { version: manifest.version, commit: 'unknown', date: 'unknown' };
}
