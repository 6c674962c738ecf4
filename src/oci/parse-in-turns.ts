import { JsonBoundsError, parseJsonSteps } from '../base/json/json-steps.ts';
import { hasByteOrderMark, RepeatedMemberError } from '../base/json/parse-json.ts';
import { runInTurns, type Steps } from '../base/pacer.ts';
import { type Manifest, ManifestError, manifestLimits, parseManifest, toManifestSteps } from './manifest.ts';

/** Bytes of a manifest that is read at once. */
const atOnce = 65_536;

/** As `parseManifest`, in slices when it is large. @throws ManifestError with the rule that is broken */
export async function parseManifestInTurns(bytes: Uint8Array, mediaType?: string): Promise<Manifest> {
  return bytes.length <= atOnce ? parseManifest(bytes, mediaType) : runInTurns(parseSteps(bytes, mediaType));
}

function* parseSteps(bytes: Uint8Array, mediaType: string | undefined): Steps<Manifest> {
  const { bytes: most, children, jsonDepth: depth, jsonValues: values } = manifestLimits;
  if (bytes.length > most) throw new ManifestError(`larger than ${most} bytes`);
  const text = hasByteOrderMark(bytes) ? bytes.subarray(3) : bytes;
  let document: unknown;
  try {
    document = yield* parseJsonSteps(text, { depth, values });
  } catch (error) {
    throw toManifestError(error);
  }
  return yield* toManifestSteps(document, mediaType, children);
}

function toManifestError(error: unknown): unknown {
  if (error instanceof JsonBoundsError)
    return new ManifestError(
      error.fault === 'depth'
        ? `nested deeper than ${manifestLimits.jsonDepth}`
        : `more than ${manifestLimits.jsonValues} members and elements`,
    );
  if (error instanceof RepeatedMemberError) return new ManifestError(error.message);
  return error instanceof SyntaxError ? new ManifestError('not JSON') : error;
}
