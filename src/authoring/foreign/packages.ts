import { childPath, toItems, type YamlMap } from '../../recipe/read-yaml.ts';
import { svcError } from '../../text/error.ts';
import { Collector } from './collector.ts';
import { readForeignDocuments, readForeignYaml, toMap, toScalarText } from './documents.ts';
import { readImageName } from './image-name.ts';
import type { OmissionReason, SourceContents, SourceDocument } from './model.ts';

/** Entries of `mirror.blockedImages` of oc-mirror: images that must not be mirrored. */
class BlockedImages {
  readonly #entries: { readonly name: string; readonly at: string; isUsed: boolean }[];

  constructor(
    entries: Iterable<{ readonly at: string; readonly text: (member: string) => string | undefined }>,
  ) {
    this.#entries = [...entries].map(({ at, text }) => ({ name: text('name') ?? '', at, isUsed: false }));
  }

  /** Whether an entry names this image. */
  has(image: string): boolean {
    const matching = this.#entries.filter(({ name }) => isNamed(name, image));
    for (const entry of matching) entry.isUsed = true;
    return matching.length > 0;
  }

  /** Entries that have named no image so far. */
  get unused(): readonly { readonly name: string; readonly at: string }[] {
    return this.#entries.filter(({ isUsed }) => !isUsed);
  }
}

/** An entry is a reference, a repository for each of its versions, or the last part of one. */
function isNamed(entry: string, image: string): boolean {
  if (entry === image) return true;
  const read = readImageName(image);
  if ('rule' in read) return false;
  const { host, repository, tag, digest } = read.reference;
  if (/^[a-z0-9._-]+$/.test(entry)) return repository.split('/').at(-1) === entry;
  const blocked = readImageName(entry);
  if ('rule' in blocked) return false;
  const { reference } = blocked;
  return (
    reference.host === host &&
    reference.repository === repository &&
    (reference.tag === undefined || reference.tag === tag) &&
    (reference.digest === undefined || reference.digest === digest)
  );
}

type Texts = (member: string) => string | undefined;

/** Reads members of maps, and takes images; the same for each form of package. */
class PackageReader {
  readonly found: Collector;
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
    this.found = new Collector(file);
  }

  /** The maps of a list, each with its path and its texts. */
  *maps(
    parent: YamlMap | undefined,
    member: string,
    path: string,
  ): Generator<{ readonly map: YamlMap; readonly at: string; readonly text: Texts }> {
    for (const [i, item] of toItems(parent?.get(member)).entries()) {
      const map = toMap(item);
      const at = `${childPath(path, member)}[${i}]`;
      if (map) yield { map, at, text: (name) => toScalarText(map.get(name)) || undefined };
    }
  }

  /** @throws SVC-VAL-001 for a text that is no image */
  image(image: string, where: string, details: { tag?: string; platform?: string | undefined } = {}): void {
    if (/###|\$\{|\{\{/.test(image)) {
      this.found.leaveOut(image, where, 'template');
      return;
    }
    const name = readImageName(image);
    if ('rule' in name) throw svcError('SVC-VAL-001', { file: this.#file, path: where, rule: name.rule });
    this.found.image(image, where, details);
  }

  /** Takes a chart by the URL of its repository. An `oci://` URL may end in the name of the chart. */
  chart(
    where: string,
    chart: { name?: string | undefined; url?: string | undefined; version?: string | undefined },
    { ociNamesChart = false, withImages = false } = {},
  ): void {
    const { name = '', url = '', version } = chart;
    const base = url.replace(/\/+$/, '');
    if ([name, url, version ?? ''].some((part) => /###|\$\{|\{\{/.test(part)))
      this.found.leaveOut(name, where, 'template');
    else if (/^oci:\/\//i.test(base))
      this.found.chart({ chart: ociNamesChart ? base : `${base}/${name}`, version, where, withImages });
    else if (/^https?:\/\//i.test(base) && !base.endsWith('.git'))
      this.found.chart({ chart: `${base}/${name}`, version, where, withImages });
    else
      this.found.leaveOut(name === '' ? base : name, where, base.endsWith('.git') ? 'git' : 'chart-on-disk');
  }
}

/** Members of an image or chart of hauler that a recipe cannot express. */
const haulerMembers = [
  ['rewrite', 'rewritten'],
  ['key', 'own-key'],
] as const satisfies readonly (readonly [string, OmissionReason])[];

/**
 * Reads the manifests of hauler: `Images` and `Charts`. Files, other names and keys are named as left out.
 *
 * @throws SVC-VAL-001, SVC-VAL-002
 */
export function readHauler({ text, file }: SourceDocument): SourceContents {
  const reader = new PackageReader(file);
  const { found } = reader;
  const leaveOutMembers = (at: string, of: Texts): void => {
    for (const [member, reason] of haulerMembers) {
      const value = of(member);
      if (value !== undefined) found.leaveOut(`${member}: ${value}`, `${at}.${member}`, reason);
    }
  };
  for (const { value } of readForeignDocuments(text, file)) {
    const kind = toScalarText(value.get('kind')) ?? '';
    const spec = toMap(value.get('spec'));
    const annotations = toMap(toMap(value.get('metadata'))?.get('annotations'));
    const registry = toScalarText(annotations?.get('hauler.dev/registry'));
    const platform = toScalarText(annotations?.get('hauler.dev/platform'));
    for (const { at, text: get } of reader.maps(spec, 'images', `${kind} spec`)) {
      const name = get('name');
      if (name === undefined) continue;
      const first = name.slice(0, Math.max(0, name.indexOf('/')));
      const isBare = !/[.:]/.test(first) && first !== 'localhost';
      const image = registry !== undefined && isBare ? `${registry}/${name}` : name;
      reader.image(image, `${at}.name`, { platform: get('platform') ?? platform });
      leaveOutMembers(at, get);
    }
    for (const { map, at, text: get } of reader.maps(spec, 'charts', `${kind} spec`)) {
      const nested = toMap(map.get('chart')) ?? map;
      const of = (name: string): string | undefined => get(name) ?? toScalarText(nested.get(name));
      const withImages = of('add-images') === 'true';
      reader.chart(at, { name: of('name'), url: of('repoURL'), version: of('version') }, { withImages });
      leaveOutMembers(at, of);
    }
    for (const { at, text: get } of reader.maps(spec, 'files', `${kind} spec`))
      found.leaveOut(get('path') ?? get('name') ?? '', at, 'file');
    for (const { at, text: get } of reader.maps(spec, 'imageTxts', `${kind} spec`))
      found.leaveOut(get('ref') ?? '', at, 'image-list-by-url');
  }
  return found.contents;
}

/**
 * Reads the definition of a zarf package: images and charts of its components. All else is named as left out.
 *
 * @throws SVC-VAL-001, SVC-VAL-002
 */
export function readZarf({ text, file }: SourceDocument): SourceContents {
  const reader = new PackageReader(file);
  const { found } = reader;
  for (const { value } of readForeignDocuments(text, file)) {
    for (const { map, at, text: get } of reader.maps(value, 'components', '')) {
      for (const [i, item] of toItems(map.get('images')).entries())
        reader.image(toScalarText(item) ?? '', `${at}.images[${i}]`);
      for (const { at: where, text: of } of reader.maps(map, 'charts', at)) {
        if (of('localPath') !== undefined || of('gitPath') !== undefined)
          found.leaveOut(of('name') ?? '', where, of('gitPath') === undefined ? 'chart-on-disk' : 'git');
        else
          reader.chart(
            where,
            { name: of('repoName') ?? of('name'), url: of('url'), version: of('version') },
            { ociNamesChart: true },
          );
      }
      for (const { at: where, text: of } of reader.maps(map, 'files', at))
        found.leaveOut(of('source') ?? '', where, 'file');
      for (const { at: where, text: of } of reader.maps(map, 'manifests', at))
        found.leaveOut(of('name') ?? '', where, 'manifest-files');
      for (const { at: where, text: of } of reader.maps(map, 'dataInjections', at))
        found.leaveOut(of('source') ?? '', where, 'injection');
      for (const { at: where, text: of } of reader.maps(map, 'imageArchives', at))
        found.leaveOut(of('path') ?? '', where, 'image-archive');
      for (const [i, item] of toItems(map.get('repos')).entries())
        found.leaveOut(toScalarText(item) ?? '', `${at}.repos[${i}]`, 'git');
      const imported = toMap(map.get('import'));
      if (imported)
        found.leaveOut(
          toScalarText(imported.get('url')) ?? toScalarText(imported.get('path')) ?? '',
          `${at}.import`,
          'package-import',
        );
      if (map.has('actions')) found.leaveOut(get('name') ?? '', `${at}.actions`, 'action');
    }
  }
  return found.contents;
}

/**
 * Reads an image set configuration of oc-mirror: additional images and charts, without blocked ones. Release payloads
 * and operator catalogues are named as left out, and so is a blocked image that the configuration names nowhere else.
 *
 * @throws SVC-VAL-001, SVC-VAL-002
 */
export function readOcMirror({ text, file }: SourceDocument): SourceContents {
  const reader = new PackageReader(file);
  const { found } = reader;
  for (const { value } of readForeignDocuments(text, file)) {
    const mirror = toMap(value.get('mirror'));
    const blocked = new BlockedImages(reader.maps(mirror, 'blockedImages', 'mirror'));
    for (const { at, text: get } of reader.maps(mirror, 'additionalImages', 'mirror')) {
      const image = get('name') ?? '';
      if (blocked.has(image)) found.leaveOut(image, `${at}.name`, 'blocked-image');
      else reader.image(image, `${at}.name`);
    }
    const helm = toMap(mirror?.get('helm'));
    for (const { map, at, text: get } of reader.maps(helm, 'repositories', 'mirror.helm'))
      for (const { at: where, text: of } of reader.maps(map, 'charts', at))
        reader.chart(
          where,
          { name: of('name'), url: get('url'), version: of('version') },
          { withImages: true },
        );
    for (const { at, text: get } of reader.maps(helm, 'local', 'mirror.helm'))
      found.leaveOut(get('path') ?? get('name') ?? '', at, 'chart-on-disk');
    for (const { at, text: get } of reader.maps(mirror, 'operators', 'mirror'))
      found.leaveOut(get('catalog') ?? '', at, 'operator-catalogue');
    const platform = toMap(mirror?.get('platform'));
    for (const { at, text: get } of reader.maps(platform, 'channels', 'mirror.platform'))
      found.leaveOut(get('name') ?? '', at, 'release-payload');
    const release = toScalarText(platform?.get('release'));
    if (release !== undefined) found.leaveOut(release, 'mirror.platform.release', 'release-payload');
    for (const { name, at } of blocked.unused) found.leaveOut(name, at, 'blocked-elsewhere');
  }
  return found.contents;
}

/**
 * Reads an images lock of imgpkg or kbld. Its images have digests only; an annotation of kbld gives the tag.
 *
 * @throws SVC-VAL-001, SVC-VAL-002
 */
export function readImgpkg({ text, file }: SourceDocument): SourceContents {
  const reader = new PackageReader(file);
  const document = toMap(readForeignYaml(text, file));
  for (const { map, at, text: get } of reader.maps(document, 'images', '')) {
    const image = get('image') ?? '';
    const tag = toLockedTag(image, toScalarText(toMap(map.get('annotations'))?.get('kbld.carvel.dev/id')));
    reader.image(image, `${at}.image`, tag === undefined ? {} : { tag });
  }
  return reader.found.contents;
}

/** The tag under which an image was found, unless it was found in another repository. */
function toLockedTag(image: string, id: string | undefined): string | undefined {
  const [locked, named] = [readImageName(image), readImageName(id ?? '')];
  if (!('reference' in locked) || !('reference' in named)) return undefined;
  const isSame =
    locked.reference.host === named.reference.host &&
    locked.reference.repository === named.reference.repository;
  return isSame ? named.reference.tag : undefined;
}
