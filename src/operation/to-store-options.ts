import type { Report } from '../base/report.ts';
import type { ConfigWith } from '../config/requirements.ts';
import type { OpenStoreOptions } from '../store/model.ts';

/**
 * What a configuration says about its store, for whoever opens it.
 *
 * @param version of the program, for what it writes
 */
export function toStoreOptions(
  config: ConfigWith<'storage.root'>,
  version: string,
  report: Report,
): Omit<OpenStoreOptions, 'access'> {
  return {
    root: config.storage.root,
    stateRoot: config.state.root,
    zone: config.zone,
    mode: config.mode,
    producer: { version },
    report,
  };
}
