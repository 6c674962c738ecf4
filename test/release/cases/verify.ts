import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { appendFile, cp, mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { root } from '../../../scripts/bundle-options.ts';
import { hashAll } from '../../../scripts/release/hash-all.ts';
import { parsePublicKey } from '../../../src/attest/public-key.ts';
import { readProgram } from '../../../src/engine/delivery/program/read-program.ts';
import { needs } from '../../kit/program/peers.ts';
import { debName, judge, next, present, readBlocks, rpmName, unpackFileset } from '../scene.ts';
import type { Shared } from './shared.ts';

const signedList = ['SHA256SUMS', 'SHA256SUMS.sig'] as const;

/** The pages that tell a person to install a file of a release, with the headings. */
const ways = [
  ['installing.md', 'From a package'],
  ['installing.md', 'A zone without svc'],
  ['upgrading.md', 'Upgrade'],
  ['upgrading.md', 'Go back'],
] as const;

interface Typed {
  readonly status: number | null;
  readonly said: string;
  /** The installed program, as the installing program was called. */
  readonly installed: string;
}

/** Tests of the commands with which a person verifies and installs a release. */
export function testVerify(shared: Shared): void {
  const release = (name = 'present'): string => join(shared.scene.releases, name);

  /** Types commands in a folder. Nothing is installed: the programs that would do it tell how they were called. */
  async function type(block: string, cwd: string): Promise<Typed> {
    const { path, publicKey } = shared.scene;
    const [home, bin] = [path('home-of-verifier'), path('bin-of-verifier')];
    if (!existsSync(bin)) {
      await mkdir(home);
      await cp(publicKey, join(home, 'svc-release.pub'));
      await mkdir(bin);
      const stub = `#!/bin/sh\necho "$(basename "$0") $*" >> ~/installed\n`;
      for (const name of ['dpkg', 'rpm', 'install']) await writeFile(join(bin, name), stub, { mode: 0o755 });
    }
    await rm(join(home, 'installed'), { force: true });
    const { status, stdout, stderr } = spawnSync('sh', ['-c', block], {
      cwd,
      encoding: 'utf8',
      env: { PATH: `${bin}:${process.env.PATH}`, HOME: home, LC_ALL: 'C.UTF-8' },
    });
    const installed = existsSync(join(home, 'installed'))
      ? readFileSync(join(home, 'installed'), 'utf8').trim()
      : '';
    return { status, said: stdout + stderr, installed };
  }

  /** Makes a folder with some files of a release, which are not copied. */
  async function carry(name: string, files: readonly string[], from = release()): Promise<string> {
    const folder = shared.scene.path(name);
    await mkdir(folder);
    for (const file of files) execFileSync('cp', ['-al', join(from, file), folder]);
    return folder;
  }

  async function forge(folder: string, ...names: readonly string[]): Promise<void> {
    for (const name of names) {
      await rm(join(folder, name), { force: true });
      await writeFile(join(folder, name), '#!/bin/sh\ntouch /harmed\n');
    }
  }

  test('every page that installs a file of a release verifies that very file in the same command', () => {
    const found = new Set<string>();
    const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
    for (const page of ['../README.md', ...pages].filter((one) => one.endsWith('.md'))) {
      const text = readFileSync(join(root, 'docs', page), 'utf8');
      for (const [, block] of text.matchAll(/^```(?:shell|sh)\n(.*?)^```$/gms)) {
        for (const line of block!.replaceAll('\\\n', '').split('\n')) {
          if (
            !/\bdpkg -i|\brpm -[iU]|\binstall .*svc-linux-|sha256sum -- "\$file"|sha256sum --check|\binstall .*"\$file"/.test(
              line,
            )
          )
            continue;
          if (line.includes('diff SHA256SUMS -')) continue;
          assert.match(
            line,
            /^openssl dgst -sha256 -verify ~\/svc-release\.pub -signature SHA256SUMS\.sig SHA256SUMS +&& grep -Fx "\$\(sha256sum -- "\$file"\)" SHA256SUMS +\|\| \{ echo "\$file is not what the signed list names" >&2; false; \}(?: && (?:dpkg -i|rpm -i|rpm -U|rpm -U --oldpackage|install -m 0755) "\$file"(?: \/usr\/bin\/svc)?)?$/,
            page,
          );
          found.add(page);
        }
      }
    }
    assert.deepEqual([...found].sort(), ['installing.md', 'releasing.md', 'upgrading.md']);
  });

  test('the commands of the pages install a file of a release, and none that the signed list does not name', async (t) => {
    if (!shared.isMade(t)) return;
    const { path } = shared.scene;
    const [, one] = readBlocks('releasing.md', 'Verify a release', present);
    const verifiers = [one!, ...ways.flatMap(([page, heading]) => readBlocks(page, heading, present))]
      .filter((block) => block.includes('SHA256SUMS.sig SHA256SUMS'))
      // the files are in the folder already
      .map((block) => block.replace(/^mkdir .* && cd program\n/, ''));
    assert.equal(verifiers.length, 8);
    const programs = ['svc-linux-x64', 'svc-linux-arm64'];
    const packages = [debName(present), rpmName(present)];

    for (const block of verifiers) {
      const { status, said, installed } = await type(block, release());
      assert.equal(status, 0, said);
      const [, file] = /^file=(.*)$/m.exec(block)!;
      assert.match(said, new RegExp(`^Verified OK\\n[0-9a-f]{64} {2}${file}\\n$`));
      assert.equal(installed !== '', block !== one, installed);
      if (installed !== '') assert.ok(installed.includes(` ${file}`), installed);
    }

    // the signed list of the FileSet, which names no packages
    const served = path('served-forged');
    unpackFileset(t, join(release(), 'oci'), 'svc-files', served);
    await forge(served, ...packages);
    // the list of a release for one processor
    const single = await carry('single-forged', [...signedList, 'svc-linux-x64'], release('next'));
    await forge(single, 'svc-linux-arm64');
    // a carried folder with an altered file
    const altered = await carry('altered', signedList);
    await forge(altered, ...programs, ...packages);
    // a list that names the altered files is not the signed one
    const listed = await carry('listed', ['SHA256SUMS.sig']);
    await forge(listed, ...programs, ...packages);
    judge(t, ['sh', '-ec', `sha256sum ${[...programs, ...packages].join(' ')} > SHA256SUMS`], listed);
    const absent = await carry('absent', signedList);
    const unnamed = /^Verified OK\n\S+ is not what the signed list names\n$/;
    for (const [folder, wanted, expected] of [
      [served, (block: string) => /\.deb|\.rpm/.test(block), unnamed],
      [single, (block: string) => block.includes('svc-linux-x64'), unnamed],
      [altered, () => true, unnamed],
      [listed, () => true, /Verification failure/i],
      [absent, () => true, /No such file or directory\n.* is not what the signed list names$/m],
    ] as const) {
      const chosen = verifiers.filter(wanted);
      assert.ok(chosen.length > 0);
      for (const block of chosen) {
        const typed = folder === single ? block.replaceAll('svc-linux-x64', 'svc-linux-arm64') : block;
        const { status, said, installed } = await type(typed, folder);
        assert.deepEqual([status === 0, installed], [false, ''], `${folder}: ${typed}\n${said}`);
        assert.match(said, expected, folder);
      }
    }
  });

  test('the commands of the pages take the name of a file as it is', async (t) => {
    if (!shared.isMade(t)) return;
    const installers = ways
      .flatMap(([page, heading]) => readBlocks(page, heading, present))
      .filter((block) => block.includes('SHA256SUMS.sig SHA256SUMS'))
      .map((block) => block.replace(/^mkdir .* && cd program\n/, ''));
    // names that match the genuine name as a regular expression, and names that a program takes for an option
    const names = [debName(present).replace('_amd64', '.amd64'), '.*', '-', '--version', '', 'a\nb'];
    const folder = await carry('patterns', [...signedList, debName(present)]);
    await forge(folder, ...names.filter(Boolean));
    for (const block of installers) {
      for (const name of names) {
        const typed = block.replace(/^file=.*$/m, () => `file='${name}'`);
        const { status, said, installed } = await type(typed, folder);
        assert.deepEqual([status, installed], [1, ''], `${typed}\n${said}`);
        assert.match(said, /^Verified OK\n(?:.*\n)*.* is not what the signed list names\n$/);
      }
    }
  });

  test('files of a release are copied into a new folder, and replace neither the key nor another file', async (t) => {
    if (!shared.isMade(t)) return;
    const { path, publicKey } = shared.scene;
    const [copy, one] = readBlocks('releasing.md', 'Verify a release', present);
    const home = path('home-of-verifier');
    const disk = await carry('brought', [...signedList, debName(present)]);
    for (const name of ['svc.pub', 'svc-release.pub', '.profile']) await writeFile(join(disk, name), 'evil');
    const line = copy!.replace('/mnt/disk/release', disk);
    const before = readdirSync(home).sort();
    const verified = await type(`${line}\n${one}`, home);
    assert.equal(verified.status, 0, verified.said);
    assert.deepEqual(readdirSync(home).sort(), [...before, 'release-to-verify'].sort());
    assert.ok(readFileSync(join(home, 'svc-release.pub')).equals(readFileSync(publicKey)));
    const again = await type(line, home);
    assert.equal(again.status, 1);
    assert.match(again.said, /release-to-verify.*File exists/);
  });

  test('the command of the page verifies a whole release, and nothing that was added, left out or changed', async (t) => {
    if (!shared.isMade(t)) return;
    const { path } = shared.scene;
    const [, , whole] = readBlocks('releasing.md', 'Verify a release', present);
    const genuine = await type(whole!, release());
    assert.equal(genuine.status, 0, genuine.said);
    assert.match(genuine.said, /^Verified OK\n.*recipe\.yaml\nthe files are those of the list/s);
    const all = readdirSync(release());
    const folder = await carry('whole', all);
    const blobs = join('oci', 'blobs', 'sha256');
    const [blob] = readdirSync(join(folder, blobs));
    const judgeWith = async (
      path: string,
      change: (at: string) => Promise<void>,
      expected: RegExp,
    ): Promise<void> => {
      const [at, aside] = [join(folder, path), `${folder}-aside`];
      if (existsSync(at)) await rename(at, aside);
      await change(at);
      const { status, said } = await type(whole!, folder);
      assert.notEqual(status, 0, `${path}\n${said}`);
      assert.match(said, expected);
      assert.doesNotMatch(said, /the files are those of the list/);
      await rm(at, { force: true, recursive: true });
      if (existsSync(aside)) await rename(aside, at);
    };
    const evil = (at: string): Promise<void> => writeFile(at, 'evil');
    await judgeWith('svc_9.9.9_amd64.deb', evil, /^> [0-9a-f]{64} {2}svc_9\.9\.9_amd64\.deb$/m);
    await judgeWith(join(blobs, 'f'.repeat(64)), evil, /^> [0-9a-f]{64} {2}oci\/blobs\/sha256\/f{64}$/m);
    await judgeWith('SHA256SUMS.more', evil, /^> .*SHA256SUMS\.more$/m);
    await judgeWith('svc.pub\nsvc.cdx.json', evil, /^> .*svc\.pub/m);
    for (const option of ['-', '-t', '--text', '--', '--zero'])
      await judgeWith(option, evil, new RegExp(`^> [0-9a-f]{64} {2}${option}$`, 'm'));
    await judgeWith(join('oci', 'empty'), async (at) => void (await mkdir(at)), /^\.\/oci\/empty$/m);
    await judgeWith('more', (at) => symlink('/etc/passwd', at), /^\.\/more$/m);
    // the bytes are the same until somebody changes them elsewhere
    await judgeWith(
      'svc.cdx.json',
      (at) => symlink(join(release(), 'svc.cdx.json'), at),
      /^\.\/svc\.cdx\.json$/m,
    );
    await judgeWith(join(blobs, blob!), evil, /^> .*oci\/blobs\/sha256\//m);
    await judgeWith(join(blobs, blob!), async () => {}, /^< .*oci\/blobs\/sha256\//m);
    await judgeWith('SHA256SUMS', (at) => cp(join(release(), 'svc.cdx.json'), at), /Verification failure/i);
    assert.equal((await type(whole!, folder)).status, 0, 'it was taken back');

    // another version, and the list of the FileSet with everything that it names, are no such release
    const [, , later] = readBlocks('releasing.md', 'Verify a release', next);
    assert.notEqual((await type(later!, release())).status, 0);
    const served = path('served-whole');
    unpackFileset(t, join(release(), 'oci'), 'svc-files', served);
    assert.match(
      readFileSync(join(served, 'SHA256SUMS'), 'utf8'),
      new RegExp(`^# svc-files ${present}: .*\\n[0-9a-f]{64} `),
    );
    const inner = await type(whole!, served);
    assert.equal(inner.status, 1, inner.said);
    assert.match(inner.said, /^Verified OK\n$/);
  });

  test('the files that a zone serves are verified one by one, and by cosign', async (t) => {
    if (!shared.isMade(t)) return;
    const { path } = shared.scene;
    const [, one, , cosign] = readBlocks('releasing.md', 'Verify a release', present);
    const folder = path('served');
    unpackFileset(t, join(release(), 'oci'), 'svc-files', folder);
    const program = one!.replace(/^file=.*$/m, 'file=svc-linux-x64');
    const verified = await type(program, folder);
    assert.equal(verified.status, 0, verified.said);
    assert.match(verified.said, /^[0-9a-f]{64} {2}svc-linux-x64$/m);
    const hasCosign = needs(t, 'cosign') !== undefined;
    const judgeCosign = async (line: string, at: string, isGood: boolean): Promise<void> => {
      const { status, said } = await type(line, at);
      assert.equal(status === 0, isGood, said);
    };
    if (hasCosign) {
      await judgeCosign(cosign!, folder, true);
      await judgeCosign(cosign!, release(), true);
      const approval = cosign!
        .replace('provenance.sigstore.json', 'SHA256SUMS.sigstore.json')
        .replace('https://slsa.dev/provenance/v1', 'https://sigstore.dev/cosign/sign/v1')
        .replace('svc-linux-x64', 'SHA256SUMS');
      assert.ok(approval.includes('SHA256SUMS.sigstore.json') && approval.endsWith('SHA256SUMS'));
      await judgeCosign(approval, release(), true);
      // a file of another release is not the subject of the statement
      await judgeCosign(
        cosign!.replace('svc-linux-x64', join(release('next'), 'svc-linux-x64')),
        release(),
        false,
      );
    }
    await appendFile(join(folder, 'svc-linux-x64'), 'something else');
    const changed = await type(program, folder);
    assert.notEqual(changed.status, 0);
    assert.match(changed.said, /^svc-linux-x64 is not what the signed list names$/m);
    if (hasCosign) await judgeCosign(cosign!, folder, false);
  });

  test('a zone without svc installs it from a copy of what the disk of a medium brought', async (t) => {
    if (!shared.isMade(t)) return;
    const { path } = shared.scene;
    const room = path('room');
    await mkdir(room);
    const disk = await carry('disk', readdirSync(release()));
    const [, install] = readBlocks('installing.md', 'A zone without svc', present);
    const { status, said, installed } = await type(
      install!.replace('/mnt/disk/delivery/program', disk),
      room,
    );
    assert.equal(status, 0, said);
    assert.match(said, /^Verified OK\n[0-9a-f]{64} {2}svc-linux-x64$/m);
    assert.equal(installed, 'install -m 0755 svc-linux-x64 /usr/bin/svc');
    assert.deepEqual(readdirSync(join(room, 'program')).sort(), readdirSync(release()).sort());
  });

  test('a release, and the FileSet of its programs, can be carried by a medium', async (t) => {
    if (!shared.isMade(t)) return;
    const key = parsePublicKey(readFileSync(shared.scene.publicKey));
    const whole = await readProgram(release(), key);
    assert.equal(whole.version, present);
    assert.deepEqual(
      whole.files.map((file) => file.path),
      hashAll(release()).map(([file]) => file),
    );
    const folder = shared.scene.path('carried-files');
    unpackFileset(t, join(release(), 'oci'), 'svc-files', folder);
    const served = await readProgram(folder, key);
    assert.deepEqual([served.version, served.programs], [present, whole.programs]);
    assert.deepEqual(
      served.files.map((file) => file.path),
      hashAll(folder).map(([file]) => file),
    );
  });
}
