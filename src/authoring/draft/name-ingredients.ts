import { chooseName } from '../../recipe/choose-name.ts';
import type { Candidate } from '../foreign/model.ts';

/** A candidate with its name, which is unique in the recipe. */
export interface NamedCandidate extends Candidate {
  readonly name: string;
  /** The name that another candidate had taken. */
  readonly taken?: string | undefined;
}

/**
 * Names candidates after the last part of their repository. Candidates that are certain get their names first.
 */
export function nameCandidates(candidates: readonly Candidate[]): readonly NamedCandidate[] {
  const used = new Map<string, Candidate>();
  const names = new Map<Candidate, { name: string; taken?: string }>();
  const order = [
    ...candidates.filter(({ doubt }) => doubt === undefined),
    ...candidates.filter(({ doubt }) => doubt !== undefined),
  ];
  for (const candidate of order) {
    const chosen = chooseName(candidate, used);
    used.set(chosen.name, candidate);
    names.set(candidate, chosen);
  }
  return candidates.map((candidate) => ({ ...candidate, ...names.get(candidate)! }));
}
