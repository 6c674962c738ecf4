import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findAptRepositories } from '../../../src/client/package-repositories.ts';
import { readStanzas, toReleaseFiles, toSignedText } from '../../../src/fileset/package-check/control.ts';
import { FormError, type NamedFile } from '../../../src/fileset/package-check/model.ts';
import { readPrimary, toRepomdFiles } from '../../../src/fileset/package-check/rpm-metadata.ts';

const hex = 'a'.repeat(64);

async function* cut(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const toPackage = (name: string, more = ''): string =>
  `<package type="rpm"><name>${name}</name><checksum type="sha256" pkgid="YES">${hex}</checksum><description>é &lt;x&gt; > y</description>
<size package="12" installed="3"/><location href="${name}&amp;.rpm"/>${more}</package>\n`;
const toPrimary = (packages: readonly string[], count = packages.length): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<metadata xmlns="x" packages="${count}">\n${packages.join('')}</metadata>\n`;

test('packages are read alike however their list is cut into chunks', async () => {
  const text = toPrimary(['one', 'two', 'three'].map((name) => toPackage(name)));
  const expected = ['one', 'two', 'three'].map(
    (name): NamedFile => ({ path: `${name}&.rpm`, size: 12, hash: { algorithm: 'sha256', hex } }),
  );
  for (const size of [1, 2, 7, 9, 10, 11, 64, 1000, 1 << 20])
    assert.deepEqual(await collect(readPrimary(cut(text, size))), expected, `${size} bytes`);
});

test('a list in which another reader could find other packages is refused', async () => {
  const good = toPackage('one');
  const bad: Readonly<Record<string, string>> = {
    comment: toPrimary([`<!-- ${good} -->`], 1),
    'comment behind': `${toPrimary([good])}<!-- -->`,
    section: toPrimary([toPackage('one', '<![CDATA[x]]>')]),
    instruction: toPrimary([toPackage('one', '<?x y?>')]),
    'document type': `<!DOCTYPE x>${toPrimary([good])}`,
    count: toPrimary([good], 2),
    'cut off': toPrimary([good]).replace('</metadata>', ''),
    'cut package': toPrimary([good, '<package type="rpm">'], 1),
    'end alone': toPrimary(['</package>', good], 2),
    'two locations': toPrimary([toPackage('one', '<location href="x"/>')]),
    'two sizes': toPrimary([toPackage('one', '<size package="1"/>')]),
    'two checksums': toPrimary([toPackage('one', `<checksum type="sha256">${hex}</checksum>`)]),
    'no location': toPrimary([good.replace(/<location[^>]*>/, '')]),
    'base of its own': toPrimary([good.replace('<location ', '<location xml:base="http://x" ')]),
    'two addresses': toPrimary([good.replace('<location ', '<location href="x" ')]),
    'open quote': toPrimary([good.replace('&amp;.rpm"/>', '/>')]),
    'open tag': toPrimary([good.replace('<name>', '<name <name>')]),
    'unknown entity': toPrimary([good.replace('&amp;.rpm', '&x;.rpm')]),
    'no character': toPrimary([good.replace('&amp;.rpm', '&#x110000;.rpm')]),
  };
  for (const [what, text] of Object.entries(bad))
    await assert.rejects(collect(readPrimary(cut(text, 64))), FormError, what);
  const weak = await collect(readPrimary(cut(toPrimary([good.replace('"sha256"', '"sha"')]), 64)));
  assert.equal(weak[0]!.hash, undefined);
});

test('the files of repomd.xml are read with their types', () => {
  const data = (type: string) =>
    `<data type="${type}">\n<checksum type="sha256">${hex}</checksum><open-checksum type="sha256">b</open-checksum><location href="repodata/${type}.xml.gz"/><size>7</size><open-size>9</open-size></data>`;
  const files = toRepomdFiles(`<?xml version="1.0"?>\n<repomd>${data('primary')}${data('other')}</repomd>`);
  assert.deepEqual(
    files.map(({ type, path, size, hash }) => [type, path, size, hash?.hex]),
    ['primary', 'other'].map((type) => [type, `repodata/${type}.xml.gz`, 7, hex]),
  );
  for (const text of ['<repomd/>', `<repomd>${data('x').replace('</data>', '')}`, `</data>${data('x')}`])
    assert.throws(() => toRepomdFiles(text), FormError, text);
});

test('stanzas are read alike however their index is cut into chunks', async () => {
  const text = `# note\nPackage: one\nDescription:  first \n second\n\tthird\nFilename: é\r\n\n\n \t\nPackage: two:x\n \nEmpty:\n\n`;
  const expected = [
    [
      ['package', 'one'],
      ['description', 'first\nsecond\nthird'],
      ['filename', 'é'],
    ],
    [['package', 'two:x']],
    [['empty', '']],
  ];
  for (const size of [1, 2, 3, 5, 1000]) {
    const stanzas = await collect(readStanzas(cut(text, size)));
    assert.deepEqual(
      stanzas.map((stanza) => [...stanza]),
      expected,
      `${size} bytes`,
    );
  }
  for (const bad of [' a value', 'Package: a\nPackage: b', 'no field', ': x', 'a b: c'])
    await assert.rejects(collect(readStanzas(cut(bad, 4))), FormError, bad);
});

test('only the signed part of a Release file is read', () => {
  const head = '-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n';
  const tail = '\n-----BEGIN PGP SIGNATURE-----\n\nxyz\n-----END PGP SIGNATURE-----\n';
  const body = `Suite: x\n- -----\nSHA256:\n ${hex} 7 main/Packages`;
  assert.equal(toSignedText(`${head}${body}${tail}`), body.replace('- -', '-'));
  assert.equal(
    toSignedText(`${head}${body}${tail}`.replaceAll('-----\n', '-----\r\n')).includes('Suite: x'),
    true,
  );
  assert.deepEqual(toReleaseFiles(`${head}Suite: x\nSHA256:\n ${hex} 7 main/Packages${tail}`), [
    { path: 'main/Packages', size: 7, hash: { algorithm: 'sha256', hex } },
  ]);
  for (const bad of [
    `more\n${head}${body}${tail}`,
    `${head}${body}${tail}more`,
    `${head}${body}${tail}${tail}`,
    `${head}${body}\n-----BEGIN PGP SIGNATURE-----x${tail.slice(30)}`,
    `${head}${body}`,
    `${head}${body}\n-----BEGIN PGP SIGNATURE-----\n`,
    `${head}-----x\n${body}${tail}`,
  ])
    assert.throws(() => toSignedText(bad), FormError, bad);
});

test('four times as much takes about four times as long, also where it was made to take longer', async () => {
  const big = 1 << 20;
  const small = 1 << 15;
  const marks = 'x\n-----BEGIN PGP SIGNATURE-----\n';
  const flood: Readonly<Record<string, readonly [number, (size: number) => unknown]>> = {
    'a stanza': [big, (size) => collect(readStanzas(cut(`A: b\nC:${' x\n'.repeat(size / 3)}`, 4096)))],
    'a line': [big, (size) => collect(readStanzas(cut(`A: ${'x'.repeat(size)}`, 4096)))],
    blanks: [small, (size) => collect(readStanzas(cut(`A: x${' '.repeat(size)}x`, 4096)))],
    'a package': [big, (size) => collect(readPrimary(cut(`<package>${'x'.repeat(size)}`, 4096)))],
    tags: [small, (size) => collect(readPrimary(cut(`${'<location '.repeat(size / 10)}</package>`, 4096)))],
    data: [small, async (size) => toRepomdFiles('<data >'.repeat(size))],
    signatures: [
      big,
      async (size) =>
        toReleaseFiles(`-----BEGIN PGP SIGNED MESSAGE-----\n\n${marks.repeat(size / marks.length)}`),
    ],
    suites: [
      1 << 10,
      async (count) =>
        findAptRepositories(
          Array.from({ length: count }, (_, i) => [
            `dists/s${i}/Release`,
            `dists/s${i}/main/binary-all/Packages`,
          ]).flat(),
        ),
    ],
    'flat repositories': [
      1 << 12,
      async (count) => findAptRepositories(Array.from({ length: count }, (_, i) => `f${i}/Packages`)),
    ],
  };
  for (const [what, [size, work]] of Object.entries(flood)) {
    const use = async (of: number): Promise<number> => {
      const before = process.cpuUsage();
      await Promise.resolve(work(of)).catch((error: unknown) => assert.ok(error instanceof FormError, what));
      const { user, system } = process.cpuUsage(before);
      return (user + system) / 1000;
    };
    // less than this is noise
    const once = Math.max(30, await use(size));
    const four = await use(4 * size);
    assert.ok(four < 10 * once, `${what}: ${once} ms, and ${four} ms for four times as much`);
  }
});
