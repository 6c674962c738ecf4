import { chmodSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Architecture, architectures } from '../arch.ts';
import type { Source } from '../source.ts';
import { runTool } from '../tools/run-tool.ts';
import { toPackageVersion } from '../version.ts';
import { description, summary } from './deb.ts';
import { rpmScripts } from './maintainer-scripts.ts';
import type { PackageFile } from './package-files.ts';

/** Name of the file of the package. */
export function rpmFileName(version: string, architecture: Architecture): string {
  return `svc-${toPackageVersion(version)}-1.${architectures[architecture].rpm}.rpm`;
}

/**
 * Makes an RPM with `rpmbuild`. Build host, times, compression and scripts are set, so that the machine has no part in
 * the result. The settings of the machine and of the user are not read.
 *
 * @param files all files, the program among them
 * @param work an empty folder
 * @throws Error with the output of `rpmbuild`
 */
export function makeRpm(
  files: readonly PackageFile[],
  architecture: Architecture,
  { version, seconds }: Source,
  work: string,
): Buffer {
  const { rpm } = architectures[architecture];
  const tree = join(work, 'tree');
  for (const { path, mode, bytes } of files) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), bytes);
    chmodSync(join(tree, path), mode);
    utimesSync(join(tree, path), seconds, seconds);
  }
  const spec = [
    'Name: svc',
    `Version: ${toPackageVersion(version)}`,
    'Release: 1',
    `Summary: ${summary}`,
    'License: MIT',
    // the runtime is built for these, and loads nothing else
    'AutoReqProv: no',
    'Requires: libc.so.6(GLIBC_2.28)(64bit)',
    'Requires: libstdc++.so.6()(64bit)',
    'Requires: libgcc_s.so.1()(64bit)',
    'Requires(post): coreutils, shadow-utils',
    `Provides: svc(${rpm})`,
    '%description',
    ...description,
    ...Object.entries(rpmScripts).flatMap(([name, script]) => [`%${name} -p /bin/sh`, script]),
    '%install',
    `cp -a ${tree}/. %{buildroot}/`,
    '%files',
    '%defattr(-,root,root,-)',
    // folders of its own go with the package; those of the system stay
    ...listOwnFolders(files).map((path) => `%dir "/${path}"`),
    ...files.map(({ path }) => `"/${path}"`),
  ];
  const path = join(work, 'svc.spec');
  writeFileSync(path, `${spec.join('\n')}\n`);
  const macros: Readonly<Record<string, string>> = {
    _topdir: join(work, 'top'),
    _tmppath: join(work, 'tmp'),
    _rpmfilename: 'svc.rpm',
    _buildhost: 'localhost',
    _build_id_links: 'none',
    use_source_date_epoch_as_buildtime: '1',
    clamp_mtime_to_source_date_epoch: '1',
    _source_filedigest_algorithm: '8',
    _binary_filedigest_algorithm: '8',
    // a zstd payload is read by RPM 4.14 (2017) and newer; one thread gives the same bytes on every machine
    _binary_payload: 'w9.zstdio',
    // nothing strips, compresses or rewrites the built files
    __os_install_post: '%{nil}',
    debug_package: '%{nil}',
    _defaultdocdir: '/usr/share/doc',
    vendor: '%{nil}',
    packager: '%{nil}',
    distribution: '%{nil}',
    optflags: '%{nil}',
  };
  const defines = Object.entries(macros).flatMap(([name, value]) => ['--define', `${name} ${value}`]);
  mkdirSync(join(work, 'tmp'), { recursive: true });
  runTool('rpmbuild', ['-bb', '--quiet', '--target', `${rpm}-unknown-linux`, ...defines, path], {
    // neither the settings of the user nor a database of packages are read
    env: { HOME: work, SOURCE_DATE_EPOCH: String(seconds) },
  });
  const made = readFileSync(join(work, 'top', 'RPMS', 'svc.rpm'));
  rmSync(work, { recursive: true });
  return made;
}

/** Folders that only this package has. */
function listOwnFolders(files: readonly PackageFile[]): readonly string[] {
  const folders = new Set<string>();
  for (const { path } of files) {
    const [own] = /^usr\/share\/(?:doc\/|licenses\/)?svc(?=\/)/.exec(path) ?? [];
    if (own === undefined) continue;
    for (let folder = dirname(path); folder.length >= own.length; folder = dirname(folder))
      folders.add(folder);
  }
  return [...folders].sort();
}
