import { TarError } from '../disk/tar-error.ts';
import { filesetLimits } from './limits.ts';

/**
 * The names of a path in a layer, from the root of the tree on; none for the root itself. A leading `/` or `./` means
 * the root, as everywhere in layers.
 *
 * @param path one character a byte
 * @throws TarError for what leads outside or is too long
 */
export function parseLayerPath(path: string): readonly string[] {
  const { depth, pathBytes } = filesetLimits;
  if (path === '') throw new TarError('an entry without a name');
  if (path.length > pathBytes) throw new TarError(`longer than ${pathBytes} bytes`, path);
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw new TarError('it leads outside', path);
  if (names.length > depth) throw new TarError(`deeper than ${depth} folders`, path);
  return names;
}
