import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type AssetName = 'app.css' | 'app.js' | 'icon.svg';

export interface AssetSource {
  readonly bytes: Uint8Array;
  /** Compressed by the build. */
  readonly gzip?: Buffer;
  readonly br?: Buffer;
}

/** Style sheets in the order of the file: within a layer, the later rule wins. */
export const styleFiles: readonly string[] = [
  'tokens.css',
  'base.css',
  'shell.css',
  'side.css',
  'suggest.css',
  'parts.css',
  'forms.css',
  'progress.css',
  'tables.css',
  'content.css',
  'transfer.css',
  'pictures.css',
  'board.css',
  'admin.css',
  'narrow.css',
  'cards.css',
  'print.css',
];
/** The policy precedes htmx, which needs it; the listeners of its events follow. */
export const scriptsBefore: readonly string[] = ['trust.ts'];
export const scriptsAfter: readonly string[] = [
  'live.ts',
  'keep-forms.ts',
  'copy.ts',
  'search.ts',
  'suggest.ts',
  'help.ts',
];
/** Files of the package htmx.org. */
export const htmxFiles: readonly string[] = ['htmx.org/dist/htmx.min.js', 'htmx.org/dist/ext/hx-ptag.min.js'];

/**
 * The assets made from the sources. The build puts a module with their compressed bytes in place of this one
 * (`scripts/embed-assets.ts`).
 */
export async function assetSources(): Promise<Readonly<Record<AssetName, AssetSource>>> {
  const folder = join(import.meta.dirname, 'assets');
  const read = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
  const script = async (name: string): Promise<string> => `{${stripTypeScriptTypes(await read(name))}\n}`;
  const styles = await Promise.all(styleFiles.map(read));
  const scripts = await Promise.all([
    ...scriptsBefore.map(script),
    ...htmxFiles.map((name) => readFile(fileURLToPath(import.meta.resolve(name)), 'utf8')),
    ...scriptsAfter.map(script),
  ]);
  return {
    'app.css': { bytes: Buffer.from(styles.join('\n')) },
    'app.js': { bytes: Buffer.from(scripts.join('\n;\n')) },
    'icon.svg': { bytes: await readFile(join(folder, 'icon.svg')) },
  };
}
