import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { splitId } from '../../scene/split-delivery.ts';
import type { HostilePart, HostileScene } from './hostile-part.ts';

const segmentsOf = ({ state, delivery }: HostileScene): string =>
  join(state, 'media', 'segments', delivery.layers.shop[2].replace(':', '-'));
const recordOf = ({ state }: HostileScene): string => join(state, 'media', 'deliveries', `${splitId}.json`);

/** Does something to each kept segment. */
const keptSegment = (
  name: string,
  change: (path: string, scene: HostileScene) => unknown,
  expected: Partial<HostilePart>,
): HostilePart => ({
  name: `a kept segment ${name}`,
  before: [1],
  part: 2,
  spoil: async (_part, scene) => {
    const folder = segmentsOf(scene);
    for (const file of await readdir(folder)) await change(join(folder, file), scene);
  },
  shop: 'waiting',
  ...expected,
});

/** Does something to the record of the delivery. */
const record = (
  name: string,
  change: (path: string, scene: HostileScene) => unknown,
  expected: Partial<HostilePart> = {},
): HostilePart => ({
  name: `a record of the delivery ${name}`,
  before: [1],
  part: 2,
  spoil: (_part, scene) => change(recordOf(scene), scene),
  ...expected,
});

const edit = (change: (document: any) => unknown) => async (path: string) => {
  const document = JSON.parse(await readFile(path, 'utf8'));
  await writeFile(path, JSON.stringify(change(document) ?? document));
};

/** Such a record ends the import; the message names the file, and somebody removes it. */
const unusable: Partial<HostilePart> = {
  ends: 'SVC-STO-001',
  says: /media\/deliveries\/dlv_0123456789ab\.json/,
  repair: (scene) => rm(recordOf(scene), { recursive: true, force: true }),
};

/** The memory of the zone: kept segments and records, altered, cut, gone, of another version, or no files. */
export const memories: readonly HostilePart[] = [
  keptSegment('that is gone', (path) => rm(path), {}),
  keptSegment(
    'whose folder is gone',
    (_path, scene) => rm(segmentsOf(scene), { recursive: true, force: true }),
    {},
  ),
  keptSegment('that is cut short', (path) => truncate(path, 10), {}),
  keptSegment('that is empty', (path) => truncate(path, 0), {}),
  keptSegment('with a byte more', (path) => writeFile(path, 'x', { flag: 'a' }), {}),
  keptSegment('of eight tebibytes that take no room', (path) => truncate(path, 2 ** 43), {}),
  keptSegment('under a name of a later version', (path) => rename(path, `${path}.v9`), {}),
  keptSegment('under a name that is no range', (path) => rename(path, join(path, '..', 'first')), {}),
  keptSegment(
    'that is a folder',
    async (path) => {
      await rm(path);
      await mkdir(path);
    },
    {},
  ),
  keptSegment(
    'that is a pipe',
    async (path) => {
      await rm(path);
      execFileSync('mkfifo', [path]);
    },
    {},
  ),
  keptSegment(
    'that leads elsewhere',
    async (path, { canary }) => {
      await rm(path);
      await symlink(canary.file, path);
    },
    {},
  ),
  keptSegment(
    'of other bytes',
    async (path) => writeFile(path, Buffer.alloc((await readFile(path)).length, 7)),
    {
      shop: 'SVC-MED-047',
      says: /parts 1 and 2/,
    },
  ),
  keptSegment(
    'in the place of whose folder is a file',
    async (_path, scene) => {
      await rm(segmentsOf(scene), { recursive: true, force: true });
      await writeFile(segmentsOf(scene), 'x');
    },
    {},
  ),
  keptSegment(
    'in the place of whose tree is a file',
    async (_path, scene) => {
      await rm(dirname(segmentsOf(scene)), { recursive: true, force: true });
      await writeFile(dirname(segmentsOf(scene)), 'x');
    },
    {},
  ),
  {
    name: 'temporary files of a killed import beside kept segments',
    before: [1],
    part: 2,
    spoil: async (_part, scene) => {
      const [file] = await readdir(segmentsOf(scene));
      await writeFile(join(segmentsOf(scene), `${file}.0123456789ab.tmp`), 'half');
      await writeFile(`${recordOf(scene)}.0123456789ab.tmp`, 'half');
    },
  },
  record('that is gone', (path) => rm(path)),
  record('that is empty', (path) => truncate(path, 0), unusable),
  record('that is cut short', (path) => truncate(path, 100), unusable),
  record('that is no document', (path) => writeFile(path, 'delivery'), unusable),
  record('that is null', (path) => writeFile(path, 'null'), unusable),
  record('of another form', (path) => writeFile(path, '{"id":7}'), unusable),
  record('with bytes that are no UTF-8', (path) => writeFile(path, Buffer.from([0xff, 0xfe])), unusable),
  record(
    'that is a folder',
    async (path) => {
      await rm(path);
      await mkdir(path);
    },
    unusable,
  ),
  record(
    'that is a pipe',
    async (path) => {
      await rm(path);
      execFileSync('mkfifo', [path]);
    },
    unusable,
  ),

  record(
    'that says all landed',
    edit((document) => {
      document.complete = true;
      document.needed = [];
      for (const recipe of document.recipes) recipe.state = 'landed';
    }),
  ),
  record(
    'with members of a later version',
    edit((document) => ({
      ...document,
      couriers: [{ name: 'ana' }],
      landed: document.landed.map((own: object) => ({ ...own, seal: 7 })),
    })),
  ),
  record(
    'with a state of a later version',
    edit((document) => {
      for (const recipe of document.recipes) recipe.state = 'quarantined';
    }),
    unusable,
  ),
  record(
    'that names no part',
    edit((document) => ({ ...document, landed: [] })),
  ),
  record(
    'that names another number of parts',
    edit((document) => ({ ...document, parts: 9 })),
  ),
  record('of another delivery that is damaged', (path) =>
    writeFile(path.replace(splitId, 'dlv_ffffffffffff'), 'delivery'),
  ),
  record('of another delivery under a strange name', (path) =>
    writeFile(path.replace(splitId, 'dlv_..'), 'delivery'),
  ),
];
