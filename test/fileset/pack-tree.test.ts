import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  chmodSync,
  closeSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { HeldEntries } from '../../src/fileset/pack-held.ts';
import { measureTree } from '../../src/fileset/pack-look.ts';
import { PackStamps } from '../../src/fileset/pack-stamps.ts';
import { openTreePack, type TreeMeasure } from '../../src/fileset/pack-tree.ts';
import { walkTree } from '../../src/fileset/pack-walk.ts';
import { isSvcError, type SvcError } from '../../src/text/error.ts';
import { packableTreeCounts, writePackableTree } from '../kit/content/packable-tree.ts';
import { openTempFolder } from '../kit/instance/temp-folder.ts';
import { needs } from '../kit/program/peers.ts';
import { runProgram } from '../kit/program/run-program.ts';
import { listTree } from '../kit/result/list-tree.ts';

interface Packed {
  readonly measure: TreeMeasure;
  readonly bytes: Buffer;
}

async function packTree(root: string, signal?: AbortSignal, hold = 0): Promise<Packed> {
  await using pack = await openTreePack(root, signal, { hold });
  const chunks: Buffer[] = [];
  for await (const { bytes, giveBack } of pack.chunks()) {
    chunks.push(Buffer.from(bytes));
    giveBack();
  }
  return { measure: pack.measure, bytes: Buffer.concat(chunks) };
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

async function refusal(work: Promise<unknown>): Promise<SvcError> {
  return work.then(
    () => assert.fail('it was packed'),
    (error: unknown) => {
      assert.ok(isSvcError(error), String(error));
      return error;
    },
  );
}

test('a tree gives the same bytes whenever, by whomever and in whatever order it was written', async () => {
  await using folder = await openTempFolder();
  const one = join(folder.path, 'one');
  writePackableTree(one);
  const first = await packTree(one);
  assert.deepEqual(first.measure, { ...packableTreeCounts, bytes: first.bytes.length });
  // known since the first release: a change of the format would change the recorded digests of every zone
  assert.equal(sha256(first.bytes), '0fd09a0157f6d1fee530c924b29a0d6bcc77758c8583b0e879d2c1cc37cd86ec');

  // also when some or all of its files stay open
  for (const hold of [3, 1000]) assert.ok((await packTree(one, undefined, hold)).bytes.equals(first.bytes));

  const other = join(folder.path, 'other');
  writePackableTree(other, true);
  assert.equal(sha256((await packTree(other)).bytes), sha256(first.bytes));

  // another filesystem lists names in another order
  await using memory = await openTempFolder('/dev/shm/svc-pack-').catch(() => openTempFolder());
  writePackableTree(join(memory.path, 'tree'), true);
  assert.equal(sha256((await packTree(join(memory.path, 'tree'))).bytes), sha256(first.bytes));

  // several names of one file are several files
  rmSync(join(other, 'Release'));
  linkSync(join(one, 'Release'), join(other, 'Release'));
  assert.equal(sha256((await packTree(other)).bytes), sha256(first.bytes));
});

test('what differs in name, content, permissions or target differs in the digest', async () => {
  await using folder = await openTempFolder();
  const seen = new Set<string>();
  const changes: readonly ((root: string) => void)[] = [
    () => {},
    (root) => writeFileSync(join(root, 'Release'), 'x'),
    (root) => chmodSync(join(root, 'Release'), 0o600),
    (root) => chmodSync(join(root, 'empty'), 0o755),
    (root) => renameSync(join(root, 'Release'), join(root, 'release')),
    (root) => rmSync(join(root, 'empty'), { recursive: true }),
    (root) => {
      unlinkSync(join(root, 'latest'));
      symlinkSync('pool', join(root, 'latest'));
    },
  ];
  for (const [index, change] of changes.entries()) {
    const root = join(folder.path, `${index}`);
    writePackableTree(root);
    change(root);
    seen.add(sha256((await packTree(root)).bytes));
  }
  assert.equal(seen.size, changes.length);
});

test('what depends on the machine is not packed: sticky and inherited bits of folders', async () => {
  await using folder = await openTempFolder();
  const [plain, marked] = ['plain', 'marked'].map((name) => join(folder.path, name)) as [string, string];
  for (const root of [plain, marked]) writePackableTree(root);
  chmodSync(join(marked, 'pool'), 0o3755);
  assert.equal(sha256((await packTree(marked)).bytes), sha256((await packTree(plain)).bytes));
});

test('an empty folder is packed as an archive without entries', async () => {
  await using folder = await openTempFolder();
  const { measure, bytes } = await packTree(folder.path);
  assert.deepEqual(measure, { files: 0, directories: 0, symlinks: 0, bytes: 1024 });
  assert.deepEqual(bytes, Buffer.alloc(1024));
});

test('GNU tar lists and extracts the tree as it was', async (t) => {
  const tar = needs(t, 'tar');
  if (!tar) return;
  await using folder = await openTempFolder();
  const root = join(folder.path, 'tree');
  writePackableTree(root);
  const { bytes } = await packTree(root);
  const archive = join(folder.path, 'layer.tar');
  await writeFile(archive, bytes);
  const env = { LC_ALL: 'C.UTF-8', TZ: 'UTC' };
  const listed = await runProgram(tar, ['-tvf', archive, '--quoting-style=literal'], { env });
  assert.equal(listed.exitCode, 0, listed.stderr);
  assert.equal(listed.stderr, '');
  const lines = listed.stdout.trimEnd().split('\n');
  for (const line of lines) assert.match(line, /^\S{10} 0\/0 +[0-9]+ 1970-01-01 00:00 /);
  const names = lines.map((line) => line.replace(/^(?:\S+ +){5}/, '').replace(/ -> .*/, ''));
  assert.deepEqual(names, [...names].sort());

  const out = join(folder.path, 'out');
  mkdirSync(out);
  const extracted = await runProgram(tar, ['-xpf', archive, '-C', out, '--no-same-owner'], { env });
  assert.equal(extracted.exitCode, 0, extracted.stderr);
  assert.deepEqual(listTree(out), listTree(root));
  const compared = await runProgram(tar, ['-df', archive, '-C', root, '--quoting-style=literal'], { env });
  // times and owners are all that may differ
  for (const line of compared.stdout.split('\n').filter((one) => one !== ''))
    assert.match(line, /: (?:Mod time|Uid|Gid) differs$/);
});

const secret = 'nobody may read this';
/** The entries that a look at a tree refuses. */
async function listRefused(root: string): Promise<readonly string[]> {
  const handle = await open(root);
  try {
    const refused: string[] = [];
    const refuse = (path: string): void => {
      refused.push(path);
    };
    for (const _ of walkTree(handle.fd, { refuse }));
    return refused;
  } finally {
    await handle.close();
  }
}

/** Far more than is ever read ahead. */
const largeBytes = 12 << 20;

const changes: Readonly<Record<string, (root: string, outside: string) => void>> = {
  'a file grows': (root) => appendFileSync(join(root, 'b/file'), 'more'),
  'a file shrinks': (root) => writeFileSync(join(root, 'b/file'), 's'),
  'a file is written again, with its size': (root) => writeFileSync(join(root, 'b/file'), 'other'),
  'a file goes': (root) => unlinkSync(join(root, 'b/file')),
  'a file comes': (root) => writeFileSync(join(root, 'b/new'), ''),
  'a file comes last of all': (root) => writeFileSync(join(root, 'zz'), ''),
  'the last file goes': (root) => unlinkSync(join(root, 'z')),
  'a file is renamed': (root) => renameSync(join(root, 'b/file'), join(root, 'b/fill')),
  'permissions change': (root) => chmodSync(join(root, 'b/file'), 0o600),
  'permissions of a folder change': (root) => chmodSync(join(root, 'b'), 0o700),
  'a time changes': (root) => utimesSync(join(root, 'b/file'), 1, 1),
  'a file becomes a link': (root, outside) => {
    unlinkSync(join(root, 'b/file'));
    symlinkSync(join(outside, 'secret'), join(root, 'b/file'));
  },
  'a folder becomes a link': (root, outside) => {
    renameSync(join(root, 'b'), join(outside, 'b'));
    symlinkSync(outside, join(root, 'b'));
  },
  'a file becomes a folder': (root) => {
    unlinkSync(join(root, 'b/file'));
    mkdirSync(join(root, 'b/file'));
  },
  'a folder becomes a file': (root) => {
    rmSync(join(root, 'b'), { recursive: true });
    writeFileSync(join(root, 'b'), '');
  },
  'a link leads elsewhere': (root) => {
    unlinkSync(join(root, 'link'));
    symlinkSync('b', join(root, 'link'));
  },
  'a link becomes a file': (root) => {
    unlinkSync(join(root, 'link'));
    writeFileSync(join(root, 'link'), 'file');
  },
  'a name that is refused comes': (root) => writeFileSync(join(root, '.wh.z'), ''),
  'everything goes': (root) => rmSync(root, { recursive: true }),
  'a folder that was packed already changes': (root) => writeFileSync(join(root, 'a/new'), ''),
  'a file that was packed already changes': (root) => appendFileSync(join(root, 'a/file'), 'more'),
};

/** Writes a tree, and a folder beside it that is not to be packed. */
async function writeChangingTree(
  folder: string,
): Promise<{ readonly root: string; readonly outside: string }> {
  const root = join(folder, 'tree');
  const outside = join(folder, 'outside');
  for (const path of ['a', 'b']) mkdirSync(join(root, path), { recursive: true });
  mkdirSync(outside);
  writeFileSync(join(outside, 'secret'), secret);
  writeFileSync(join(outside, 'file'), secret);
  writeFileSync(join(root, 'a/file'), 'first');
  const large = await open(join(root, 'a/large'), 'w');
  await large.truncate(largeBytes);
  await large.close();
  writeFileSync(join(root, 'b/file'), 'bytes');
  symlinkSync('b/file', join(root, 'link'));
  writeFileSync(join(root, 'z'), 'last');
  return { root, outside };
}

test('a tree that changes after it was looked at is refused, and nothing outside it gets in', async (t) => {
  for (const [name, change] of Object.entries(changes)) {
    // at once it is found in the next look; in the midst of it, perhaps only in the last
    const moments = name.includes('becomes')
      ? ['before it is read', 'while it is read']
      : ['while it is read'];
    for (const [moment, hold] of moments.flatMap((one) => [0, 2, 100].map((held) => [one, held] as const))) {
      await t.test(`${name} ${moment}, ${hold} entries held`, async () => {
        await using folder = await openTempFolder();
        const { root, outside } = await writeChangingTree(folder.path);

        await using pack = await openTreePack(root, undefined, { hold });
        if (moment === 'before it is read') change(root, outside);
        let isFirst = true;
        const error = await refusal(
          (async () => {
            for await (const { bytes, giveBack } of pack.chunks()) {
              assert.equal(bytes.includes(secret), false, 'what lies outside was packed');
              if (isFirst && moment === 'while it is read') change(root, outside);
              isFirst = false;
              giveBack();
            }
          })(),
        );
        assert.equal(error.code, 'SVC-FIL-001');
        assert.match(String(error.params.rule), /changed while it was packed/);
      });
    }
  }
});

/** Waits until a change gives another time than the changes before it. */
function awaitTick(folder: string): void {
  const probe = join(folder, 'probe');
  const touched = (): number => {
    writeFileSync(probe, '');
    return statSync(probe).ctimeMs;
  };
  for (const first = touched(); touched() === first; );
}

test('held entries prove that a tree did not change, unless they changed shortly before', async (t) => {
  const look = async (folder: string, laterMs: number) => {
    const { root, outside } = await writeChangingTree(folder);
    const cleanup = new DisposableStack();
    const fd = openSync(root, 'r');
    cleanup.defer(() => closeSync(fd));
    const held = new HeldEntries(fd, 100, Date.now() + laterMs);
    cleanup.defer(() => held.close());
    const { measure } = measureTree(fd, new PackStamps(), held);
    assert.equal(held.length, measure.files + measure.directories + measure.symlinks);
    awaitTick(folder);
    return { root, outside, held, [Symbol.dispose]: () => cleanup.dispose() };
  };
  await t.test('no change', async () => {
    await using folder = await openTempFolder();
    using looked = await look(folder.path, 3_600_000);
    assert.equal(looked.held.areUnchanged(), true);
  });
  await t.test('no change, but a moment ago', async () => {
    await using folder = await openTempFolder();
    using looked = await look(folder.path, 0);
    assert.equal(looked.held.areUnchanged(), false);
  });
  for (const [name, change] of Object.entries(changes))
    await t.test(name, async () => {
      await using folder = await openTempFolder();
      using looked = await look(folder.path, 3_600_000);
      change(looked.root, looked.outside);
      assert.equal(looked.held.areUnchanged(), false);
    });
});

test('an entry that must not be packed refuses the tree, wherever it lies', async (t) => {
  const mkfifo = needs(t, 'mkfifo');
  const mknod = needs(t, 'mknod');
  if (!mkfifo || !mknod) return;
  const run = async (program: string, ...args: string[]): Promise<boolean> =>
    (await runProgram(program, args, { env: {} })).exitCode === 0;
  /** @returns false where this machine cannot have such an entry */
  type Build = (at: string, root: string) => boolean | Promise<boolean>;
  const link =
    (target: string | Buffer): Build =>
    (at) => {
      symlinkSync(target, at);
      return true;
    };
  const file =
    (mode: number): Build =>
    (at) => {
      writeFileSync(at, 'content');
      chmodSync(at, mode);
      return true;
    };
  const named =
    (name: string | Buffer): Build =>
    (at) => {
      const path = Buffer.concat([Buffer.from(`${at.slice(0, at.lastIndexOf('/'))}/`), Buffer.from(name)]);
      writeFileSync(path, 'content');
      return true;
    };
  const folderNamed =
    (name: string): Build =>
    (at) => {
      mkdirSync(join(at, '..', name));
      writeFileSync(join(at, '..', name, 'file'), 'content');
      return true;
    };
  const corpus: Readonly<Record<string, Build>> = {
    'a link to an absolute path': link('/etc/passwd'),
    'a link to an absolute path inside the tree': (at, root) => link(join(root, 'file'))(at, root),
    'a link to the root of the machine': link('/'),
    'a link to the parent of the root': link('../../../../..'),
    'a link far outside': link('../../../../../../../../etc/passwd'),
    'a link outside through a name': link('folder/../../../../../../../x'),
    'a link that goes up after a name': link('folder/../file'),
    'a link with a backslash': link('..\\..\\file'),
    'a link with a drive letter': link('C:/Windows'),
    'a link that is not UTF-8': link(Buffer.from([0x66, 0xff, 0xfe])),
    'a whiteout': named('.wh.file'),
    'an opaque whiteout': named('.wh..wh..opq'),
    'a folder named as a whiteout': folderNamed('.wh.folder'),
    'a name with a backslash': named('a\\b'),
    'a name that climbs on other systems': named('..\\..\\b'),
    'a folder with a backslash': folderNamed('a\\b'),
    'a name with a drive letter': named('C:file'),
    'a folder with a drive letter': folderNamed('d:'),
    'a name that is not UTF-8': named(Buffer.from([0x66, 0xe9, 0x66])),
    'a name in a broken UTF-8': named(Buffer.from([0xc0, 0xaf])),
    'a named pipe': (at) => run(mkfifo, at),
    'a character device': (at) => run(mknod, at, 'c', '1', '3'),
    'a block device': (at) => run(mknod, at, 'b', '7', '0'),
    'a setuid file': file(0o4755),
    'a setgid file': file(0o2755),
    'a file that is both': file(0o6711),
    'a setuid file that is no program': file(0o4644),
  };
  for (const [name, build] of Object.entries(corpus)) {
    await t.test(name, async (t) => {
      for (const place of ['', 'folder', 'folder/deep/er', 'zz']) {
        await using folder = await openTempFolder();
        const root = folder.path;
        mkdirSync(join(root, place), { recursive: true });
        for (const neighbour of ['a', 'folder/file', 'z']) {
          mkdirSync(join(root, neighbour, '..'), { recursive: true });
          writeFileSync(join(root, neighbour), 'content');
        }
        if (!(await build(join(root, place, 'entry'), root)))
          return t.skip('not run: needs the right to make it');
        const refused = await listRefused(root);
        assert.equal(refused.length, 1, `in ${place}`);
        assert.ok(refused[0]!.startsWith(place === '' ? '' : `${place}/`), refused[0]);
      }
    });
  }

  await t.test('a socket', async () => {
    await using folder = await openTempFolder();
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(folder.path, 'socket'), resolve));
    const error = await refusal(packTree(folder.path));
    assert.equal(error.code, 'SVC-FIL-002');
    assert.match(String(error.params.rule), /socket/);
    await new Promise((resolve) => server.close(resolve));
  });
});

test('all that must not be packed is told at once, up to twenty more', async () => {
  await using folder = await openTempFolder();
  for (let i = 0; i < 30; i += 1) symlinkSync('/x', join(folder.path, `link-${String(i).padStart(2, '0')}`));
  const error = await refusal(packTree(folder.path));
  assert.equal(error.params.path, 'link-00');
  const lines = error.detail!.split('\n');
  assert.equal(lines.length, 21);
  assert.match(lines[0]!, /^link-01: the target of the link is outside the folder: \/x$/);
  assert.equal(lines[20], 'and 9 more');
});

test('limits hold: names in a path, bytes of a path, entries', async () => {
  await using folder = await openTempFolder();
  const root = join(folder.path, 'deep');
  mkdirSync(join(root, 'd/'.repeat(64)), { recursive: true });
  assert.equal((await packTree(root)).measure.directories, 64);
  writeFileSync(join(root, 'd/'.repeat(64), 'file'), '');
  const error = await refusal(packTree(root));
  assert.equal(error.code, 'SVC-FIL-001');
  assert.match(String(error.params.rule), /64 names/);

  // longer than a path may be that is given to the system: put together from two
  const name = 'n'.repeat(250);
  const half = join(...Array.from({ length: 9 }, () => name));
  for (const path of ['long', 'tail']) mkdirSync(join(folder.path, path, half), { recursive: true });
  renameSync(join(folder.path, 'tail', name), join(folder.path, 'long', half, name));
  const tooLong = await refusal(packTree(join(folder.path, 'long')));
  assert.match(String(tooLong.params.rule), /4096 bytes/);
  renameSync(join(folder.path, 'long', half, name), join(folder.path, 'tail', name));

  await using many = await openTempFolder();
  for (const path of ['a', 'b']) {
    mkdirSync(join(many.path, path));
    for (let i = 0; i < 4; i += 1) writeFileSync(join(many.path, path, `${i}`), '');
  }
  const walk = async (entries: number) => {
    const handle = await open(many.path);
    try {
      const refuse = () => assert.fail('nothing is refused');
      return [...walkTree(handle.fd, { refuse, entries })].length;
    } finally {
      await handle.close();
    }
  };
  assert.equal(await walk(10), 10);
  assert.match(String((await refusal(walk(9))).params.rule), /more than 9 entries/);
  assert.match(String((await refusal(walk(1))).params.rule), /more than 1 entries/);
});

test('what cannot be read is named', async (t) => {
  await using folder = await openTempFolder();
  assert.equal((await refusal(packTree(join(folder.path, 'missing')))).code, 'SVC-FIL-001');
  const file = join(folder.path, 'file');
  writeFileSync(file, '');
  assert.equal((await refusal(packTree(file))).code, 'SVC-FIL-001');
  if (process.getuid?.() === 0) return t.skip('not run: needs a user who is not root');
  chmodSync(file, 0);
  const error = await refusal(packTree(folder.path));
  assert.equal(error.code, 'SVC-FIL-001');
  assert.equal(error.params.path, 'file');
});

test('whoever stops waiting stops the thread, before and while it packs', async () => {
  await using folder = await openTempFolder();
  const large = await open(join(folder.path, 'large'), 'w');
  await large.truncate(largeBytes);
  await large.close();
  const reason = new Error('enough');
  await assert.rejects(packTree(folder.path, AbortSignal.abort(reason)), reason);
  const abort = new AbortController();
  await using pack = await openTreePack(folder.path, abort.signal);
  await assert.rejects(async () => {
    for await (const _ of pack.chunks()) abort.abort(reason);
  }, reason);
});
