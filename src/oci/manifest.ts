import { type Digest, isDigest } from '../base/digest.ts';
import { type JsonFault, measureJson } from '../base/json/json-gauge.ts';
import { isJsonObject } from '../base/json/json-object.ts';
import { findRepeatedMember, toRepeatedRule } from '../base/json/parse-json.ts';
import { runAtOnce, type Steps } from '../base/pacer.ts';
import { fr } from '../text/language.ts';
import { type Rule, RuleError, rule } from '../text/rule.ts';
import type { Descriptor, DescriptorPlatform } from './descriptor.ts';
import { isImageType, isIndexType, isNonDistributable, mediaTypes } from './media-types.ts';

/** Limits that are checked before a manifest is decoded or walked; `bytes` in bytes. */
export const manifestLimits = {
  bytes: 4_194_304,
  children: 10_000,
  nesting: 4,
  jsonDepth: 64,
  /** Members and elements of the document: a full index with annotations has half as many. */
  jsonValues: 250_000,
} as const;

/**
 * Limits of an accepted manifest. One that is stored already may exceed them, and is still read.
 *
 * `members` are those of one object: the annotations of a manifest or of a descriptor.
 */
export const intakeLimits = { ...manifestLimits, members: 10_000 } as const;

/** Limits of one document. */
export type DocumentLimits = Readonly<Record<'bytes' | 'children' | 'jsonDepth' | 'jsonValues', number>> & {
  readonly members?: number;
};

/** The rule that a document breaks which exceeds a limit. */
export function toLimitRule(fault: JsonFault, { jsonDepth, jsonValues, members }: DocumentLimits): Rule {
  if (fault === 'depth')
    return rule(['nested deeper than {jsonDepth}', fr`imbriqué à plus de {jsonDepth} niveaux`], {
      jsonDepth,
    });
  if (fault === 'values')
    return rule(
      ['more than {jsonValues} members and elements', fr`plus de {jsonValues} membres et éléments`],
      { jsonValues },
    );
  return rule(
    [
      'more than {members} annotations or other members in one object',
      fr`plus de {members} annotations ou autres membres dans un objet`,
    ],
    { members },
  );
}

/** The members of a manifest that this product uses; the bytes remain authoritative. */
export interface ImageManifest {
  readonly kind: 'image';
  readonly mediaType: string;
  readonly artifactType?: string;
  readonly config: Descriptor;
  readonly layers: readonly Descriptor[];
  readonly subject?: Descriptor;
  readonly annotations: Readonly<Record<string, string>>;
}

export interface IndexManifest {
  readonly kind: 'index';
  readonly mediaType: string;
  readonly artifactType?: string;
  readonly manifests: readonly Descriptor[];
  readonly subject?: Descriptor;
  readonly annotations: Readonly<Record<string, string>>;
}

export type Manifest = ImageManifest | IndexManifest;

/** An unusable manifest, with the rule that it breaks. Callers make the coded error. */
export class ManifestError extends RuleError {
  override name = 'ManifestError';
  /** A page for people in place of a manifest: a proxy before the registry sent it. */
  readonly isPage: boolean;

  constructor(rule: Rule, isPage = false) {
    super(rule);
    this.isPage = isPage;
  }
}

const notString = (where: string): ManifestError =>
  new ManifestError(rule(['{where} must be a string', fr`{where} doit être un texte`], { where }));

/** Members that are looked at in one step. */
const stepMembers = 1024;

function* toStrings(value: unknown, where: string): Steps<Record<string, string>> {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value))
    throw new ManifestError(
      rule(['{where} must be a map of strings', fr`{where} doit être un objet de textes`], { where }),
    );
  let count = 0;
  for (const key in value) {
    if (typeof value[key] !== 'string') throw notString(`${where}.${key}`);
    count += 1;
    if (count % stepMembers === 0) yield;
  }
  return value as Record<string, string>;
}

function isEmpty(map: object): boolean {
  for (const _ in map) return false;
  return true;
}

function toPlatformMember(value: unknown): DescriptorPlatform | undefined {
  if (!isJsonObject(value) || typeof value.os !== 'string' || typeof value.architecture !== 'string')
    return undefined;
  return value as unknown as DescriptorPlatform;
}

/** Reads one descriptor. @throws ManifestError with the rule that is broken */
export function toDescriptor(value: unknown, where: string): Descriptor {
  return runAtOnce(toDescriptorSteps(value, where));
}

function* toDescriptorSteps(value: unknown, where: string): Steps<Descriptor> {
  if (!isJsonObject(value))
    throw new ManifestError(
      rule(['{where} must be a descriptor', fr`{where} doit être un descripteur`], { where }),
    );
  const { mediaType, digest, size } = value;
  if (typeof mediaType !== 'string' || mediaType === '') throw notString(`${where}.mediaType`);
  if (!isDigest(digest))
    throw new ManifestError(
      rule(
        [
          '{where}.digest must be sha256:<64 hex> or sha512:<128 hex>',
          fr`{where}.digest doit être sha256:<64 hex> ou sha512:<128 hex>`,
        ],
        { where },
      ),
    );
  if (!Number.isSafeInteger(size) || (size as number) < 0)
    throw new ManifestError(
      rule(
        [
          '{where}.size must be a whole number of bytes',
          fr`{where}.size doit être un nombre entier d’octets`,
        ],
        { where },
      ),
    );
  const platform = toPlatformMember(value.platform);
  const annotations = yield* toStrings(value.annotations, `${where}.annotations`);
  return {
    mediaType,
    digest,
    size: size as number,
    ...(typeof value.artifactType === 'string' ? { artifactType: value.artifactType } : {}),
    ...(platform ? { platform } : {}),
    ...(isEmpty(annotations) ? {} : { annotations }),
    ...(Array.isArray(value.urls) ? { urls: value.urls.filter((url) => typeof url === 'string') } : {}),
  };
}

/** Descriptors that are read in one step. */
const stepEntries = 64;

function* toDescriptors(value: unknown, where: string, most: number): Steps<Descriptor[]> {
  if (!Array.isArray(value))
    throw new ManifestError(rule(['{where} must be an array', fr`{where} doit être un tableau`], { where }));
  if (value.length > most)
    throw new ManifestError(
      rule(['{where} has more than {most} entries', fr`{where} a plus de {most} entrées`], { where, most }),
    );
  const descriptors: Descriptor[] = [];
  for (const [i, item] of value.entries()) {
    if (i % stepEntries === stepEntries - 1) yield;
    descriptors.push(yield* toDescriptorSteps(item, `${where}[${i}]`));
  }
  return descriptors;
}

const decoder = new TextDecoder('utf-8', { fatal: true });

/** Answer of a portal of the network or a proxy in place of a registry, with status 200. */
const pageInstead = rule([
  'a web page: a proxy or a sign-in page answers in place of the registry',
  fr`une page web ; un mandataire ou une page de connexion répond à la place du registre`,
]);

/**
 * Decodes a JSON document within limits.
 *
 * @returns its text and its value
 * @throws ManifestError with the rule that is broken
 */
export function decodeDocument(
  bytes: Uint8Array,
  limits: DocumentLimits,
): { readonly text: string; readonly document: unknown } {
  if (bytes.length > limits.bytes)
    throw new ManifestError(
      rule(['larger than {bytes} bytes', fr`plus de {bytes} octets`], { bytes: limits.bytes }),
    );
  let text: string;
  try {
    text = decoder.decode(bytes);
  } catch {
    throw new ManifestError(rule(['not UTF-8', fr`pas en UTF-8`]));
  }
  const { jsonDepth: depth, jsonValues: values, members } = limits;
  const fault = measureJson(bytes, { depth, values, members });
  if (fault !== undefined) throw new ManifestError(toLimitRule(fault, limits));
  try {
    return { text, document: JSON.parse(text) as unknown };
  } catch {
    throw toSyntaxError(text);
  }
}

/** The error of a document that is not JSON. @param text its begin at least */
export function toSyntaxError(text: string): ManifestError {
  const isPage = /^\s*<(?:!doctype html|html|\?xml)/i.test(text);
  return isPage
    ? new ManifestError(pageInstead, true)
    : new ManifestError(rule(['not JSON', fr`pas du JSON`]));
}

/**
 * Reads an image manifest or an index, OCI or Docker schema 2. Refuses Docker schema 1 and the withdrawn artifact
 * manifest.
 *
 * @param bytes at most 4 MiB
 * @param mediaType media type given by the carrier; used if the document has none, refused if both differ
 * @param limits other limits, for the index of a whole layout
 * @throws ManifestError with the rule that is broken
 */
export function parseManifest(
  bytes: Uint8Array,
  mediaType?: string,
  limits: DocumentLimits = manifestLimits,
): Manifest {
  const { text, document } = decodeDocument(bytes, limits);
  // parsers differ in which of two equal members counts; a runtime must read the same one that was verified
  const repeated = findRepeatedMember(text, document);
  if (repeated !== undefined) throw new ManifestError(toRepeatedRule(repeated));
  return runAtOnce(toManifestSteps(document, mediaType, limits.children));
}

/** Reads a manifest from its decoded document, as `parseManifest`. @throws ManifestError with the rule that is broken */
export function* toManifestSteps(
  document: unknown,
  mediaType: string | undefined,
  children: number,
): Steps<Manifest> {
  if (!isJsonObject(document)) throw new ManifestError(rule(['not a JSON object', fr`pas un objet JSON`]));
  if (document.schemaVersion !== 2)
    throw new ManifestError(rule(['schemaVersion must be 2', fr`schemaVersion doit être 2`]));
  const declared =
    document.mediaType === undefined || document.mediaType === '' ? undefined : document.mediaType;
  if (declared !== undefined && typeof declared !== 'string') throw notString('mediaType');
  const carried = isIndexType(mediaType) || isImageType(mediaType) ? mediaType : undefined;
  if (declared !== undefined && carried !== undefined && declared !== carried) {
    throw new ManifestError(
      rule(
        [
          'mediaType is {declared}, but it was announced as {carried}',
          fr`mediaType vaut {declared}, mais {carried} était annoncé`,
        ],
        { declared, carried },
      ),
    );
  }
  const isIndexShape = Array.isArray(document.manifests);
  const type = declared ?? carried ?? (isIndexShape ? mediaTypes.ociIndex : mediaTypes.ociManifest);
  const common = {
    mediaType: type,
    ...(typeof document.artifactType === 'string' && document.artifactType !== ''
      ? { artifactType: document.artifactType }
      : {}),
    ...(document.subject === undefined || document.subject === null
      ? {}
      : { subject: yield* toDescriptorSteps(document.subject, 'subject') }),
    annotations: yield* toStrings(document.annotations, 'annotations'),
  };
  if (isIndexType(type)) {
    if (document.config !== undefined || document.layers !== undefined)
      throw new ManifestError(
        rule(['an index has neither config nor layers', fr`un index n’a ni config ni layers`]),
      );
    return {
      kind: 'index',
      ...common,
      manifests: yield* toDescriptors(document.manifests, 'manifests', children),
    };
  }
  if (isImageType(type)) {
    if (isIndexShape)
      throw new ManifestError(
        rule(['an image manifest has no manifests', fr`un manifeste d’image n’a pas de manifests`]),
      );
    return {
      kind: 'image',
      ...common,
      config: yield* toDescriptorSteps(document.config, 'config'),
      layers: yield* toDescriptors(document.layers, 'layers', children),
    };
  }
  throw new ManifestError(
    rule(
      [
        'media type {type} is not an image manifest or an index',
        fr`le type de média {type} n’est ni un manifeste d’image ni un index`,
      ],
      { type },
    ),
  );
}

/** Returns the artifact type as the referrers API reports it: of an image without one, the media type of its config. */
export function effectiveArtifactType(manifest: Manifest): string | undefined {
  if (manifest.artifactType !== undefined) return manifest.artifactType;
  return manifest.kind === 'image' ? manifest.config.mediaType : undefined;
}

/** Returns the blobs that an image manifest needs, each once, without non-distributable layers. */
export function blobsOf(manifest: ImageManifest): readonly Descriptor[] {
  const blobs = new Map<Digest, Descriptor>();
  for (const blob of [manifest.config, ...manifest.layers]) {
    if (!isNonDistributable(blob.mediaType)) blobs.set(blob.digest, blob);
  }
  return [...blobs.values()];
}
