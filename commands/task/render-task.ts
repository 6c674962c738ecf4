import type { PageOf } from '../../src/base/page.ts';
import type { Task } from '../../src/contract/task.ts';
import type { TaskHead } from '../../src/task/storage.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';
import { sayConcealed } from '../../src/text/secrets/concealed.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { tasks as taskWords } from '../../src/text/words/tasks.ts';
import { words } from '../../src/text/words/words.ts';
import { toPausedSentence, toWaitSentence } from '../../src/view/link-words.ts';
import { renderTable } from '../cli/print.ts';
import { renderOmitted } from '../render/count.ts';
import { type Fact, renderFacts } from '../render/facts.ts';
import type { RenderOptions } from '../render/options.ts';
import { renderPage } from '../render/page.ts';
import { renderPruned } from '../render/prune.ts';
import { renderFailures, renderLanded, renderWarnings } from '../render/task.ts';
import { toItemWord, toStatusWord, toTypeWord } from '../render/task-words.ts';
import { toTime } from '../render/time.ts';
import { fitLines } from '../render/wrap.ts';

/** Most items in the text output; the JSON document has all. */
const mostItems = 50;

function toProgress({ bytesDone, bytesTotal }: TaskHead['progress'], language: Language): string {
  const [done, total] = [formatByteSize(bytesDone, language), formatByteSize(bytesTotal, language)];
  if (bytesTotal <= bytesDone) return done;
  return speak(language)(`${done} of ${total}`, fr`${done} sur ${total}`);
}

function toCounts({ total, done, failed, skipped }: Task['counts'], language: Language): string {
  return words[language].say(taskWords.counts, {
    done,
    total,
    ...(failed > 0 ? { failed } : {}),
    ...(skipped > 0 ? { skipped } : {}),
  });
}

/** Renders a list of tasks. */
export function renderTasks(
  list: PageOf & { readonly tasks: readonly TaskHead[] },
  { language, width }: RenderOptions,
): string {
  const text = speak(language);
  if (list.total === 0) return text('no task\n', fr`aucune tâche\n`);
  const rows = list.tasks.map(
    ({ id, type, status, counts, waiting, createdAt, progress, principalCode, error }) => [
      id,
      toTypeWord(type, language),
      waiting === undefined ? toStatusWord(status, language, counts) : words[language].say(taskWords.paused),
      toTime(createdAt, language),
      toProgress(progress, language),
      principalCode ?? error?.code ?? '',
    ],
  );
  const headings = [
    text('TASK', fr`TÂCHE`),
    text('TYPE', fr`TYPE`),
    text('STATUS', fr`ÉTAT`),
    text('CREATED', fr`CRÉATION`),
    text('TRANSFERRED', fr`TRANSFÉRÉ`),
    text('ERROR', fr`ERREUR`),
  ];
  const paused = list.tasks.find(({ waiting }) => waiting !== undefined)?.waiting;
  return [
    renderTable(headings, rows, width),
    paused === undefined ? '' : fitLines(`${toPausedSentence(words[language], paused)}\n`, width),
    renderPage(list, language),
  ].join('');
}

/** Renders one task with its items and errors. */
export function renderTaskDetails(task: Task, { language, width }: RenderOptions): string {
  const text = speak(language);
  const { startedAt, finishedAt, error, items } = task;
  const facts: Fact[] = [
    [text('Task', fr`Tâche`), task.id],
    [text('Type', fr`Type`), toTypeWord(task.type, language)],
    [text('Status', fr`État`), toStatusWord(task.status, language, task.counts)],
    [text('Source', fr`Source`), sayConcealed(task.reference, language)],
    [text('Started by', fr`Lancée par`), task.actor],
    ...(task.command === undefined
      ? []
      : [
          [
            words[language].say(taskWords.origin),
            words[language].say(taskWords.commandLine, { command: escapeText(task.command) }),
          ] as const,
        ]),
    [text('Created', fr`Création`), toTime(task.createdAt, language)],
    ...(task.waiting === undefined
      ? []
      : [[text('Waits', fr`Attente`), toWaitSentence(words[language], task.waiting)] as const]),
    ...(startedAt === undefined ? [] : [[text('Started', fr`Début`), toTime(startedAt, language)] as const]),
    ...(finishedAt === undefined ? [] : [[text('Finished', fr`Fin`), toTime(finishedAt, language)] as const]),
    [text('Items', fr`Éléments`), toCounts(task.counts, language)],
    [text('Transferred', fr`Transféré`), toProgress(task.progress, language)],
    ...(error === undefined ? [] : [[text('Error', fr`Erreur`), error.code] as const]),
  ];
  const rows = items
    .slice(0, mostItems)
    .map(({ name, status, sizeBytes, error: failure }) => [
      name,
      toItemWord(status, language),
      sizeBytes === undefined ? '' : formatByteSize(sizeBytes, language),
      failure?.code ?? '',
    ]);
  const headings = [
    text('ITEM', fr`ÉLÉMENT`),
    text('STATUS', fr`ÉTAT`),
    text('SIZE', fr`TAILLE`),
    text('ERROR', fr`ERREUR`),
  ];
  const omitted = items.length - mostItems;
  return [
    renderFacts(facts, width),
    rows.length === 0 ? '' : `\n${renderTable(headings, rows, width)}`,
    omitted > 0 ? `${renderOmitted(omitted, language)}\n` : '',
    fitLines(
      [
        renderLanded(task),
        renderPruned(task, language),
        renderWarnings(task, language),
        renderFailures(task, language),
      ].join(''),
      width,
    ),
  ].join('');
}
