import { selectPage } from '../base/page.ts';
import type { Folder, FolderList } from '../contract/content.ts';
import type { ViewParts } from './parts.ts';
import { type ContentQuery, selectRepositories, toPrefix } from './select-repositories.ts';

/**
 * Groups the repositories that match a query by the path segment that follows its prefix. A repository with no other
 * below it is in no folder.
 */
export async function listFolders(
  parts: Pick<ViewParts, 'store' | 'gate'>,
  query: Omit<ContentQuery, 'sort'>,
): Promise<FolderList> {
  const prefix = toPrefix(query);
  const start = prefix === '' ? 0 : prefix.length + 1;
  const counts = new Map<string, { repositories: number; isFolder: boolean }>();
  for (const name of await selectRepositories(parts, query)) {
    if (name.length < start) continue;
    const slash = name.indexOf('/', start);
    const folder = slash < 0 ? name : name.slice(0, slash);
    const count = counts.get(folder) ?? { repositories: 0, isFolder: false };
    counts.set(folder, { repositories: count.repositories + 1, isFolder: count.isFolder || slash >= 0 });
  }
  const folders = [...counts]
    .filter(([, { isFolder }]) => isFolder)
    .map(([folder, { repositories }]): Folder => ({ prefix: folder, repositories }))
    .sort((a, b) => (a.prefix < b.prefix ? -1 : 1));
  const { selected, pageOf } = selectPage(folders, query);
  return { folders: selected, ...pageOf };
}
