import { isSvcError } from '../../../src/text/error.ts';
import { fr } from '../../../src/text/language.ts';
import { textParam } from '../../../src/text/text-param.ts';
import { CommandLineError } from '../../cli/command-line-error.ts';
import { toRuleSentence } from '../../cli/sentence-error.ts';
import { checkRetriever, emptyDraft, type RetrieverDraft } from '../written/retriever-file.ts';

/**
 * Checks the flags for a Retriever that is to be written; a member that no flag gives is not checked.
 *
 * @throws CommandLineError that names the flag and the rule that it breaks
 */
export async function requireDraft(
  given: {
    readonly [member in keyof RetrieverDraft]: RetrieverDraft[member] | undefined;
  },
): Promise<void> {
  const { zone = emptyDraft.zone, cookbook = emptyDraft.cookbook, recipes = [] } = given;
  try {
    checkRetriever({ zone, cookbook, recipes: recipes.length > 0 ? recipes : emptyDraft.recipes });
  } catch (error) {
    if (!isSvcError(error, 'SVC-VAL-001')) throw error;
    const [english, french] = toRuleSentence(textParam(error, 'rule') ?? '');
    const flag = String(error.params.file);
    throw new CommandLineError([
      `${flag} is not valid: ${english}`,
      fr`${flag} n’est pas valable : ${french}`,
    ]);
  }
}
