// make-program VERSION OUT WORK: makes the program for this processor and its bill, without the rest of a release.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../scripts/bundle-options.ts';
import { listBundled, toBill } from '../../scripts/release/bill/to-bill.ts';
import { embedded, makeSingleFiles } from '../../scripts/release/program.ts';
import { openSource } from '../../scripts/release/source.ts';

const [version, out, work] = process.argv.slice(2) as [string, string, string];
const source = openSource(root, version);
const platforms = ['x64'] as const;
const { metafiles, parts } = await makeSingleFiles({ source, platforms, out, work });
writeFileSync(join(out, 'svc.cdx.json'), toBill(source, listBundled(metafiles), embedded, platforms, parts));
