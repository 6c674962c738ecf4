import type { HostRole } from '../../../src/remote/transport/review-hosts.ts';
import { network } from '../../../src/text/words/network.ts';
import type { Sentence, Words } from '../../../src/text/words/words.ts';

const roleWords: Readonly<Record<HostRole, Sentence>> = {
  retriever: network.retriever,
  cookbook: network.cookbook,
  ingredient: network.ingredient,
  destination: network.destination,
  substitution: network.substitution,
  'trust-key': network.trustKey,
  requested: network.requested,
};

/** The uses of a host in words: `recipes and ingredients`. */
export function hostRoles({ say, format }: Words, roles: readonly HostRole[]): string {
  return format.list(roles.map((role) => say(roleWords[role])));
}
