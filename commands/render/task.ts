import type { TaskStatus } from '../../src/contract/common.ts';
import type { Task } from '../../src/contract/task.ts';
import { isSingular } from '../../src/text/amount.ts';
import type { SvcError } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, type Sentence, say, speak } from '../../src/text/language.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { words } from '../../src/text/words/words.ts';
import { toWaitSentence } from '../../src/view/link-words.ts';
import { count } from './count.ts';
import { renderLower } from './planned-recipe.ts';
import { renderProblems } from './problems.ts';
import { toTime } from './time.ts';

/** Maximum number of items with the same error in the text output; the JSON document lists all. */
const shownItems = 50;

const states: Readonly<Record<TaskStatus, Sentence>> = {
  pending: ['pending', fr`en attente`],
  running: ['running', fr`en cours`],
  done: ['done', fr`terminée`],
  failed: ['failed', fr`en échec`],
  cancelled: ['cancelled', fr`annulée`],
};
const shareNames = {
  done: [
    ['done', fr`terminé`],
    ['done', fr`terminés`],
  ],
  waiting: [
    ['waiting for other disks', fr`en attente d’autres disques`],
    ['waiting for other disks', fr`en attente d’autres disques`],
  ],
  skipped: [
    ['skipped', fr`ignoré`],
    ['skipped', fr`ignorés`],
  ],
  failed: [
    ['failed', fr`en échec`],
    ['failed', fr`en échec`],
  ],
} as const satisfies Readonly<Record<string, readonly [one: Sentence, many: Sentence]>>;

/** Items of recipes that wait for other disks of their delivery: their content that arrived was pushed. */
function countWaiting({ items }: Task): number {
  const recipes = new Set(
    items.filter(({ warning }) => warning?.code === 'SVC-MED-041').map(({ name }) => name),
  );
  const isOfOne = (name: string): boolean =>
    recipes.has(name) || recipes.has(name.slice(0, name.lastIndexOf('/')));
  return items.filter(({ name, status }) => status === 'skipped' && isOfOne(name)).length;
}

/** Renders the outcome of a task: `tsk_0123456789ab done: 12 items (9 done, 3 skipped), 1.5 GiB`. */
export function renderTask(task: Task, language: Language): string {
  const { id, status, counts, progress, waiting, pruned = [] } = task;
  const text = speak(language);
  // a newer instance may know another
  const state = Object.hasOwn(states, status) ? say(states[status], language) : status;
  if (status === 'pending' || status === 'running') {
    const wait =
      waiting === undefined ? '' : `${text(':', fr` :`)} ${toWaitSentence(words[language], waiting)}`;
    return `${id} ${state}${wait}\n`;
  }
  const waitingItems = countWaiting(task);
  const { done, failed } = counts;
  const numbers = { done, waiting: waitingItems, skipped: counts.skipped - waitingItems, failed };
  const shares = (['done', 'waiting', 'skipped', 'failed'] as const)
    .filter((name) => numbers[name] > 0)
    .map((name) => {
      const [one, many] = shareNames[name];
      return `${numbers[name]} ${say(isSingular(numbers[name], language) ? one : many, language)}`;
    });
  const detail = shares.length === 0 ? '' : ` (${shares.join(', ')})`;
  const { length } = pruned;
  const plural = isSingular(length, language) ? '' : 's';
  const removed = length === 0 ? '' : text(`, ${length} pruned`, fr`, ${length} élagué${plural}`);
  const items = count(counts.total, 'item', language);
  return `${id} ${state}${text(':', fr` :`)} ${items}${detail}, ${formatByteSize(progress.bytesDone, language)}${removed}\n`;
}

/** Renders that an import brought nothing, because the same medium had been imported; empty for every other task. */
export function renderRepeated({ alreadyImportedAt }: Task, language: Language): string {
  if (alreadyImportedAt === undefined) return '';
  const time = toTime(alreadyImportedAt, language);
  return say(
    [`already imported on ${time}; nothing new\n`, fr`déjà importé le ${time} ; rien de nouveau\n`],
    language,
  );
}

/** Renders the destination references of the recipes of a task, one per line; empty without a destination. */
export function renderLanded({ resolutions = [], items }: Task): string {
  const landed = new Set(items.filter(({ status }) => status === 'done').map(({ name }) => name));
  return (
    resolutions
      .filter(({ recipe, ingredient, destination }) => !ingredient && destination && landed.has(recipe))
      .map(({ recipe, destination }) => `  ${escapeText(recipe)} -> ${escapeText(destination!)}\n`)
      // several entries may request the same recipe
      .filter((line, i, lines) => lines.indexOf(line) === i)
      .join('')
  );
}

/** Renders the recipes of which the source offered a lower version than was here, one per line. */
export function renderLowered({ resolutions = [] }: Task, language: Language): string {
  const lines = resolutions.flatMap(({ recipe, ingredient, lowerThan }) =>
    ingredient !== undefined || lowerThan === undefined
      ? []
      : [`  ! ${escapeText(recipe)}${say([':', fr` :`], language)} ${renderLower(lowerThan, language)}\n`],
  );
  return [...new Set(lines)].join('');
}

/** Renders the references that nodes can pull from the destination now, one per line; empty when nothing has arrived. */
export function renderPullable({ resolutions = [] }: Task, language: Language): string {
  const names = resolutions
    .filter(
      ({ ingredient, destinationStatus: status }) =>
        ingredient && (status === 'pushed' || status === 'up-to-date'),
    )
    .map(({ destination }) => `  ${escapeText(destination!)}\n`);
  const unique = [...new Set(names)];
  if (unique.length === 0) return '';
  const shown = unique.slice(0, shownItems);
  const more = unique.length - shown.length;
  const title = say(['svc: nodes can now pull:', fr`svc: les nœuds peuvent maintenant tirer :`], language);
  const rest = more === 0 ? '' : `  ${say([`and ${more} more`, fr`et ${more} de plus`], language)}\n`;
  return `${title}\n${shown.join('')}${rest}`;
}

/** Renders the warnings of items that were copied nevertheless, one per line; empty when there are none. */
export function renderWarnings({ items }: Task, language: Language): string {
  const problems = items.flatMap(({ name, warning }) =>
    warning === undefined ? [] : [{ name: `! ${name}`, error: warning }],
  );
  return renderProblems(problems, { language, shown: shownItems });
}

/**
 * Renders the failed items, with cause and action; empty when there are none.
 *
 * @param principal an error that is printed afterwards: its cause and action are left out
 */
export function renderFailures({ items }: Task, language: Language, principal?: SvcError): string {
  const problems = items.flatMap(({ name, error }) => (error === undefined ? [] : [{ name, error }]));
  return renderProblems(problems, { language, shown: shownItems, principal });
}
