import type { EvidenceScope } from '../../contract/evidence.ts';

/** The subjects that a request names; it must name one. */
export interface NamedSubjects {
  readonly delivery?: string | undefined;
  /** Name of a recipe, with or without `@` and a version. */
  readonly recipe?: string | undefined;
  /** A day or a time, UTC. */
  readonly since?: string | undefined;
}

/** The scope of the pack that a request asks for; undefined unless it names one subject. */
export function toScope({ delivery, recipe, since }: NamedSubjects): EvidenceScope | undefined {
  const named: EvidenceScope[] = [
    ...(delivery === undefined ? [] : [{ kind: 'delivery' as const, value: delivery }]),
    ...(recipe === undefined ? [] : [{ kind: 'recipe' as const, value: recipe }]),
    ...(since === undefined ? [] : [{ kind: 'since' as const, value: new Date(since).toISOString() }]),
  ];
  return named.length === 1 ? named[0] : undefined;
}
