import { type LoadedConfig, loadConfig } from './load-config.ts';

/**
 * Finds the zone that a configuration has without its flag: another one may name no zone of this instance.
 *
 * @param env as it was for the loaded configuration
 * @param configPath the document, where a flag names it
 * @returns undefined where no flag names a zone, where it names the same one, and where the configuration has none
 * @throws as `loadConfig`
 */
export async function findOwnZone(
  { config: { zone }, originOf }: LoadedConfig,
  env: Readonly<Record<string, string | undefined>>,
  configPath: string | undefined,
): Promise<string | undefined> {
  if (originOf('zone').layer !== 'flag') return undefined;
  const { config } = await loadConfig({
    env,
    ...(configPath === undefined ? {} : { configPath, explicit: true }),
  });
  return config.zone === zone ? undefined : config.zone;
}
