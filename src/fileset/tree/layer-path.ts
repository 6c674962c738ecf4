import { TarError } from '../../disk/tar/error.ts';
import { filesetLimits } from '../limits.ts';

/**
 * Splits a path in a layer into names, from the root of the tree; the root itself has none. A leading `/` or `./` means
 * the root, as everywhere in layers.
 *
 * @param path one character per byte
 * @throws TarError for a path that leaves the tree or is too long
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
