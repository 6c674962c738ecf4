import { createHash } from 'node:crypto';
import { dirname } from 'node:path';
import { toAr } from '../ar.ts';
import { type Architecture, architectures } from '../arch.ts';
import { type DatedEntry, toDatedTar } from '../dated-tar.ts';
import type { Source } from '../source.ts';
import { toPackageVersion } from '../version.ts';
import { debScripts } from './maintainer-scripts.ts';
import { compress, type PackageFile } from './package-files.ts';

/** One line of the description, for both kinds of package. */
export const summary = 'distribution of signed content between network zones';
/** The other lines. */
export const description = [
  'svc moves signed, digest-pinned content (images, charts, packages, files)',
  'between network zones, down to zones that only a carried disk reaches. An',
  'instance serves what it has verified to registry clients, apt, dnf, helm',
  'and browsers.',
] as const;

/** Accepted complaints of lintian about the package, each with the reason. */
const overrides = `# the project has no address for mail
svc: bogus-mail-host *
svc: bogus-mail-host-in-debian-changelog *
# the runtime brings its libraries, and is not built here; svc.cdx.json lists them
svc: embedded-library *
svc: hardening-no-pie *
# there is one unit, and no helper of the distribution is needed for it
svc: maintainer-script-calls-systemctl *
# it prints its own usage
svc: no-manual-page *
`;

/**
 * Makes a Debian package (deb(5)): an `ar` of two tar archives. The same arguments give the same bytes.
 *
 * @param files all files, the program among them
 */
export function toDeb(
  files: readonly PackageFile[],
  architecture: Architecture,
  { version, seconds, date }: Pick<Source, 'version' | 'seconds' | 'date'>,
  license: Buffer,
): Buffer {
  const changelog = `svc (${toPackageVersion(version)}) unstable; urgency=medium\n\n  * Release ${version}.\n\n -- svc <svc@localhost>  ${date.toUTCString().replace('GMT', '+0000')}\n`;
  const text = (path: string, bytes: Buffer): PackageFile => ({ path, mode: 0o644, bytes });
  const all = [
    ...files,
    text('usr/share/doc/svc/changelog.gz', compress(Buffer.from(changelog))),
    text('usr/share/doc/svc/copyright', toCopyright(license)),
    text('usr/share/lintian/overrides/svc', Buffer.from(overrides)),
  ].sort((a, b) => (a.path < b.path ? -1 : 1));
  const kib = all.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / 1024), 0);
  const control = [
    'Package: svc',
    `Version: ${toPackageVersion(version)}`,
    `Architecture: ${architectures[architecture].deb}`,
    'Maintainer: svc <svc@localhost>',
    `Installed-Size: ${kib}`,
    // the runtime is built for these, and loads nothing else
    'Depends: libc6 (>= 2.28), libgcc-s1, libstdc++6 (>= 5.2), passwd | systemd',
    'Recommends: ca-certificates',
    'Section: net',
    'Priority: optional',
    `Description: ${summary}`,
    ...description.map((line) => ` ${line}`),
  ];
  const sums = all.map(({ path, bytes }) => `${createHash('md5').update(bytes).digest('hex')}  ${path}`);
  const file = (path: string, bytes: string, mode = 0o644): DatedEntry => ({
    path: `./${path}`,
    type: 'file',
    mode,
    bytes: Buffer.from(bytes),
  });
  const controlTar = toDatedTar(
    [
      folder('./'),
      file('control', `${control.join('\n')}\n`),
      file('md5sums', `${sums.join('\n')}\n`),
      ...Object.entries(debScripts).map(([name, script]) => file(name, script, 0o755)),
    ],
    seconds,
  );
  return toAr(
    [
      { name: 'debian-binary', bytes: Buffer.from('2.0\n') },
      { name: 'control.tar.gz', bytes: compress(controlTar) },
      // the program hardly gets smaller with more effort
      { name: 'data.tar.gz', bytes: compress(toDatedTar(toTree(all), seconds), 6) },
    ],
    seconds,
  );
}

function folder(path: string): DatedEntry {
  return { path, type: 'folder', mode: 0o755, bytes: Buffer.alloc(0) };
}

/** Adds the folders of the files, each before its content. */
function toTree(files: readonly PackageFile[]): DatedEntry[] {
  const known = new Set<string>();
  const entries: DatedEntry[] = [folder('./')];
  const enter = (path: string): void => {
    if (path === '.' || known.has(path)) return;
    enter(dirname(path));
    known.add(path);
    entries.push(folder(`./${path}/`));
  };
  for (const { path, mode, bytes } of files) {
    enter(dirname(path));
    entries.push({ path: `./${path}`, type: 'file', mode, bytes });
  }
  return entries;
}

/** Machine-readable copyright (copyright-format 1.0). */
function toCopyright(license: Buffer): Buffer {
  const lines = license.toString().trim().split('\n');
  const holder =
    lines.find((line) => line.startsWith('Copyright'))?.replace(/^Copyright \(c\) /, '') ?? 'svc';
  const body = lines.map((line) => (line.trim() === '' ? ' .' : ` ${line}`));
  const head = 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/';
  const note = 'Comment: The licenses of what the program contains are in svc.cdx.json, beside this file.';
  return Buffer.from(
    `${head}\n${note}\n\nFiles: *\nCopyright: ${holder}\nLicense: Expat\n${body.join('\n')}\n`,
  );
}
