import { listConfigFiles, listDataFolders } from '../../src/config/list-paths.ts';
import type { Config } from '../../src/config/model.ts';

/**
 * Puts the paths of a configuration in the place of the names of their settings, which an instance shows to everybody but
 * administrators. Only for the instance of this configuration, of which the caller has read the document.
 *
 * @param text JSON
 */
export function revealPaths(text: string, config: Config): string {
  const paths = new Map<string, Set<string>>();
  for (const { setting, path } of [...listDataFolders(config), ...listConfigFiles(config)])
    paths.set(setting, (paths.get(setting) ?? new Set()).add(path));
  let revealed = text;
  // a name that stands for several paths does not say which
  for (const [setting, found] of paths)
    if (found.size === 1)
      revealed = revealed.replaceAll(`<${setting}>`, () => JSON.stringify([...found][0]).slice(1, -1));
  return revealed;
}
