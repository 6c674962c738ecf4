import { isDigest } from '../base/digest.ts';
import { parseReachedReference, parseReference } from '../oci/reference.ts';
import { svcError } from '../text/error.ts';
import { fr } from '../text/language.ts';
import { rule } from '../text/rule.ts';
import type { PulledReference } from './model.ts';

/** Kinds that Docker can run. */
const images: ReadonlySet<string> = new Set(['ContainerImage']);

/**
 * Formats a shell script that pulls every image by its digest and gives it its nominal name.
 *
 * @throws SVC-REG-001 for a reference that is none, SVC-VAL-001 for a digest that is none: a script has only checked words
 */
export function toDockerPulls(references: readonly PulledReference[]): string {
  const lines = new Set<string>();
  for (const { kind, nominal, relocated, digest } of references) {
    if (!images.has(kind)) continue;
    if (relocated === undefined) {
      parseReference(nominal);
      lines.add(`# The registry does not allow the name of ${nominal}.`);
      continue;
    }
    if (!isDigest(digest))
      throw svcError('SVC-VAL-001', {
        file: rule(['digest', fr`empreinte`]),
        path: digest.slice(0, 128),
        rule: rule([
          'must be sha256:<64 hex> or sha512:<128 hex>',
          fr`doit être sha256:<64 hex> ou sha512:<128 hex>`,
        ]),
      });
    parseReference(nominal);
    parseReachedReference(relocated);
    const pinned = `${relocated.slice(0, relocated.lastIndexOf(':'))}@${digest}`;
    lines.add(`docker pull ${pinned}\ndocker tag ${pinned} ${nominal}`);
  }
  return [
    '# The daemon of Docker cannot rewrite the path of a reference, so this is no configuration: each image is pulled by',
    '# its digest, which is verified, and gets its nominal name. Run it again after each delivery.',
    'set -eu',
    ...[...lines].sort(),
    '',
  ].join('\n');
}
