import { canonicalHost, isHost } from '../../../src/oci/reference.ts';
import type { Answers } from './question.ts';

/** Returns the hosts of the registries that these answers name, each once: of an oci:// Retriever, cookbook, destination. */
export function listRegistries(answers: Answers): readonly string[] {
  const retriever = answers['retriever.source'] ?? '';
  const named = [
    /^oci:\/\//i.test(retriever) ? retriever.slice('oci://'.length) : '',
    answers.cookbook ?? '',
    answers['destination.registry'] ?? '',
  ];
  const hosts = named.map((text) => canonicalHost(text.trim().split('/', 1)[0]!));
  return [...new Set(hosts.filter(isHost))];
}
