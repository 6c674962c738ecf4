/** Uses of an installation that `--for` and the first question of the dialog name. */
export const purposes = ['source', 'medium', 'passthrough'] as const;
export type Purpose = (typeof purposes)[number];

export interface PurposePlan {
  readonly mode: 'mirror' | 'passthrough';
  /** Whether the next step is an instance, which needs an account. That of a medium can follow an import. */
  readonly hasInstance: boolean;
  /** Settings that have no useful default, in the order of the questions. */
  readonly asks: readonly string[];
}

const plans: Readonly<Record<Purpose, PurposePlan>> = {
  source: { mode: 'mirror', hasInstance: true, asks: ['retriever.source', 'trust.key'] },
  medium: {
    mode: 'mirror',
    hasInstance: false,
    asks: ['zone', 'storage.root', 'destination.registry', 'trust.key'],
  },
  passthrough: {
    mode: 'passthrough',
    hasInstance: true,
    asks: ['retriever.source', 'destination.registry', 'trust.key'],
  },
};

export function isPurpose(text: string | undefined): text is Purpose {
  return purposes.some((purpose) => purpose === text);
}

/** Returns the plan of a purpose; without one, that of an instance whose settings are all given by flags. */
export function toPlan(purpose: string | undefined): PurposePlan | undefined {
  return isPurpose(purpose) ? plans[purpose] : undefined;
}
