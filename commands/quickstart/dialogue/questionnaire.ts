import { canonicalHost, isHost } from '../../../src/oci/reference.ts';
import type { Language } from '../../../src/text/language.ts';
import { readKey } from '../../trust/read-key.ts';
import { isPurpose, toPlan } from '../purpose.ts';
import { listAsked } from '../select-open.ts';
import type { Answers, Question } from './question.ts';
import { askFingerprint, askInsecure, askMedium, createQuestions } from './questions.ts';

interface QuestionnaireOptions {
  /** Whether neither flag nor variable gives a setting. */
  readonly isOpen: (key: string) => boolean;
  /** Whether the state folder of these answers has accounts. */
  readonly hasAccounts: (answers: Answers) => Promise<boolean>;
  /** Whether the address that an instance gets without being told is free. */
  readonly isDefaultFree: () => Promise<boolean>;
  readonly language: Language;
}

/** Returns the function that selects the next question after the answers of flags and dialog. */
export function createQuestionnaire(
  options: QuestionnaireOptions,
): (answers: Answers) => Promise<Question | undefined> {
  const { isOpen, hasAccounts, isDefaultFree, language } = options;
  const questions = createQuestions(language);
  let free: Promise<boolean> | undefined;
  const isNeeded = async (key: string, answers: Answers): Promise<boolean> => {
    if (answers[key] !== undefined) return false;
    if (key === 'admin') return !(await hasAccounts(answers));
    if (key === 'fingerprint') return (answers['trust.key'] ?? '') !== '';
    if (key === 'registries.insecure' && listRegistries(answers).length === 0) return false;
    if (key === 'server.addr') {
      free ??= isDefaultFree();
      return !(await free);
    }
    return !settings.has(key) || isOpen(key);
  };
  return async (answers) => {
    for (const key of listKeys(answers, isOpen('mode'))) {
      if (!(await isNeeded(key, answers))) continue;
      if (key === 'storage.root' && answers.for === 'medium') return askMedium(language);
      if (key === 'fingerprint')
        return askFingerprint((await readKey(answers['trust.key']!)).fingerprint, language);
      if (key === 'registries.insecure') return askInsecure(listRegistries(answers), language);
      return questions[key];
    }
    return undefined;
  };
}

/** Questions about settings that a variable may give. */
const settings = new Set([
  'storage.root',
  'state.root',
  'retriever.source',
  'zone',
  'destination.registry',
  'registries.insecure',
]);

/** Lists everything that is asked after these answers, in order. */
function listKeys(answers: Answers, isModeOpen: boolean): readonly string[] {
  const purpose = answers.for;
  if (!isPurpose(purpose)) return isModeOpen ? ['for'] : ['storage.root', 'state.root', 'admin', 'serve'];
  const asked = [...listAsked(answers), 'fingerprint', 'registries.insecure', 'registries.credentialsFile'];
  if (toPlan(purpose)?.hasInstance === false) return [...asked, 'state.root', 'server.addr'];
  return [...asked, 'storage.root', 'state.root', 'admin', 'server.addr', 'serve'];
}

/** Returns the hosts of the registries that these answers name, each once: of an oci:// Retriever, cookbook, destination. */
function listRegistries(answers: Answers): readonly string[] {
  const retriever = answers['retriever.source'] ?? '';
  const named = [
    /^oci:\/\//i.test(retriever) ? retriever.slice('oci://'.length) : '',
    answers.cookbook ?? '',
    answers['destination.registry'] ?? '',
  ];
  const hosts = named.map((text) => canonicalHost(text.trim().split('/', 1)[0]!));
  return [...new Set(hosts.filter(isHost))];
}
