import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { appendFile, cp, mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { createSigner } from '../../kit/content/signer.ts';
import { damageFile } from '../../kit/hostile/damage-file.ts';
import { onPath } from '../../kit/program/peers.ts';
import { putProgram } from '../../kit/program/shell-session.ts';
import { runSvc } from '../../kit/program/svc.ts';
import { createRegistryDouble } from '../../kit/result/registry-double.ts';
import { type BuiltMedium, buildMedium } from '../../kit/scene/medium.ts';
import { makeSmallRelease, type SmallRelease } from '../../release/small-release.ts';

const docs = join(import.meta.dirname, '..', '..', '..', 'docs');

/** The programs of a system without svc. */
const bare = [
  'sh',
  'openssl',
  'sha256sum',
  'tar',
  'cp',
  'mkdir',
  'install',
  'grep',
  'find',
  'sort',
  'xargs',
  'diff',
];

/** The command blocks of a section of a page. */
async function readBlocks(page: string, heading: string): Promise<readonly string[]> {
  const text = await readFile(join(docs, page), 'utf8');
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/^```shell\n(.*?)^```$/gms)].map(([, block]) => block!);
}

/** The commands of a README.txt in one of its languages. */
function readCommands(readme: string, folder: 'FOLDER' | 'DOSSIER'): string {
  const [, block = ''] =
    new RegExp(`^(  mkdir program && cp \\S+ ${folder}/.*?\\n)(?! )`, 'ms').exec(readme) ?? [];
  return block.replaceAll(/^ {2}/gm, '');
}

let medium: BuiltMedium;
let release: SmallRelease;
/** Folder of the written medium. */
let disk: string;
let source: string;
const at = (name: string): string => join(medium.folder, name);

before(async () => {
  medium = await buildMedium();
  release = await makeSmallRelease(medium.folder);
  source = at('source.json');
  const roots = [{ name: 'release', key: medium.signer.publicKeyPem }];
  const settings = { mode: 'mirror', storage: { root: medium.root }, state: { root: at('maker') } };
  await writeFile(source, JSON.stringify({ ...settings, trust: { roots } }));
  // the line of the page is typed where the release is, with its public key in the home folder
  const [write] = await readBlocks('installing.md', 'A zone without svc');
  disk = at('disk/delivery');
  await mkdir(at('disk'));
  const line = `${write!.trim().replace('/mnt/disk', at('disk'))} --config ${source}`;
  assert.match(line, /^svc media write .* --with-program release --program-key ~\/svc-release\.pub/);
  const path = `${await putProgram(medium.folder)}:${process.env.PATH}`;
  const written = spawnSync('sh', ['-c', line], {
    cwd: medium.folder,
    encoding: 'utf8',
    env: { PATH: path, HOME: medium.folder, LC_ALL: 'C.UTF-8' },
  });
  assert.equal(written.status, 0, written.stderr);
  assert.match(written.stdout, /^ {2}program: svc 1\.2\.3, 9 files, \S+ (?:B|KiB) on each part$/m);
});
after(() => medium[Symbol.asyncDispose]());

/** A room without svc, with the key that came over another channel. */
async function openRoom(name: string, key = release.signer.publicKeyPem) {
  const room = at(name);
  const [home, bin, own] = ['home', 'bin', 'usr-bin'].map((folder) => join(room, folder)) as [
    string,
    string,
    string,
  ];
  for (const folder of [home, bin, own]) await mkdir(folder, { recursive: true });
  await writeFile(join(home, 'svc-release.pub'), key);
  for (const program of bare) {
    const found = onPath(program);
    assert.ok(found, program);
    await symlink(found, join(bin, program));
  }
  const type = (commands: string, cwd = home) => {
    const { status, stdout, stderr } = spawnSync(join(bin, 'sh'), ['-c', commands], {
      cwd,
      encoding: 'utf8',
      env: { PATH: `${bin}:${own}`, HOME: home },
    });
    return { status, said: stdout + stderr };
  };
  /** Types the commands that install the program from a disk. */
  const install = (commands: string) => type(commands.replaceAll('/usr/bin/svc', join(own, 'svc')));
  return { home, own, type, install };
}

test('the lines of the page and of README.txt are the same, and a room without svc installs the program by them', async (t) => {
  const readme = await readFile(join(disk, 'README.txt'), 'utf8');
  const english = readCommands(readme, 'FOLDER');
  assert.equal(readCommands(readme, 'DOSSIER').replaceAll('DOSSIER', 'FOLDER'), english);
  const [, page] = await readBlocks('installing.md', 'A zone without svc');
  assert.equal(page!.replaceAll('/mnt/disk/delivery', 'FOLDER'), english);
  assert.match(readme, /name another file: svc-linux-arm64\.$/m);
  assert.match(readme, /nommez un autre fichier\s: svc-linux-arm64\.$/m);

  const room = await openRoom('bare-room');
  assert.equal(room.type('svc version').status, 127);
  const { status, said } = room.install(english.replaceAll('FOLDER', disk));
  assert.equal(status, 0, said);
  assert.match(said, /^Verified OK\n[0-9a-f]{64} {2}svc-linux-x64\n$/);
  assert.deepEqual(room.type('svc version'), { status: 0, said: 'svc 1.2.3\n' });
  // the copied folder is the whole release, which has a command of its own
  const [, , whole] = await readBlocks('releasing.md', 'Verify a release');
  const verified = room.type(whole!.replaceAll('<version>', '1.2.3'), join(room.home, 'program'));
  assert.equal(verified.status, 0, verified.said);
  assert.match(verified.said, /the files are those of the list, and there are no others$/m);
  t.diagnostic('installed in a room without svc');
});

test('nothing of an altered disk, and nothing by another key, is installed', async () => {
  const readme = await readFile(join(disk, 'README.txt'), 'utf8');
  const other = createSigner();
  for (const [name, spoil, key, expected] of [
    [
      'program',
      (copy: string) => appendFile(join(copy, 'program/svc-linux-x64'), 'evil'),
      undefined,
      /svc-linux-x64 is not what/,
    ],
    [
      'list',
      (copy: string) => appendFile(join(copy, 'program/SHA256SUMS'), '# evil\n'),
      undefined,
      /Verification failure/i,
    ],
    [
      'link',
      (copy: string) => symlink('/etc/passwd', join(copy, 'program/notes')),
      undefined,
      /^program\/notes$/m,
    ],
    [
      'linked-folder',
      async (copy: string) => {
        await rename(join(copy, 'program'), join(copy, 'other'));
        await symlink('other', join(copy, 'program'));
      },
      undefined,
      /cannot overwrite directory/,
    ],
    ['key', async () => {}, other.publicKeyPem, /Verification failure/i],
  ] as const) {
    const copy = at(`altered-${name}`);
    await cp(disk, copy, { recursive: true });
    await spoil(copy);
    const room = await openRoom(`room-${name}`, key);
    const { status, said } = room.install(readCommands(readme, 'FOLDER').replaceAll('FOLDER', copy));
    assert.notEqual(status, 0, name);
    assert.match(said, expected, name);
    assert.deepEqual(await readdir(room.own), [], name);
  }
});

test('a zone with svc verifies, shows, proves and imports the medium, program and all', async () => {
  await using registry = await createRegistryDouble();
  const config = at('zone.json');
  await writeFile(
    config,
    JSON.stringify({
      mode: 'mirror',
      zone: 'zone-b',
      storage: { root: disk },
      state: { root: at('zone-state') },
      destination: { registry: registry.host },
      registries: { insecure: [registry.host] },
      trust: { roots: [{ name: 'release', key: medium.signer.publicKeyPem }] },
    }),
  );
  const run = async (...args: string[]): Promise<any> => {
    const { exitCode, stdout, stderr } = await runSvc([...args, '--output', 'json']);
    assert.equal(exitCode, 0, `${args.join(' ')}\n${stderr}\n${stdout}`);
    return JSON.parse(stdout);
  };
  const report = await run('media', 'verify', '--config', config);
  assert.deepEqual([report.verdict, report.findings], ['pushable', []]);
  const { program } = (await run('media', 'show', disk)).medium;
  assert.deepEqual([program.version, program.files], ['1.2.3', 9]);
  assert.equal((await run('media', 'prove', disk, '--config', config)).verdict, 'proved');
  const { task } = await run('media', 'import', disk, '--config', config);
  assert.deepEqual([task.status, task.verification.findings], ['done', []]);

  // other bytes of the same length, another length, and no file
  for (const [name, code, spoil] of [
    ['replaced', 'SVC-MED-012', (path: string) => damageFile(path, 1)],
    ['longer', 'SVC-MED-011', (path: string) => appendFile(path, 'evil')],
    ['removed', 'SVC-MED-010', (path: string) => rm(path)],
  ] as const) {
    const copy = at(`zone-${name}`);
    await cp(disk, copy, { recursive: true });
    await spoil(join(copy, 'program/svc-linux-x64'));
    for (const args of [
      ['verify', '--storage-root', copy],
      ['prove', copy],
      ['import', copy],
    ]) {
      const ended = await runSvc(['media', ...args, '--config', config]);
      assert.equal(ended.exitCode, 4, `${name} ${args[0]}\n${ended.stdout}`);
      assert.match(`${ended.stdout}${ended.stderr}`, new RegExp(`${code}[\\s\\S]*program/svc-linux-x64`));
    }
  }
});
