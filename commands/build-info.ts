import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface BuildInfo {
  readonly version: string;
  readonly commit: string;
  /** RFC 3339. */
  readonly date: string;
}

/**
 * JSON text that the bundler substitutes for this name. Not defined when the program runs from its sources.
 */
declare const SVC_BUILD: string | undefined;

/** Returns version, commit and date of this program. A run from the sources has a version only. */
export function getBuildInfo(): BuildInfo {
  if (typeof SVC_BUILD !== 'undefined') return JSON.parse(SVC_BUILD);
  const manifest = JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8'));
  return { version: manifest.version, commit: 'unknown', date: 'unknown' };
}
