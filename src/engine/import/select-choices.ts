import type { Digest } from '../../base/digest.ts';
import { formatPlatform, type Platform } from '../../oci/platform.ts';
import { svcError } from '../../text/error.ts';
import { anyPlatform, type ImportChoice } from './model.ts';
import type { Choice } from './read-choices.ts';

/**
 * Requires that an artifact is unchanged since its inspection, and selects the chosen platforms. Pure.
 *
 * @param offered choices of the artifact now
 * @param reference names it in errors
 * @returns the platforms to carry; empty: all
 * @throws SVC-SIG-002 when a choice has another digest now, SVC-REG-008 when it is not offered
 */
export function selectChoices(
  offered: readonly Choice[],
  chosen: readonly ImportChoice[],
  reference: string,
): readonly Platform[] {
  const wanted = new Map(chosen.map((choice) => [choice.name, choice]));
  const names = new Set(offered.map(({ name }) => name));
  const absent = [...wanted.keys()].filter((name) => !names.has(name));
  if (absent.length > 0)
    throw svcError('SVC-REG-008', {
      reference,
      platforms: absent,
      available: [...names],
    });
  const platforms: Platform[] = [];
  for (const choice of offered) {
    const inspected = wanted.get(choice.name);
    if (inspected === undefined) continue;
    if (inspected.digest !== choice.digest)
      throw svcError('SVC-SIG-002', {
        reference: choice.name === anyPlatform ? reference : `${reference} ${choice.name}`,
        expected: inspected.digest,
        actual: choice.digest,
      });
    if (choice.platform) platforms.push(choice.platform);
  }
  return wanted.size === offered.length
    ? []
    : platforms.sort((a, b) => (formatPlatform(a) < formatPlatform(b) ? -1 : 1));
}

/** The only choice of an artifact that is not an index: itself, by the name under which it was chosen. */
export function toSoleChoice(digest: Digest, chosen: readonly ImportChoice[]): readonly Choice[] {
  return chosen.slice(0, 1).map(({ name }) => ({ name, digest }));
}
