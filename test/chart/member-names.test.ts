import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readChartFiles } from '../../src/authoring/chart/read-chart-files.ts';
import { readChartDependencies } from '../../src/chart/embedded-dependencies.ts';
import { requireSafeNames } from '../../src/chart/member-names.ts';
import { isSvcError } from '../../src/text/error.ts';
import { sayParam } from '../../src/text/message.ts';
import { type RawMember, toPax, toRawArchive } from '../kit/content/tar-archive.ts';

const meta: RawMember = { path: 'web/Chart.yaml', content: 'apiVersion: v2\nname: web\nversion: 1.0.0\n' };
const values = (path: string, more: Partial<RawMember> = {}): RawMember => ({
  path,
  content: 'image: other.example/b:2\n',
  ...more,
});
const plain: RawMember = { path: 'web/values.yaml', content: 'image: own.example/a:1\n' };

/** Archives that helm reads otherwise than a reader of literal paths, or that it refuses. */
const archives: Readonly<Record<string, readonly (RawMember | Buffer)[]>> = {
  'a file in a second top-level folder': [meta, plain, values('zzz/values.yaml')],
  'a file outside of the folder of the chart': [meta, plain, values('values.yaml')],
  'an entry with the segment "." in its path': [meta, plain, values('web/./values.yaml')],
  'two entries with one name': [meta, plain, values('web/values.yaml')],
  'two entries whose names differ only in case, form or dots at an end': [
    meta,
    plain,
    values('web/values.yaml.'),
  ],
  'an entry that leads out of the chart': [meta, plain, values('web//values.yaml')],
  'a link': [meta, plain, { path: 'web/x.yaml', flag: '2', target: 'values.yaml' }],
  'an entry with a backslash or a drive letter in its name': [meta, plain, values('web\\values.yaml')],
  'a file with the mode of a folder': [
    meta,
    values('web/values.yaml', { edit: (block) => void block.write('0040755\0', 100) }),
  ],
};
const more: typeof archives = {
  ...archives,
  'an entry that leads out of the chart': [meta, plain, values('/values.yaml')],
  'an entry with the segment "." in its path': [{ ...meta, path: './Chart.yaml' }, plain],
  'two entries whose names differ only in case, form or dots at an end': [meta, values('web/chart.yaml')],
  'two entries with one name': [meta, plain, toPax({ path: 'web/values.yaml' }), values('web/x')],
};

const pack = (members: readonly (RawMember | Buffer)[]): Buffer => gzipSync(toRawArchive(members));

test('an archive that helm reads otherwise is refused, with what is wrong in both languages', async () => {
  for (const table of [archives, more])
    for (const [what, members] of Object.entries(table)) {
      const isRefused = (error: unknown): boolean =>
        isSvcError(error, 'SVC-SIG-003') &&
        String(error.params.actual).split(': ')[0] === what &&
        sayParam(error, 'actual', 'fr').split('\u00a0: ')[0] !== what;
      const archive = pack(members);
      await assert.rejects(readChartFiles(Readable.from([archive]), 'web'), isRefused, what);
      const contents = await readChartDependencies(Readable.from([archive]), 'web');
      assert.throws(() => requireSafeNames(contents, 'web'), isRefused, what);
    }
  const embedded = pack([
    meta,
    plain,
    { path: 'web/charts/x.tgz', content: pack(archives['two entries with one name']!) },
  ]);
  await assert.rejects(readChartFiles(Readable.from([embedded]), 'web'), (error) =>
    isSvcError(error, 'SVC-SIG-003'),
  );
});

test('a name that readers of Go take from another field is refused', async () => {
  const shifted = values('values.yaml', {
    edit: (block) => {
      block.write('ustar  \0', 257, 'latin1');
      block.write('web', 345);
    },
  });
  await assert.rejects(readChartFiles(Readable.from([pack([meta, plain, shifted])]), 'web'), (error) =>
    isSvcError(error, 'SVC-SIG-003'),
  );
});

test('folders, long names and a name with dots inside are no reason to refuse', async () => {
  const long = `web/templates/${'a'.repeat(120)}.yaml`;
  const archive = pack([
    { path: 'web/', flag: '5' },
    meta,
    { path: 'web/', flag: '5' },
    plain,
    toPax({ path: long }),
    { path: 'web/templates/a', content: 'x: 1\n' },
    { path: 'web/templates/a..b.yaml', content: 'x: 1\n' },
  ]);
  const files = await readChartFiles(Readable.from([archive]), 'web');
  assert.deepEqual(
    [...files.keys()].sort(),
    ['Chart.yaml', 'templates/a..b.yaml', long.slice('web/'.length), 'values.yaml'].sort(),
  );
});
