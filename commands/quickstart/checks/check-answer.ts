import { isAbsolute } from 'node:path';
import type { LoadedConfig } from '../../../src/config/load-config.ts';
import type { Violation } from '../../../src/config/violation.ts';
import { SvcError } from '../../../src/text/error.ts';
import { fr, type Sentence } from '../../../src/text/language.ts';
import { textParam } from '../../../src/text/text-param.ts';
import { CommandLineError } from '../../cli/command-line-error.ts';
import { toRuleSentence } from '../../cli/sentence-error.ts';
import type { Answers } from '../dialogue/question.ts';

type FolderKey = 'storage.root' | 'state.root';

/** Largest Retriever, in bytes. */
const documentLimit = 4 << 20;

/** Answers that may be empty: nothing is then configured. */
const optional = ['retriever.source', 'trust.key', 'destination.registry'];

/** Answers that may be empty for a medium too. */
const alwaysOptional = ['registries.credentialsFile', 'registries.insecure'];

/**
 * Checks an answer of the dialog.
 *
 * @param answers all answers so far, this one included
 * @param judge returns the violations of the configuration that these answers make
 * @returns the fault of the answer, undefined when it is valid
 */
export async function checkAnswer(
  key: string,
  answers: Answers,
  judge: () => Promise<{ readonly loaded: LoadedConfig; readonly violations: readonly Violation[] }>,
): Promise<Sentence | undefined> {
  const answer = answers[key]!;
  if (key === 'for' || key === 'serve') return undefined;
  if (answer.trim() === '')
    return isOptional(key, answers) ? undefined : ['an answer is required', fr`une réponse est obligatoire`];
  try {
    await checkAlone(key, answer, answers);
  } catch (error) {
    if (error instanceof CommandLineError) return error.sentence;
    return await toProblem(error);
  }
  const { violations } = await judge();
  const below = key === 'trust.key' ? 'trust' : key;
  const wrong = violations.find(
    ({ key: path, origin }) =>
      (String(path) === below || String(path).startsWith(`${below}.`)) && origin.layer === 'flag',
  );
  if (wrong !== undefined) return toRuleSentence(wrong.rule);
  return isFolder(key) ? checkFolderLazily(key, answer, answers.for) : undefined;
}

/** A medium needs its destination and its key; a source and a passthrough zone can be completed later. */
function isOptional(key: string, answers: Answers): boolean {
  return alwaysOptional.includes(key) || (optional.includes(key) && answers.for !== 'medium');
}

/** @throws a coded error, or CommandLineError, for an answer that is wrong with any others */
async function checkAlone(key: string, answer: string, answers: Answers): Promise<void> {
  const { checkRetriever, emptyDraft } = await import('../written/retriever-file.ts');
  switch (key) {
    case 'admin': {
      const { parseName } = await import('../../../src/account/credential-rules.ts');
      parseName(answer);
      return;
    }
    case 'trust.key': {
      const { readKey } = await import('../../trust/read-key.ts');
      await readKey(answer);
      return;
    }
    case 'registries.credentialsFile': {
      const { checkCredentials } = await import('./check-credentials.ts');
      await checkCredentials(answer);
      return;
    }
    case 'fingerprint':
      if (answer === 'no')
        throw new CommandLineError(['press Esc to name another file', fr`Échap : nommer un autre fichier`]);
      return;
    case 'retriever.source':
      if (isAbsolute(answer)) {
        const { readBounded } = await import('../../../src/disk/named-file.ts');
        const { readRetrieverDocument } = await import('../../../src/recipe/read-document.ts');
        await readRetrieverDocument(await readBounded(answer, documentLimit), answer);
      }
      return;
    case 'zone':
      if (answers.for === 'source') checkRetriever({ ...emptyDraft, zone: answer });
      return;
    case 'cookbook':
      checkRetriever({ ...emptyDraft, cookbook: answer });
      return;
    case 'recipe':
      checkRetriever({ ...emptyDraft, recipes: [answer] });
      return;
    case 'server.addr': {
      const { checkAddress } = await import('./check-address.ts');
      await checkAddress(answer);
      return;
    }
  }
}

function isFolder(key: string): key is FolderKey {
  return key === 'storage.root' || key === 'state.root';
}

async function checkFolderLazily(
  key: FolderKey,
  path: string,
  purpose: string | undefined,
): Promise<Sentence | undefined> {
  // the disk may be mounted later, and read-only
  if (key === 'storage.root' && purpose === 'medium') return undefined;
  if (key === 'state.root') return (await import('./check-folder.ts')).checkFolder(path);
  return (await import('./check-store-folder.ts')).checkStoreFolder(path);
}

/** @throws CommandLineError naming the flag of a folder that cannot be used */
export async function checkFolders(
  folders: Readonly<Record<FolderKey, string>>,
  purpose: string | undefined,
): Promise<void> {
  for (const [key, flag] of [
    ['storage.root', '--storage-root'],
    ['state.root', '--state-root'],
  ] as const) {
    const problem = await checkFolderLazily(key, folders[key], purpose);
    if (problem !== undefined)
      throw new CommandLineError([`${flag}: ${problem[0]}`, fr`${flag} : ${problem[1]}`]);
  }
}

/** Converts a coded error about an answer to the rule that it breaks, or to the event and its cause. Other errors are thrown again. */
async function toProblem(error: unknown): Promise<Sentence> {
  if (!(error instanceof SvcError)) throw error;
  const broken =
    textParam(error, 'rule') ?? (error.code === 'SVC-CFG-001' ? textParam(error, 'detail') : undefined);
  if (broken !== undefined) return toRuleSentence(broken);
  const { renderError } = await import('../../../src/text/message.ts');
  const [english, french] = [renderError(error, 'en'), renderError(error, 'fr')];
  return [`${english.what} ${english.cause}`, fr`${french.what} ${french.cause}`];
}
