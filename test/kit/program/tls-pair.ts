import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'tls');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

export interface TlsPair {
  readonly cert: string;
  readonly key: string;
  /** The authority that issued it, and its file. */
  readonly ca: string;
  readonly caFile: string;
  /** An authority that did not. */
  readonly otherCa: string;
}

/** A certificate for localhost, 127.0.0.1, registry.test, *.registry.test and proxy.test from an authority of the tests. */
export const tlsPair: TlsPair = {
  cert: read('leaf.pem'),
  key: read('leaf-key.pem'),
  ca: read('ca.pem'),
  caFile: join(folder, 'ca.pem'),
  otherCa: read('other-ca.pem'),
};
