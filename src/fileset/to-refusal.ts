import type { TarError } from '../disk/tar/error.ts';
import { type SvcError, svcError } from '../text/error.ts';
import type { FilesetImage } from './model.ts';

/**
 * Creates SVC-FIL-004 for an image whose layers are no tree of files.
 *
 * @param layer named if the error has no path
 */
export function toRefusal({ reference }: FilesetImage, layer: string, error: TarError): SvcError {
  // names are bytes; shown as UTF-8, which they most likely are
  const path = error.path === undefined ? layer : Buffer.from(error.path.slice(0, 512), 'latin1').toString();
  return svcError('SVC-FIL-004', { reference, path, rule: error.rule }, { cause: error });
}
