import { createHash } from 'node:crypto';
import type { Metafile } from 'esbuild';
import { type Architecture, architectures } from '../arch.ts';
import { type DebianPackage, listDebianPackages } from '../inputs.ts';
import { type LockedPackage, listNativePackages, type PlacedPackage, readLockfile } from '../npm-packages.ts';
import { RefusedError, type Source } from '../source.ts';
import type { NativeParts, Part } from './native-parts.ts';
import { listUnnamedParts, runtimeLicenses } from './runtime-parts.ts';

interface Component {
  readonly type: string;
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version?: string;
  readonly [member: string]: unknown;
}

/** Names of the packages whose files are in a bundle, by their folder in the lockfile. */
export function listBundled(metafiles: readonly Metafile[]): readonly string[] {
  const folders = new Set<string>();
  for (const { outputs } of metafiles) {
    for (const { inputs } of Object.values(outputs)) {
      for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0];
        // files that the bundler read and then dropped are not in the program
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
    }
  }
  return [...folders].sort();
}

/**
 * Makes the bill of materials, CycloneDX 1.6. It has the packages in the program (the metafiles of the bundler joined
 * with the lockfile) and the Debian packages of the image. It also has the runtime and the native password hash with
 * their known parts. It states for which components this list is complete.
 *
 * @param bundled folders of packages, as `listBundled` gives them
 * @param embedded names of packages that are in the program without having been bundled as code
 * @param parts of the native files of each processor
 */
export function toBill(
  source: Source,
  bundled: readonly string[],
  embedded: readonly string[],
  platforms: readonly Architecture[],
  parts: Readonly<Partial<Record<Architecture, NativeParts>>>,
): Buffer {
  const { root, version, commit, date } = source;
  const packages = readLockfile(root);
  const natives = platforms.map((platform) => listNativePackages(root, platform));
  const folders = [...bundled, ...embedded.map((name) => `node_modules/${name}`)];
  // a package that is installed in two places of the tree is one component
  const libraries = unique(
    [...folders, ...natives.map(({ addon }) => `node_modules/${addon.name}`)].sort().map((folder) => {
      const locked = packages[folder];
      if (locked === undefined) {
        throw new RefusedError(`${folder} is in the program and not in the lockfile: run npm ci`);
      }
      return toNpm(folder.split('node_modules/').at(-1)!, locked);
    }),
  );
  const runtimes = natives.map(({ runtime }) =>
    toNpm(runtime.name, packages[`node_modules/${runtime.name}`]!, 'platform'),
  );
  const built = process.versions as Readonly<Record<string, string>>;
  const inRuntime = Object.entries(built)
    .filter(([name, value]) => !['node', 'modules', 'napi', 'unicode', 'cldr', 'tz'].includes(name) && value)
    .map(([name, value]) => toRuntimePart(name, value));
  inRuntime.push(...listUnnamedParts(root).map(({ name, version }) => toRuntimePart(name, version)));
  const partsOf = (kind: keyof NativeParts, platform: Architecture): Component[] =>
    (parts[platform]?.[kind] ?? []).map((part) =>
      toPart(part, kind === 'addon' ? 'part of the password hash' : 'part of the runtime'),
    );
  const inNatives = unique(
    platforms.flatMap((platform) => [...partsOf('runtime', platform), ...partsOf('addon', platform)]),
  );
  const debian = unique(platforms.flatMap((platform) => listDebianPackages(platform)).map(toDebian));
  const own = `pkg:generic/svc@${version}`;
  const image = `${own}#image`;
  const refs = (components: readonly Component[]): string[] => components.map((one) => one['bom-ref']);
  const components = [...libraries, ...runtimes, ...inRuntime, ...inNatives, ...debian];
  const partly = new Map<string, string[]>();
  for (const [index, platform] of platforms.entries()) {
    const { runtime, addon } = natives[index]!;
    const refOf = ({ folder, name }: PlacedPackage): string => toNpm(name, packages[folder]!)['bom-ref'];
    partly.set(refOf(runtime), refs([...inRuntime, ...partsOf('runtime', platform)]));
    partly.set(refOf(addon), refs(partsOf('addon', platform)));
  }
  const others = refs(components).filter((ref) => !partly.has(ref));
  const dependencies = [
    { ref: own, dependsOn: refs([...libraries, ...runtimes]) },
    { ref: image, dependsOn: [own, ...refs(debian)] },
    ...[...partly].map(([ref, dependsOn]) => ({ ref, dependsOn })),
    ...others.map((ref) => ({ ref })),
  ];
  const compositions = [
    // the bundler and the lists of the release tell each of these
    { aggregate: 'complete', dependencies: [own, image] },
    // parts compiled into them need not leave a name
    { aggregate: 'incomplete', dependencies: [...partly.keys()] },
    { aggregate: 'unknown', dependencies: others },
  ];
  const document = {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    serialNumber: `urn:uuid:${toUuid(`${version} ${commit}`)}`,
    version: 1,
    metadata: {
      timestamp: date.toISOString(),
      component: {
        type: 'application',
        'bom-ref': own,
        name: 'svc',
        version,
        purl: own,
        licenses: toLicenses('MIT'),
        properties: [{ name: 'svc:commit', value: commit }],
      },
      properties: platforms.map((platform) => ({
        name: 'svc:platform',
        value: `linux/${architectures[platform].oci}`,
      })),
    },
    components: [
      ...components,
      {
        type: 'container',
        'bom-ref': image,
        name: 'svc image',
        version,
        description: 'the program with the libraries of the runtime',
        // as its label says
        licenses: toLicenses('MIT'),
      },
    ],
    dependencies,
    compositions,
  };
  return Buffer.from(`${JSON.stringify(document, null, 2)}\n`);
}

/** @throws RefusedError for a part whose license is not known here: a new runtime may have one */
function toRuntimePart(name: string, version: string | undefined): Component {
  const license = runtimeLicenses[name];
  if (license === undefined)
    throw new RefusedError(`the license of ${name}, a part of the runtime, is not listed`);
  const at = version === undefined ? '' : `@${encodeURIComponent(version)}`;
  const purl = `pkg:generic/${encodeURIComponent(name)}${at}`;
  return toPart(
    { name, license, purl, ...(version === undefined ? {} : { version }) },
    'part of the runtime',
  );
}

function toPart({ name, version, license, purl }: Part, description: string): Component {
  return {
    type: 'library',
    'bom-ref': purl,
    name,
    ...(version === undefined ? {} : { version }),
    licenses: toLicenses(license),
    purl,
    description: version === undefined ? `${description}, which does not tell its version` : description,
  };
}

function toNpm(name: string, { version, integrity, license }: LockedPackage, type = 'library'): Component {
  const [group, rest] = name.startsWith('@') ? (name.split('/') as [string, string]) : [undefined, name];
  const path = group === undefined ? rest : `${encodeURIComponent(group)}/${rest}`;
  const purl = `pkg:npm/${path}@${version}`;
  const content = integrity?.startsWith('sha512-')
    ? Buffer.from(integrity.slice(7), 'base64').toString('hex')
    : undefined;
  return {
    type,
    'bom-ref': purl,
    ...(group === undefined ? {} : { group }),
    name: rest,
    version,
    ...(content === undefined ? {} : { hashes: [{ alg: 'SHA-512', content }] }),
    ...(license === undefined ? {} : { licenses: toLicenses(license) }),
    purl,
  };
}

function toDebian({ name, version, architecture, sha256, license }: DebianPackage): Component {
  const purl = toDebUrl({ name, version, architecture });
  const hashes = [{ alg: 'SHA-256', content: sha256 }];
  return { type: 'library', 'bom-ref': purl, name, version, hashes, licenses: toLicenses(license), purl };
}

/** Package URL of a Debian package. */
export function toDebUrl({
  name,
  version,
  architecture,
}: Pick<DebianPackage, 'name' | 'version' | 'architecture'>): string {
  const [encodedName, encodedVersion] = [name, version].map((part) =>
    encodeURIComponent(part).replaceAll('%3A', ':'),
  );
  return `pkg:deb/debian/${encodedName}@${encodedVersion}?arch=${architecture}`;
}

/** Keeps one component of each reference. */
function unique(components: readonly Component[]): Component[] {
  return [...new Map(components.map((one) => [one['bom-ref'], one])).values()];
}

/** Names that packages give to licenses and that are no identifiers of SPDX, with the identifier. */
const renamed: Readonly<Record<string, string>> = { 'BSD-0-Clause': '0BSD' };

/** The member `licenses` for an identifier or an expression of SPDX, or for words that are neither. */
function toLicenses(license: string): readonly object[] {
  if (license === 'public domain') return [{ license: { name: license } }];
  if (/[ (]/.test(license)) return [{ expression: license }];
  return [{ license: { id: renamed[license] ?? license } }];
}

/** A UUID that depends on the text alone (RFC 9562, version 8). */
function toUuid(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16);
  bytes[6] = (bytes[6]! & 0x0f) | 0x80;
  bytes[8] = (bytes[8]! & 0x3f) | 0x80;
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
