import { execFileSync } from 'node:child_process';
import { copyFile, link, mkdir, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashBytes } from '../../../../src/base/digest.ts';
import { blobPath } from '../../../../src/oci/layout.ts';
import { absentListPath, formatAbsentBlob } from '../../../../src/store/rest/absent-list.ts';
import { nest } from '../hostile-media/hostile-medium.ts';

import {
  at,
  editHeader,
  editLine,
  editList,
  type HostilePart,
  line,
  readList,
  writeList,
} from './hostile-part.ts';

const stranger = hashBytes('a stranger');
const blocked = { blocks: ['SVC-MED-002'] } as const;

type Spoil = NonNullable<HostilePart['spoil']>;
const lie = (name: string, spoil: Spoil, expected: Partial<HostilePart> = blocked): HostilePart => ({
  name: `a list of absent blobs ${name}`,
  spoil,
  ...expected,
});

/** Lists whose lines are well-formed, and do not say what is so. */
const lies: readonly HostilePart[] = [
  lie('that names a layer of the medium', (part, { delivery }) =>
    editList(part, (lines) => [...lines, line(delivery.layers.depot[0], [2])]),
  ),
  lie('that says a layer of the medium is at the base', (part, { delivery }) =>
    editList(part, (lines) => [...lines, line(delivery.layers.depot[0], 'base')]),
  ),
  lie('that names all layers of the medium', (part, { delivery }) =>
    editList(part, (lines) => [...lines, ...delivery.layers.depot.map((digest) => line(digest, [2]))]),
  ),
  lie('that names the image manifest of the medium', (part, { delivery: { artifacts } }) => {
    const { digest, size } = artifacts.depot.manifest.descriptor;
    return editList(part, (lines) => [...lines, line(digest, [2], size)]);
  }),
  lie('that names the recipe of the medium', (part, { delivery: { medium } }) =>
    editList(part, (lines) => [...lines, line(medium.records[0]!.digest, [2])]),
  ),
  lie('that names content of nobody', (part) => editList(part, (lines) => [...lines, line(stranger, [2])]), {
    findings: ['SVC-MED-022'],
  }),
  lie(
    'that names content of nobody at the base',
    (part) => editList(part, (lines) => [...lines, line(stranger, 'base')]),
    { findings: ['SVC-MED-022'] },
  ),
  lie(
    'that names ten thousand blobs of nobody',
    (part) =>
      editList(part, (lines) => [
        ...lines,
        ...Array.from({ length: 10_000 }, (_, i) => line(hashBytes(`${i}`), [2])),
      ]),
    { findings: ['SVC-MED-022'] },
  ),
  lie(
    'that names content of another algorithm',
    (part) => editList(part, (lines) => [...lines, line(hashBytes('x', 'sha512'), [2])]),
    { findings: ['SVC-MED-022'] },
  ),
  lie(
    'with a size too small',
    (part, { delivery }) =>
      editLine(part, delivery.layers.shop[1], (own) => ({ ...own, size: own.size - 1 })),
    { shop: 'SVC-MED-002' },
  ),
  lie(
    'with a size too large',
    (part, { delivery }) => editLine(part, delivery.layers.shop[1], (own) => ({ ...own, size: 2 ** 52 })),
    { shop: 'SVC-MED-002' },
  ),
  lie(
    'with the size nought',
    (part, { delivery }) => editLine(part, delivery.layers.shop[1], (own) => ({ ...own, size: 0 })),
    { shop: 'SVC-MED-002' },
  ),
  lie(
    'with another size of a cut blob',
    (part, { delivery }) =>
      editLine(part, delivery.layers.shop[2], (own) => ({ ...own, size: own.size + 1 })),
    { shop: 'SVC-MED-002' },
  ),
  lie(
    'with another size at the base',
    (part, { delivery }) => editLine(part, delivery.layers.yard[0], (own) => ({ ...own, size: 7 })),
    { yard: 'SVC-MED-002' },
  ),
  lie(
    'that forgets a blob',
    (part, { delivery }) => editLine(part, delivery.layers.shop[1], () => undefined),
    {
      shop: 'SVC-MED-010',
    },
  ),
  lie(
    'that forgets the cut blob',
    (part, { delivery }) => editLine(part, delivery.layers.shop[2], () => undefined),
    { shop: 'SVC-MED-002' },
  ),
  lie(
    'that forgets what is at the base',
    (part, { delivery }) => editLine(part, delivery.layers.yard[0], () => undefined),
    { yard: 'SVC-MED-010' },
  ),
  lie('that is empty', (part) => writeList(part, ''), { shop: 'SVC-MED-010', yard: 'SVC-MED-010' }),
  lie(
    'that says content of the other part is at the base',
    (part, { delivery }) => editLine(part, delivery.layers.shop[1], (own) => ({ ...own, at: 'base' })),
    { shop: 'SVC-MED-040' },
  ),
  lie(
    'that says the cut blob is at the base',
    (part, { delivery }) => editLine(part, delivery.layers.shop[2], (own) => ({ ...own, at: 'base' })),
    { shop: 'SVC-MED-040' },
  ),
  lie(
    'that says content of the base is on the other part',
    (part, { delivery }) => editLine(part, delivery.layers.yard[0], (own) => ({ ...own, at: [2] })),
    {},
  ),
  lie(
    'that says everything is at the base',
    (part) => editList(part, (lines) => lines.map((own) => ({ ...own, at: 'base' as const }))),
    { shop: 'SVC-MED-040', yard: 'SVC-MED-040' },
  ),
  lie(
    'that says a whole blob is cut',
    (part, { delivery }) => editLine(part, delivery.layers.shop[1], (own) => ({ ...own, at: [1, 2] })),
    {},
  ),
  lie(
    'that says a cut blob is whole on the other part',
    (part, { delivery }) => editLine(part, delivery.layers.shop[2], (own) => ({ ...own, at: [2] })),
    {},
  ),
];

/** Lists whose places are none. */
const places = (
  [
    ['part 0', '"parts":[0]'],
    ['part 3 of 2', '"parts":[3]'],
    ['part 3 of 2 too', '"parts":[2,3]'],
    ['itself', '"parts":[1]'],
    ['part -1', '"parts":[-1]'],
    ['part 1.5', '"parts":[1.5]'],
    ['part 2 as text', '"parts":["2"]'],
    ['part null', '"parts":[null]'],
    ['a part in a part', '"parts":[[2]]'],
    ['no part', '"parts":[]'],
    ['parts that are an object', '"parts":{"0":2,"length":1}'],
    ['parts that are a number', '"parts":2'],
    ['parts in descending order', '"parts":[2,1]'],
    ['a part twice', '"parts":[2,2]'],
    ['a thousand parts', `"parts":[${Array.from({ length: 1000 }, (_, i) => i + 1).join()}]`],
    ['the base and a part', '"at":"base","parts":[2]'],
    ['another base', '"at":"basement"'],
    ['a number as base', '"at":2'],
    ['no place', '"note":"somewhere"'],
    ['a place in the prototype', '"__proto__":{"at":"base"}'],
  ] as const
).map(([name, place]) =>
  lie(`that names ${name}`, async (part, { delivery }) => {
    const { digest } = (await readList(part)).find((one) => one.digest === delivery.layers.shop[1])!;
    const text = (await readList(part))
      .map((one) =>
        one.digest === digest ? `{"digest":"${digest}","size":2048,${place}}\n` : formatAbsentBlob(one),
      )
      .join('');
    await writeList(part, text);
  }),
);

/** Lists that are no lists. */
const forms: readonly HostilePart[] = (
  [
    ['that is a word', 'absent\n'],
    ['that is JSON of another form', '{"absent":[]}\n'],
    ['that is an array', '[]\n'],
    ['that is null', 'null\n'],
    ['with an empty line', '\n'],
    ['with digests that are paths', '{"digest":"sha256:../../../../etc/passwd","size":1,"parts":[2]}\n'],
    ['with a digest in capitals', `{"digest":"sha256:${'A'.repeat(64)}","size":1,"parts":[2]}\n`],
    ['with a digest of an algorithm of nobody', `{"digest":"md5:${'a'.repeat(32)}","size":1,"parts":[2]}\n`],
    ['with a negative size', `{"digest":"${stranger}","size":-1,"parts":[2]}\n`],
    ['with a size that is no number', `{"digest":"${stranger}","size":"1","parts":[2]}\n`],
    ['with a size beyond all numbers', `{"digest":"${stranger}","size":1e400,"parts":[2]}\n`],
    ['with a fraction of a byte', `{"digest":"${stranger}","size":1.5,"parts":[2]}\n`],
    ['nested 100 000 deep', `${nest(100_000)}\n`],
    ['nested in a line', `{"digest":"${stranger}","size":1,"parts":${nest(2000)}}\n`],
    [
      'with a line of a mebibyte',
      `{"digest":"${stranger}","size":1,"parts":[2],"x":"${'x'.repeat(1 << 20)}"}\n`,
    ],
    ['with bytes that are no UTF-8', Buffer.from([0xff, 0xfe, 0x0a])],
    ['of zero bytes', Buffer.alloc(4096)],
  ] as const
).map(([name, text]) => lie(name, (part) => writeList(part, text as string)));

/** Lists in another order, or twice. */
const orders: readonly HostilePart[] = [
  lie('in descending order', async (part) => {
    const lines = await readList(part);
    await writeList(part, lines.reverse().map(formatAbsentBlob).join(''));
  }),
  lie('with a blob twice', async (part) => {
    const [first, ...rest] = await readList(part);
    await writeList(part, [first!, first!, ...rest].map(formatAbsentBlob).join(''));
  }),
  lie('with a blob on two places', async (part) => {
    const [first, ...rest] = await readList(part);
    await writeList(
      part,
      [first!, { ...first!, at: 'base' as const }, ...rest].map(formatAbsentBlob).join(''),
    );
  }),
  lie('without its last line feed', async (part) => {
    const lines = await readList(part);
    await writeList(part, lines.map(formatAbsentBlob).join('').trimEnd());
  }),
];

/** Files in the place of the list. */
const files: readonly HostilePart[] = [
  lie('that is gone', (part) => rm(at(part, absentListPath)), { blocks: ['SVC-MED-010'] }),
  lie(
    'that nothing lists',
    (part) => part.editManifest((_, lines) => lines.filter(({ path }) => path !== absentListPath)),
    { shop: 'SVC-MED-010', yard: 'SVC-MED-010', findings: ['SVC-MED-020'] },
  ),
  lie(
    'that is altered',
    async (part) => {
      const text = (await readList(part)).map(formatAbsentBlob).join('');
      await writeFile(at(part, absentListPath), text.replace('[2]', '[1]'));
    },
    { blocks: ['SVC-MED-012'] },
  ),
  lie(
    'that is altered where nobody looks',
    async (part) => {
      const text = (await readList(part)).map(formatAbsentBlob).join('');
      await writeFile(at(part, absentListPath), text.replace(/"parts":\[2\]}\n/, '"at":"base"}\n'));
    },
    { blocks: ['SVC-MED-012'] },
  ),
  lie('that is cut short', (part) => truncate(at(part, absentListPath), 100), { blocks: ['SVC-MED-011'] }),
  lie('of eight tebibytes that take no room', (part) => truncate(at(part, absentListPath), 2 ** 43), {
    blocks: ['SVC-MED-011'],
  }),
  lie(
    'of eight tebibytes that take no room, its line adapted',
    async (part) => {
      await truncate(at(part, absentListPath), 2 ** 43);
      await part.editManifest((_, lines) =>
        lines.map((own) => (own.path === absentListPath ? { ...own, size: 2 ** 43 } : own)),
      );
    },
    { blocks: ['SVC-MED-014'] },
  ),
  lie(
    'that leads out of the medium',
    async (part, { canary }) => {
      await rm(at(part, absentListPath));
      await symlink(canary.file, at(part, absentListPath));
    },
    { blocks: ['SVC-MED-014'] },
  ),
  lie(
    'that leads to a good list beside it',
    async (part) => {
      await copyFile(at(part, absentListPath), at(part, '_svc/list'));
      await rm(at(part, absentListPath));
      await symlink('_svc/list', at(part, absentListPath));
    },
    { blocks: ['SVC-MED-014'] },
  ),
  lie(
    'that is a second name of a file out of the medium',
    async (part, { canary }) => {
      await rm(at(part, absentListPath));
      await link(canary.file, at(part, absentListPath));
    },
    { blocks: ['SVC-MED-011'] },
  ),
  lie(
    'that is a pipe',
    async (part) => {
      await rm(at(part, absentListPath));
      execFileSync('mkfifo', [at(part, absentListPath)]);
    },
    { blocks: ['SVC-MED-014'] },
  ),
  lie(
    'that is a folder',
    async (part) => {
      await rm(at(part, absentListPath));
      await mkdir(join(at(part, absentListPath), 'deep'), { recursive: true });
    },
    { blocks: ['SVC-MED-014'] },
  ),
  lie('in capitals beside it', (part) => writeFile(at(part, 'ABSENT.JSONL'), 'x'), {
    findings: ['SVC-MED-020'],
  }),
  {
    name: 'a blob in the list that is on the medium, and that no line of the manifest lists',
    spoil: (part, { delivery }) => {
      const [digest] = delivery.layers.depot;
      return part
        .editManifest((_, lines) => lines.filter(({ path }) => path !== blobPath(digest)))
        .then(() => editList(part, (lines) => [...lines, line(digest, [2])]));
    },
    depot: 'waiting',
    findings: ['SVC-MED-020'],
  },
  {
    name: 'a list of absent blobs that names the base on a medium without one',
    spoil: (part) => editHeader(part, (header) => delete header.base),
    ...blocked,
  },
];

export const absentLists: readonly HostilePart[] = [...lies, ...places, ...forms, ...orders, ...files];
