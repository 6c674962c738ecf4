import { readRoot } from '../../engine/import/read-root.ts';
import { isPackedFileset } from '../../fileset/pack-image.ts';
import { kindOf } from '../../oci/kind.ts';
import type { CallOptions } from '../../oci/ports.ts';
import {
  canonicalHost,
  parseRepositoryReference,
  type RepositoryReference,
  withoutCredentials,
} from '../../oci/reference.ts';
import { parseVersionTag } from '../../recipe/version.ts';
import type { RemoteReading } from '../../remote/model.ts';
import { svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { rule } from '../../text/rule.ts';
import { Collector } from '../foreign/collector.ts';
import type { ReadSource, SourceOptions } from './model.ts';
import { selectTags } from './select-tags.ts';

/** @throws SVC-REG-001; for an image with its tag or digest, it names the ways to give that */
function parseRepository(place: string): RepositoryReference {
  if (/[:@]/.test(place.slice(place.indexOf('/'))))
    throw svcError('SVC-REG-001', {
      reference: withoutCredentials(place).slice(0, 512),
      rule: rule([
        'a source is a repository: name the tag with --tags, or the image in a list of images',
        fr`une source est un dépôt : indiquez l’étiquette avec --tags, ou l’image dans une liste d’images`,
      ]),
      form: 'repository',
    });
  return parseRepositoryReference(place);
}

/** The constraint that takes this release and the later ones that are compatible with it; any other tag itself. */
function toRange(tag: string): string {
  const version = parseVersionTag(tag);
  if (version === undefined || version.prerelease.length > 0 || version.build.length > 0) return tag;
  return `^${version.major}.${version.minor}.${version.patch}`;
}

/**
 * Reads the tags of a repository of a registry. The first of them shows which kind of content they are.
 *
 * @param place `<host>[:<port>]/<path>`
 * @throws SVC-REG-001, SVC-REG-005, SVC-REG-006 when no tag is selected, errors of the registry
 */
export async function readRepositorySource(
  place: string,
  { registry, signal }: RemoteReading,
  { tags: pattern }: SourceOptions,
): Promise<ReadSource> {
  const call: CallOptions = { signal };
  const parsed = parseRepository(place);
  const reference = { ...parsed, host: canonicalHost(parsed.host) };
  const source = `${reference.host}/${reference.repository}`;
  const remote = registry.repository(reference);
  const tags = selectTags(await remote.listTags(call), pattern, source);
  const { content, manifest } = await readRoot(remote, { ...reference, tag: tags[0]! }, call);
  const kind = isPackedFileset(content.descriptor.digest, manifest) ? 'FileSet' : kindOf(manifest);
  const found = new Collector(source);
  if (pattern === undefined) {
    const [newest] = tags;
    // the draft is pinned again for each delivery, and then takes the newest release
    found.image(source, `highest release, ${newest} when this was written`, { tag: toRange(newest!) });
  } else for (const tag of tags) found.image(`${source}:${tag}`, `--tags ${pattern}`);
  return {
    source,
    format: 'repository',
    contents: found.contents,
    kind: kind === 'ContainerImage' ? undefined : kind === 'Recipe' ? 'OCIArtifact' : kind,
  };
}
