import { blobMutations } from './mutations/blobs.ts';
import { ledgerMutations } from './mutations/ledgers.ts';
import { manifestMutations } from './mutations/manifests.ts';
import type { Mutation } from './mutations/mutation.ts';
import { strangerMutations } from './mutations/strangers.ts';

/** The ways that are tried first: one spoilt medium each. */
export const mutations: readonly Mutation[] = [
  ...blobMutations,
  ...manifestMutations,
  ...strangerMutations,
  ...ledgerMutations,
];
