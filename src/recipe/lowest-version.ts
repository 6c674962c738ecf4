import { isConstraint, selectVersion } from './constraint.ts';

/**
 * Returns the lowest version that a version or constraint of a Retriever names and that it selects: of `^1.4` it is 1.4.0.
 *
 * @returns undefined where none of the versions in the text is selected, as of `<2`
 */
export function toLowestVersion(wanted: string): string | undefined {
  if (!isConstraint(wanted)) return wanted;
  const named = [...wanted.matchAll(/\d+(?:\.(?:\d+|[xX*])){0,2}/g)].map(([text]) => toFull(text));
  // also the lowest version that a lone wildcard selects
  const all = [...named, ...named.map(toNext), '1.0.0'];
  return all.find((version) => selectVersion(wanted, [version]) !== undefined);
}

function toFull(text: string): string {
  const [major = '0', minor = '0', patch = '0'] = text
    .split('.')
    .map((part) => (/\d/.test(part) ? part : '0'));
  return `${major}.${minor}.${patch}`;
}

const toNext = (version: string): string => version.replace(/\d+$/, (patch) => `${Number(patch) + 1}`);
