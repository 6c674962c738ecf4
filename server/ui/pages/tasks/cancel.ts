import { systemClock } from '../../../../src/base/clock.ts';
import { cancelTask, cancelTasks } from '../../../../src/contract/operations/tasks.ts';
import type { Task } from '../../../../src/contract/task.ts';
import { isOver } from '../../../../src/task/model.ts';
import { svcError } from '../../../../src/text/error.ts';
import { sayConcealed } from '../../../../src/text/secrets/concealed.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Query } from '../../../api/api-route.ts';
import { taskFloors } from '../../../api/tasks.ts';
import { showTask } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { form, submit } from '../../parts/form.ts';
import { facts, table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { showActor, untrusted } from '../../parts/text.ts';
import { fieldOf } from '../../read-form.ts';
import { toPath } from '../../to-href.ts';
import { type ActionCall, action, type Page, type PageCall, page, type UiRoute } from '../../ui-route.ts';
import { mayCancel } from './may-cancel.ts';
import { outcomeText, typeWords } from './task-words.ts';

/** Milliseconds of work from which on a task is not cancelled by one click. */
const long = 10 * 60_000;

/** Path of the form that cancels tasks of a list. */
const list = '/tasks/cancel';

/** The mark of a form that was sent from the question. */
const asked = '_asked';
const askedField = html`<input type="hidden" name="${asked}" value="true">`;

type Begun = Pick<Task, 'actor' | 'startedAt'>;

/** Milliseconds since a task began; 0 for one that waits. */
const lasted = ({ startedAt }: Begun, now: number): number =>
  startedAt === undefined ? 0 : now - Date.parse(startedAt);

/** Whether cancelling a task asks first: one of somebody else, or one that has run for long. */
export const asksFirst = (
  { identity }: { readonly identity: { readonly actor: string } },
  task: Begun,
  now: number,
): boolean => task.actor !== identity.actor || lasted(task, now) >= long;

/** Whether a task may have brought something: of one that waits for its start, nothing has arrived. */
const hasBegun = ({ startedAt }: Begun): boolean => startedAt !== undefined;

const pathOf = (id: string): string => toPath('/tasks/{id}/cancel', { id });

/** Cancels a task: at once, or by the page that asks. */
export function cancelStep(call: PageCall, task: Task): Html {
  const { say } = call.words;
  const hint = hasBegun(task) ? html`<p class="hint">${say(tasks.cancelHint)}</p>` : '';
  if (asksFirst(call, task, systemClock.wall()))
    return html`<div class="form"><a class="button button-plain" href="${pathOf(task.id)}">${say(tasks.cancelAsk)}</a>${hint}</div>`;
  return form(
    pathOf(task.id),
    html`${submit(say(tasks.cancel), { kind: 'plain', working: say(tasks.cancelling) })}${hint}`,
  );
}

function taskFacts({ words }: PageCall, task: Task): Html {
  const { say, format } = words;
  const ran = lasted(task, systemClock.wall());
  return facts([
    [say(tasks.type), nameOf(words, task)],
    [say(tasks.reference), untrusted(sayConcealed(task.reference, words.language))],
    [say(tasks.actor), showActor(words, task.actor)],
    ...(ran === 0 ? [] : [[say(tasks.took), format.duration(ran)] as const]),
    [say(tasks.outcomeHead), outcomeText(words, task) || say(tasks.pending)],
  ]);
}

const nameOf = ({ say }: PageCall['words'], { id, type }: Task): Html =>
  html`<a href="${toPath('/tasks/{id}', { id })}">${say(typeWords[type])}</a>`;

function taskTable({ words }: PageCall, rows: readonly Task[]): Html {
  const { say } = words;
  return table<Task>({
    caption: say(tasks.title),
    empty: '',
    rows,
    columns: [
      {
        label: say(tasks.type),
        isHeader: true,
        cell: (task) => html`${nameOf(words, task)} <span class="below code">${task.id}</span>`,
      },
      {
        label: say(tasks.reference),
        cell: ({ reference }) => untrusted(sayConcealed(reference, words.language)),
      },
      { label: say(tasks.actor), cell: ({ actor }) => showActor(words, actor) },
    ],
  });
}

/** The question, with the tasks that it is about. */
function questionPage(call: PageCall, about: readonly [Task, ...Task[]], path: string): Page {
  const { say } = call.words;
  const [first, ...others] = about;
  const isOne = others.length === 0;
  const back = isOne ? toPath('/tasks/{id}', { id: first.id }) : '/tasks';
  const text = isOne ? say(tasks.cancel) : say(tasks.cancelWaiting, { count: about.length });
  const isList = path === list;
  const ids = isList ? about.map(({ id }) => html`<input type="hidden" name="ids" value="${id}">`) : '';
  return {
    title: isOne
      ? say(tasks.cancelNamed, { id: first.id })
      : say(tasks.cancelSeveral, { count: about.length }),
    crumbs: [[say(tasks.title), '/tasks'], ...(isOne ? [[first.id, back] as const] : [])],
    sections: [
      {
        id: 'question',
        html: html`${about.some(hasBegun) ? html`<p>${say(tasks.cancelHint)}</p>` : ''}
${form(path, html`${askedField}${ids}<div class="buttons">${submit(text, { kind: 'danger', working: say(tasks.cancelling) })}<a class="button button-plain" href="${back}">${say(isOne ? tasks.keep : tasks.keepSeveral)}</a></div>`)}
${isOne ? taskFacts(call, first) : taskTable(call, about)}`,
      },
      {
        id: 'terminal',
        html: terminal(call.words, [
          isList
            ? curlCommand(call, 'POST', path, JSON.stringify({ ids: about.map(({ id }) => id) }))
            : curlCommand(call, 'POST', path),
        ]),
      },
    ],
  };
}

/** The page `/tasks/{id}/cancel`. @throws SVC-TSK-001, SVC-TSK-005, SVC-TSK-007, SVC-AUTH-003 */
async function showQuestion(call: PageCall<Query, { readonly id: string }>): Promise<Page> {
  const { id } = call.path;
  const task = await showTask(call, call.identity, id);
  if (isOver(task)) throw svcError('SVC-TSK-005', { task: id });
  if (task.command !== undefined) throw svcError('SVC-TSK-007', { task: id, command: task.command });
  if (!mayCancel(call, task)) throw svcError('SVC-AUTH-003', { role: taskFloors[task.type] });
  return questionPage(call, [task], pathOf(id));
}

const wasNotAsked = ({ fields }: ActionCall): boolean => fieldOf(fields, asked) === undefined;

/** The question before a form that was sent without it; undefined where none is needed, or the operation refuses the form. */
async function askBefore(
  call: ActionCall,
  ids: readonly string[],
): Promise<{ readonly show: Page } | undefined> {
  const found = await Promise.all(ids.map((id) => showTask(call, call.identity, id).catch(() => undefined)));
  const [first, ...others] = found.filter((task) => task !== undefined && mayCancel(call, task)) as Task[];
  if (first === undefined || ![first, ...others].some((task) => asksFirst(call, task, systemClock.wall())))
    return undefined;
  return { show: questionPage(call, [first, ...others], call.action.path.replace('{id}', first.id)) };
}

export const cancelPages: readonly UiRoute[] = [
  action(cancelTasks, {
    path: list,
    page: '/tasks',
    needsPreview: wasNotAsked,
    preview: (call) =>
      askBefore(
        call,
        (call.fields.get('ids') ?? []).flatMap((lines) => lines.split(/\s+/)),
      ),
    done: (_call, answer) => {
      const { cancelled, refused } = answer;
      const text = refused.length === 0 ? tasks.cancelledSeveral : tasks.cancelledSome;
      return {
        location: '/tasks',
        said: { text, params: { count: cancelled.length, refused: refused.length } },
      };
    },
  }),
  page({
    method: 'GET',
    path: '/tasks/{id}/cancel',
    floor: cancelTask.floor,
    title: tasks.cancel,
    page: showQuestion,
  }),
  action(cancelTask, {
    path: '/tasks/{id}/cancel',
    page: '/tasks/{id}',
    needsPreview: wasNotAsked,
    preview: (call) => askBefore(call, [call.path.id!]),
    done: ({ path }) => ({ location: toPath('/tasks/{id}', { id: path.id! }) }),
  }),
];
