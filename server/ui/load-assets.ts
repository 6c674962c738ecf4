import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type AssetName, assetSources } from './asset-sources.ts';

/** A file that pages load, ready to be sent. */
export interface Asset {
  readonly contentType: string;
  readonly bytes: Buffer;
  readonly gzip: Buffer;
  readonly br: Buffer;
}

export interface Assets {
  /** Digest of all assets: part of their paths, so that a change gives new paths. */
  readonly hash: string;
  get(name: string): Asset | undefined;
  /** Where a page finds one: `/static/<hash>/app.css`. */
  pathOf(name: AssetName): string;
}

const contentTypes: Readonly<Record<AssetName, string>> = {
  'app.css': 'text/css; charset=utf-8',
  'app.js': 'text/javascript; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** A quick level, for the compression at each start from the sources; the build brings well-compressed files. */
const quick = { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } };

/** Reads the style sheet, the script and the icon from the sources, or their embedded copies in a build. */
export async function loadAssets(): Promise<Assets> {
  const assets = new Map<string, Asset>();
  const hash = createHash('sha256');
  for (const [name, source] of Object.entries(await assetSources())) {
    const bytes = Buffer.from(source.bytes);
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
    assets.set(name, {
      contentType: contentTypes[name as AssetName],
      bytes,
      gzip: source.gzip ?? gzipSync(bytes),
      br: source.br ?? brotliCompressSync(bytes, quick),
    });
  }
  const version = hash.digest('hex').slice(0, 12);
  return {
    hash: version,
    get: (name) => assets.get(name),
    pathOf: (name) => `/static/${version}/${name}`,
  };
}
