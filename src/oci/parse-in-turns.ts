import { JsonBoundsError, parseJsonSteps } from '../base/json/json-steps.ts';
import { hasByteOrderMark, RepeatedMemberError } from '../base/json/parse-json.ts';
import { runInTurns, type Steps } from '../base/pacer.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import {
  type DocumentLimits,
  type Manifest,
  ManifestError,
  manifestLimits,
  parseManifest,
  toLimitRule,
  toManifestSteps,
  toSyntaxError,
} from './manifest.ts';

/** Bytes of a manifest that is read at once. */
const atOnce = 16_384;
/** Number of first bytes by which a web page is recognized. */
const beginBytes = 1024;

/** As `parseManifest`, in slices when it is large. @throws ManifestError with the rule that is broken */
export async function parseManifestInTurns(
  bytes: Uint8Array,
  mediaType?: string,
  limits: DocumentLimits = manifestLimits,
): Promise<Manifest> {
  return bytes.length <= atOnce
    ? parseManifest(bytes, mediaType, limits)
    : runInTurns(parseSteps(bytes, mediaType, limits));
}

function* parseSteps(
  bytes: Uint8Array,
  mediaType: string | undefined,
  limits: DocumentLimits,
): Steps<Manifest> {
  const { bytes: most, children, jsonDepth: depth, jsonValues: values, members } = limits;
  if (bytes.length > most)
    throw new ManifestError(rule(['larger than {most} bytes', fr`plus de {most} octets`], { most }));
  const text = hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes;
  let document: unknown;
  try {
    document = yield* parseJsonSteps(text, { depth, values, members });
  } catch (error) {
    if (error instanceof JsonBoundsError) throw new ManifestError(toLimitRule(error.fault, limits));
    if (error instanceof RepeatedMemberError) throw new ManifestError(error.rule);
    if (!(error instanceof SyntaxError)) throw error;
    throw toSyntaxError(Buffer.from(text.subarray(0, beginBytes)).toString());
  }
  return yield* toManifestSteps(document, mediaType, children);
}
