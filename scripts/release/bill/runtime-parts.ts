import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Licenses of the parts of the runtime, as expressions of SPDX, by their names in `process.versions` and in
 * `listUnnamedParts`. They are those of the file LICENSE of the runtime.
 */
export const runtimeLicenses: Readonly<Record<string, string>> = {
  acorn: 'MIT',
  ada: 'MIT OR Apache-2.0',
  amaro: 'MIT',
  ares: 'MIT',
  'balanced-match': 'MIT',
  'brace-expansion': 'MIT',
  brotli: 'MIT',
  icu: 'Unicode-3.0',
  llhttp: 'MIT',
  merve: 'MIT',
  minimatch: 'BlueOak-1.0.0',
  nbytes: 'MIT',
  ncrypto: 'MIT',
  nghttp2: 'MIT',
  nghttp3: 'MIT',
  ngtcp2: 'MIT',
  openssl: 'Apache-2.0',
  simdjson: 'Apache-2.0',
  simdutf: 'MIT',
  sqlite: 'blessing',
  undici: 'MIT',
  uv: 'MIT',
  uvwasi: 'MIT',
  v8: 'BSD-3-Clause',
  zlib: 'Zlib',
  zstd: 'BSD-3-Clause',
};

/**
 * Parts of the runtime that `process.versions` does not name: the matcher of `fs.glob`, with the parts bundled into it.
 * Only the change log of the runtime has a version, and only that of the matcher.
 *
 * @param root of the sources, with the installed runtime
 */
export function listUnnamedParts(
  root: string,
): readonly { readonly name: string; readonly version: string | undefined }[] {
  const log = readFileSync(join(root, 'node_modules', `node-linux-${process.arch}`, 'CHANGELOG.md'), 'utf8');
  // the newest change is the first
  const version = /\*\*deps\*\*: update minimatch to (\d+\.\d+\.\d+) /.exec(log)?.[1];
  return [
    { name: 'minimatch', version },
    { name: 'brace-expansion', version: undefined },
    { name: 'balanced-match', version: undefined },
  ];
}
