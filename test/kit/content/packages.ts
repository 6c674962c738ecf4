import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openTempFolder } from '../instance/temp-folder.ts';
import type { ClientHome } from '../program/client-home.ts';

/** Makes a Debian package of one file in a folder, as `dpkg-deb` makes them. */
export async function buildDeb(
  home: ClientHome,
  into: string,
  name: string,
  version: string,
): Promise<string> {
  const tree = join(home.path, 'build', `${name}-${version.replaceAll(':', '_')}`);
  const control = `Package: ${name}\nVersion: ${version}\nArchitecture: all\nMaintainer: Nobody <nobody@example.org>\nDescription: A sample\n`;
  await mkdir(join(tree, 'DEBIAN'), { recursive: true });
  await mkdir(join(tree, 'usr', 'share', name), { recursive: true });
  await writeFile(join(tree, 'DEBIAN', 'control'), control);
  await writeFile(join(tree, 'usr', 'share', name, 'version'), version);
  // an epoch is written encoded in the name of a file, as archives do
  const path = join(into, `${name}_${version.replace(':', '%3a')}_all.deb`);
  await mkdir(dirname(path), { recursive: true });
  await home.run('dpkg-deb', ['--root-owner-group', '--build', tree, path]);
  return path;
}

/** Makes an RPM package of one file below a folder, as `rpmbuild` makes them. */
export async function buildRpm(
  home: ClientHome,
  into: string,
  name: string,
  version: string,
): Promise<string> {
  const spec = join(home.path, `${name}.spec`);
  const text = [
    `Name: ${name}\nVersion: ${version}\nRelease: 1\nSummary: A sample\nLicense: MIT\nBuildArch: noarch`,
    '%description\nA sample.',
    `%install\nmkdir -p %{buildroot}/usr/share/${name}\necho ${version} > %{buildroot}/usr/share/${name}/version`,
    `%files\n/usr/share/${name}/version`,
  ];
  await writeFile(spec, `${text.join('\n\n')}\n`);
  await home.run('rpmbuild', [
    ...['--define', `_topdir ${join(home.path, 'rpmbuild')}`, '--define', `_rpmdir ${into}`],
    ...['--define', `_dbpath ${join(home.path, 'db')}`, '-bb', spec],
  ]);
  return join(into, 'noarch', `${name}-${version}-1.noarch.rpm`);
}

/** A keyring of gpg with keys of its own. */
export interface Keyring extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  /** Makes a key, without passphrase unless one is given, which the agent then forgets. @returns its fingerprint */
  create(name: string, passphrase?: string): Promise<string>;
  /** Makes a revocation of a key and imports it. */
  revoke(fingerprint: string): Promise<void>;
  /** Writes the public key of a fingerprint. */
  exportTo(path: string, fingerprint: string, armored?: boolean): Promise<void>;
}

export async function openKeyring(home: ClientHome): Promise<Keyring> {
  // short, as the socket of the agent lies below it
  const folder = await openTempFolder('k-');
  await chmod(folder.path, 0o700);
  const env = { GNUPGHOME: folder.path };
  const gpg = (...args: string[]) => home.run('gpg', ['--batch', ...args], { env });
  return {
    env,
    create: async (name, passphrase = '') => {
      await gpg(
        '--pinentry-mode',
        'loopback',
        '--passphrase',
        passphrase,
        '--quick-generate-key',
        `${name}@example.org`,
        'rsa2048',
      );
      if (passphrase !== '') await home.run('gpgconf', ['--kill', 'gpg-agent'], { env });
      const listed = await gpg('--with-colons', '--list-keys', `${name}@example.org`);
      return /^fpr:+([0-9A-F]{40}):/m.exec(listed)![1]!;
    },
    revoke: async (fingerprint) => {
      const text = await readFile(join(folder.path, 'openpgp-revocs.d', `${fingerprint}.rev`), 'utf8');
      const path = join(folder.path, 'revocation.asc');
      // the file has a colon before the armor, so that it is not imported by mistake
      await writeFile(path, text.replace(':-----BEGIN', '-----BEGIN'));
      await gpg('--import', path);
    },
    exportTo: async (path, fingerprint, armored = false) => {
      await gpg(...(armored ? ['--armor'] : []), '--yes', '--output', path, '--export', fingerprint);
    },
    [Symbol.asyncDispose]: async () => {
      await home.try('gpgconf', ['--kill', 'all'], { env });
      await folder[Symbol.asyncDispose]();
    },
  };
}
