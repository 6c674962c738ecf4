import type { Report } from '../base/report.ts';
import type { ConfigWith } from '../config/requirements.ts';
import type { OpenStoreOptions } from '../store/model.ts';

/**
 * Converts a configuration to the options for opening its store.
 *
 * @param version version of the program, recorded in the store
 */
export function toStoreOptions(
  config: ConfigWith<'storage.root'>,
  version: string,
  report: Report,
): Omit<OpenStoreOptions, 'access'> {
  return {
    root: config.storage.root,
    create: config.storage.create,
    stateRoot: config.state.root,
    zone: config.zone,
    mode: config.mode,
    producer: { version },
    report,
  };
}
