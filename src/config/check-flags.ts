import { loadConfig } from './load-config.ts';
import { validateConfig } from './validate-config.ts';
import type { Violation } from './violation.ts';

/**
 * Checks values of flags without any other layer of the configuration.
 *
 * @param flags unparsed text by key path
 * @returns the violations of which the command line alone is the cause
 */
export async function checkFlags(
  flags: Readonly<Record<string, string | undefined>>,
): Promise<readonly Violation[]> {
  const loaded = await loadConfig({ flags, configPath: '', explicit: false });
  return (await validateConfig(loaded, 'dump')).filter(({ usage }) => usage);
}
