import type { Steps } from '../../base/pacer.ts';
import type { EvidenceLine } from '../../contract/evidence.ts';

/**
 * Details whose texts name deliveries, sites, content and keys. The others are of persons, or may have the name of one: notes,
 * addresses, files, names of trust roots, sentences.
 */
const impersonal: ReadonlySet<string> = new Set([
  ...['delivery', 'zone', 'ownZone', 'medium', 'run', 'via', 'reference', 'platforms', 'keyFingerprint'],
  ...['code', 'verdict', 'blocks', 'findings', 'refused', 'peer', 'peerSite', 'peerHead'],
]);
/** Details that are folders: only their number is included. */
const folders: ReadonlySet<string> = new Set(['folder', 'folders']);

/** A path of a machine has names of accounts. */
const isPath = (text: string): boolean => /^[/~\\]|^[a-zA-Z]:\\|^file:/.test(text);

/** In the place of the name of a trust root. */
export const withheldName = 'key';

type Lines = readonly EvidenceLine[];
type Detail = readonly [name: string, value: unknown];

function hideDetail([name, value]: Detail): readonly Detail[] {
  if (typeof value === 'number' || typeof value === 'boolean') return [[name, value]];
  const texts = (Array.isArray(value) ? value : [value]).map(String);
  if (folders.has(name)) return [['folders', texts.length]];
  return impersonal.has(name) && !texts.some(isPath) ? [[name, value]] : [];
}

/** Names of trust roots are chosen freely, as are those of files that another site names. */
function hideSubjects({ type, subjects }: EvidenceLine): EvidenceLine['subjects'] {
  return subjects.map(({ name, digest }) => {
    if (type === 'roots-changed') return { name: withheldName, digest };
    return isPath(name) ? { name: 'file', digest } : { name, digest };
  });
}

/**
 * Puts numbers in place of the names of actors, in the order in which they acted, and leaves out all texts that may have the
 * name of a person. The same name of one site has the same number in all ledgers.
 */
export function createWithoutActors(): (lines: Lines) => Steps<Lines> {
  const numbers = new Map<string, number>();
  return function* (lines) {
    const hidden: EvidenceLine[] = [];
    for (const line of lines) {
      const name = `${line.site} ${line.actor}`;
      const number = numbers.get(name) ?? numbers.size + 1;
      numbers.set(name, number);
      const details = Object.fromEntries(Object.entries(line.details).flatMap(hideDetail));
      hidden.push({ ...line, actor: `actor-${number}`, subjects: hideSubjects(line), details });
      yield;
    }
    return hidden;
  };
}
