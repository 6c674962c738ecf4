import { resolve } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { type ConfiguredPath, listConfigFiles, listDataFolders } from '../src/config/list-paths.ts';
import { toShownSource } from '../src/engine/sync/read-retriever.ts';
import type { Configured } from '../src/operation/layout-paths.ts';
import type { Store } from '../src/store/model.ts';

/**
 * Replaces paths of the machine in a text with the names of their settings. Angle brackets around them mark a placeholder
 * in a sentence of any language. Only administrators may see the paths.
 */
export type Conceal = (text: string) => string;

/** Lists the paths of the configuration, of the data folders and of the store. */
export function listPrivatePaths(
  { config, configPath }: Configured,
  store: Pick<Store, 'root'>,
): readonly ConfiguredPath[] {
  const { source } = config.retriever;
  return [
    // the real path, which errors contain
    { setting: 'storage.root', path: store.root },
    ...listDataFolders(config),
    ...listConfigFiles(config, configPath),
    ...(source === undefined ? [] : [{ setting: 'retriever.source', path: toShownSource(source) }]),
    ...config.files.packRoots.map((path) => ({ setting: 'files.packRoots', path: resolve(path) })),
  ];
}

/** Whether a character can be part of a path segment. A match next to one is only part of another path. */
const isPathCharacter = (text: string, at: number): boolean => /[A-Za-z0-9._~%@+-]/.test(text.charAt(at));

/** Whether a path segment continues at this index. Full stops continue it only when more of a path follows them. */
function continuesPath(text: string, at: number): boolean {
  let end = at;
  while (text.charAt(end) === '.') end += 1;
  return isPathCharacter(text, end) || (end > at && text.charAt(end) === '/');
}

function replacePath(text: string, path: string, shown: string): string {
  let result = '';
  let from = 0;
  for (;;) {
    const at = text.indexOf(path, from);
    if (at < 0) return result + text.slice(from);
    const end = at + path.length;
    const isPart = isPathCharacter(text, at - 1) || continuesPath(text, end);
    result += text.slice(from, at) + (isPart ? path : shown);
    from = end;
  }
}

/**
 * Makes the function that conceals these paths, the longest first, in JSON and in plain text. The path `/` is
 * not concealed.
 */
export function createConceal(paths: readonly ConfiguredPath[]): Conceal {
  return createReplacement(paths.map(({ setting, path }) => ({ path, shown: `<${setting}>` })));
}

/** Like `createConceal`, with the text that is shown in place of each path. */
export function createReplacement(
  paths: readonly { readonly path: string; readonly shown: string }[],
): Conceal {
  const known = new Map<string, string>();
  for (const { path, shown } of paths) {
    known.set(path, shown);
    // as escaped in JSON
    known.set(JSON.stringify(path).slice(1, -1), shown);
  }
  known.delete('/');
  const ordered = [...known].sort(([a], [b]) => b.length - a.length);
  return (text) => ordered.reduce((left, [path, shown]) => replacePath(left, path, shown), text);
}

/**
 * Like `createConceal`, for text that arrives in chunks. It works on complete lines, so that a path split
 * between two chunks is found.
 */
export async function* concealLines(chunks: AsyncIterable<Buffer>, conceal: Conceal): AsyncGenerator<Buffer> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    rest += decoder.write(chunk);
    const end = rest.lastIndexOf('\n') + 1;
    if (end > 0) yield Buffer.from(conceal(rest.slice(0, end)));
    rest = rest.slice(end);
  }
  rest += decoder.end();
  if (rest !== '') yield Buffer.from(conceal(rest));
}
