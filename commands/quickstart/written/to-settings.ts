import type { Answers } from '../dialogue/question.ts';
import { toPlan } from '../purpose.ts';

/** Address in a configuration that quickstart writes for a purpose: other machines cannot reach it. */
export const defaultAddress = '127.0.0.1:8080';

type Settings = Readonly<Record<string, string | undefined>>;

/** Settings whose answer is their value in the configuration. */
const direct = [
  'storage.root',
  'state.root',
  'server.addr',
  'retriever.source',
  'destination.registry',
  'registries.credentialsFile',
  'registries.insecure',
];

/**
 * Returns the settings that the configuration gets from flags and answers, by key. An empty answer leaves its setting
 * out.
 *
 * @param common settings given by common flags, which go before the answers
 */
export function toSettings(common: Settings, answers: Answers, env: Settings): Settings {
  const plan = toPlan(answers.for);
  const given = (key: string): string | undefined => common[key] ?? (answers[key] || undefined);
  const settings = Object.fromEntries(direct.map((key) => [key, given(key)]));
  const prefersLoopback = plan !== undefined && !env.SVC_SERVER_ADDR;
  return {
    ...common,
    ...settings,
    'server.addr': settings['server.addr'] ?? (prefersLoopback ? defaultAddress : undefined),
    mode: common.mode ?? plan?.mode,
    // without its disk, the folder of a carried medium is empty: no store is made there
    'storage.create': answers.for === 'medium' ? 'false' : undefined,
    // a source has no zone of its own: its Retriever names the zone that the medium is for
    zone: answers.for === 'medium' || plan === undefined ? given('zone') : undefined,
  };
}
