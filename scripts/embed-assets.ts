import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { type Plugin, transformSync } from 'esbuild';
import { htmxFiles, scriptsAfter, scriptsBefore, styleFiles } from '../server/ui/asset-sources.ts';
import { root } from './bundle-options.ts';

const folder = join(root, 'server', 'ui', 'assets');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** The assets of the web interface as the package carries them: the same files as from the sources, minified. */
export function buildAssets(): ReadonlyMap<string, Buffer> {
  const require = createRequire(join(root, 'package.json'));
  const style = styleFiles.map(read).join('\n');
  const script = (name: string): string =>
    transformSync(read(name), { loader: 'ts', minify: true, format: 'iife', target: 'es2022' }).code;
  const scripts = [
    ...scriptsBefore.map(script),
    ...htmxFiles.map((name) => readFileSync(require.resolve(name), 'utf8')),
    ...scriptsAfter.map(script),
  ];
  return new Map([
    ['app.css', Buffer.from(transformSync(style, { loader: 'css', minify: true, target: 'es2022' }).code)],
    ['app.js', Buffer.from(scripts.join('\n;\n'))],
    ['icon.svg', Buffer.from(read('icon.svg').trim())],
  ]);
}

function toModule(assets: ReadonlyMap<string, Buffer>): string {
  const entries = [...assets].map(([name, bytes]) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
    const br = brotliCompressSync(bytes, { params }).toString('base64');
    const gzip = gzipSync(bytes, { level: 9 }).toString('base64');
    return `${JSON.stringify(name)}: embedded('${gzip}', '${br}')`;
  });
  return `import { gunzipSync } from 'node:zlib';
const embedded = (gzipText, brText) => {
  const gzip = Buffer.from(gzipText, 'base64');
  return { bytes: gunzipSync(gzip), gzip, br: Buffer.from(brText, 'base64') };
};
export const assetSources = async () => ({ ${entries.join(', ')} });
`;
}

/** Puts the assets, minified and compressed, in place of the module that makes them from the sources. */
export const embedAssets: Plugin = {
  name: 'embed-assets',
  setup({ onLoad }) {
    onLoad({ filter: /\/server\/ui\/asset-sources\.ts$/ }, () => ({
      contents: toModule(buildAssets()),
      loader: 'js',
    }));
  },
};
