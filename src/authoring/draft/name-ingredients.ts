import type { Candidate } from '../foreign/model.ts';

const longest = 63;

/** A candidate with its name, which is unique in the recipe. */
export interface NamedCandidate extends Candidate {
  readonly name: string;
  /** The name that another candidate had taken. */
  readonly taken?: string | undefined;
}

/** Returns the parts of a repository path as one DNS label (RFC 1123). */
function toLabel(text: string): string {
  const label = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replace(/^-+|-+$/g, '');
  return label === '' ? 'content' : label;
}

/**
 * Names candidates after the last part of their repository. A name in use gets a suffix: the kind for a chart, the
 * version for another version of a repository. Otherwise it is the preceding part of the path, or a number. Candidates
 * that are certain get their names first.
 */
export function nameCandidates(candidates: readonly Candidate[]): readonly NamedCandidate[] {
  const used = new Map<string, Candidate>();
  const names = new Map<Candidate, { name: string; taken?: string }>();
  const order = [
    ...candidates.filter(({ doubt }) => doubt === undefined),
    ...candidates.filter(({ doubt }) => doubt !== undefined),
  ];
  for (const candidate of order) {
    const parts = candidate.reference.repository.split('/');
    const base = toLabel(parts.at(-1)!);
    const first = used.get(base);
    const choices = [base];
    if (first !== undefined) {
      const isSame =
        first.kind === candidate.kind &&
        first.reference.host === candidate.reference.host &&
        first.reference.repository === candidate.reference.repository;
      if (candidate.kind === 'HelmChart') choices.push(addSuffix(base, 'chart'));
      if (isSame) choices.push(addSuffix(base, candidate.version ?? candidate.reference.digest ?? ''));
      else if (parts.length > 1) choices.push(addSuffix(base, parts.at(-2)!));
      choices.push(addSuffix(base, candidate.reference.host));
    }
    let name = choices.find((choice) => !used.has(choice));
    for (let i = 2; name === undefined; i += 1) {
      const numbered = addSuffix(base, String(i));
      if (!used.has(numbered)) name = numbered;
    }
    used.set(name, candidate);
    names.set(candidate, name === base ? { name } : { name, taken: base });
  }
  return candidates.map((candidate) => ({ ...candidate, ...names.get(candidate)! }));
}

function addSuffix(base: string, suffix: string): string {
  const label = toLabel(suffix).slice(0, 24);
  return toLabel(`${base.slice(0, longest - 1 - label.length)}-${label}`);
}
