import { TarError } from '../../disk/tar/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
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
  if (path === '') throw new TarError(rule(['an entry without a name', fr`une entrée sans nom`]));
  if (path.length > pathBytes)
    throw new TarError(
      rule(['longer than {pathBytes} bytes', fr`de plus de {pathBytes} octets`], { pathBytes }),
      path,
    );
  const names = path.split('/').filter((name) => name !== '' && name !== '.');
  if (names.includes('..')) throw new TarError(rule(['it leads outside', fr`il mène à l’extérieur`]), path);
  if (names.length > depth)
    throw new TarError(
      rule(['deeper than {depth} folders', fr`à plus de {depth} dossiers de profondeur`], { depth }),
      path,
    );
  return names;
}
