import { basename, dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { hasRole } from '../../src/account/model.ts';
import { runAtOnce, runInTurns, type Steps } from '../../src/base/pacer.ts';
import type { Task, TaskSummaryList } from '../../src/contract/task.ts';
import type { TaskHead } from '../../src/task/storage.ts';
import type { TaskPage, TaskQuery } from '../../src/task/tasks.ts';
import { type Conceal, concealLines, createReplacement } from '../conceal.ts';
import type { Viewer, ViewParts } from './parts.ts';

type Parts = Pick<ViewParts, 'tasks'>;

const asIs: Conceal = (text) => text;

/**
 * Conceals the path of a layout, the folders above it and the source of a Retriever from all accounts but administrators.
 * Paths of the current configuration are concealed in every answer.
 */
function toTaskConceal({ role }: Viewer, { type, reference }: Pick<Task, 'type' | 'reference'>): Conceal {
  // errors name the folder that was packed, and its files
  if (type === 'fileset-pack' && !hasRole(role, 'admin')) return concealFolders;
  if (type === 'media-write' && !hasRole(role, 'admin')) return concealFolders;
  const isPrivate = type === 'sync' || type === 'layout-export' || type === 'layout-import';
  if (!isPrivate || hasRole(role, 'admin')) return asIs;
  if (type === 'sync') return createReplacement([{ path: reference, shown: '<retriever.source>' }]);
  // errors name the folders above a layout, and temporary files next to it
  const ofReference = createReplacement([
    { path: reference, shown: basename(reference) },
    ...listFoldersAbove(reference).map((path) => ({ path, shown: '…' })),
  ]);
  return (text) => concealFolders(ofReference(text));
}

/**
 * Conceals the folders of every absolute path, in JSON and in plain text. Where a folder above a layout is a symbolic
 * link, errors name its target, which the task does not know.
 */
function concealFolders(text: string): string {
  return text.replace(/(^|[\s"'`(=:,])\/(?:[^\s"'`\\:,()/]+\/)+/g, '$1…/');
}

function listFoldersAbove(path: string): readonly string[] {
  const folder = dirname(path);
  return folder === path || folder === '/' || folder === '.' ? [] : [folder, ...listFoldersAbove(folder)];
}

/** Tasks as readers other than administrators see them, while the tasks are in memory: a document may have megabytes. */
const concealed = new WeakMap<object, unknown>();

/** Elements of a list that are concealed at once. */
const atOnce = 100;

function concealValue<T>(conceal: Conceal, value: T): T {
  return JSON.parse(conceal(JSON.stringify(value)));
}

/** Conceals each member by itself, and long lists in parts. */
function* concealMembers(conceal: Conceal, task: object): Steps<object> {
  const shown: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(task)) {
    if (value === undefined) continue;
    if (!Array.isArray(value)) {
      shown[name] = concealValue(conceal, value);
      continue;
    }
    const list: unknown[] = [];
    for (let at = 0; at < value.length; at += atOnce) {
      list.push(...concealValue(conceal, value.slice(at, at + atOnce)));
      yield;
    }
    shown[name] = list;
  }
  return shown;
}

/** Makes the form of a task for the viewer, or finds it made. */
function startConcealing<T extends Pick<Task, 'type' | 'reference'>>(
  viewer: Viewer,
  task: T,
): { readonly made: T } | { readonly steps: Steps<T> } {
  const conceal = toTaskConceal(viewer, task);
  if (conceal === asIs) return { made: task };
  const before = concealed.get(task);
  if (before !== undefined) return { made: before as T };
  const steps = function* (): Steps<T> {
    const shown = (yield* concealMembers(conceal, task)) as T;
    concealed.set(task, shown);
    return shown;
  };
  return { steps: steps() };
}

function concealHead(viewer: Viewer, head: TaskHead): TaskHead {
  const started = startConcealing(viewer, head);
  return 'made' in started ? started.made : runAtOnce(started.steps);
}

async function concealTask(viewer: Viewer, task: Task): Promise<Task> {
  const started = startConcealing(viewer, task);
  return 'made' in started ? started.made : runInTurns(started.steps);
}

/** Lists tasks, newest first. */
export async function listTasks(
  { tasks }: Parts,
  viewer: Viewer,
  query: Omit<TaskQuery, 'toReference'>,
): Promise<TaskPage> {
  const page = await tasks.list({
    ...query,
    toReference: (task) => toTaskConceal(viewer, task)(task.reference),
  });
  return { ...page, tasks: await Promise.all(page.tasks.map((task) => concealTask(viewer, task))) };
}

/** Lists tasks, newest first, without reading the members that grow with their work. */
export function listTaskSummaries(
  { tasks }: Parts,
  viewer: Viewer,
  query: Omit<TaskQuery, 'toReference'>,
): TaskSummaryList {
  const page = tasks.listHeads({
    ...query,
    toReference: (task) => toTaskConceal(viewer, task)(task.reference),
  });
  return { ...page, tasks: page.tasks.map((head) => concealHead(viewer, head)) };
}

/** Most tasks of which the import of content is looked for. */
const mostImports = 200;

/**
 * The kept tasks that imported content, the last of each, by repository and by `<repository>:<tag>`. Another name in the
 * store than the reference of the import is not found.
 */
export function findImports(parts: Parts, viewer: Viewer): ReadonlyMap<string, TaskHead> {
  const done = listTaskSummaries(parts, viewer, { type: 'import', status: 'done', pageSize: mostImports });
  const found = new Map<string, TaskHead>();
  for (const task of done.tasks) {
    const { reference } = task;
    const repository = reference.replace(/:[^:/]*$/, '');
    for (const key of [reference, repository]) if (!found.has(key)) found.set(key, task);
  }
  return found;
}

/** Shows one task. @throws SVC-TSK-001 */
export async function showTask({ tasks }: Parts, viewer: Viewer, id: string): Promise<Task> {
  return concealTask(viewer, await tasks.get(id));
}

/**
 * Reads a part of the log of a task.
 *
 * @param after byte cursor: the `next` of the last part, 0 for the first
 * @throws SVC-TSK-001
 */
export async function readTaskLog(
  { tasks }: Parts,
  viewer: Viewer,
  { id, after = 0 }: { readonly id: string; readonly after?: number | undefined },
): Promise<{ readonly chunk: string; readonly next: number }> {
  const conceal = toTaskConceal(viewer, await tasks.get(id));
  const { chunk, next } = await tasks.log(id, after);
  return { chunk: conceal(chunk), next };
}

/** Opens the whole log of a task. @throws SVC-TSK-001 */
export async function openTaskLog(
  { tasks }: Parts,
  viewer: Viewer,
  id: string,
): Promise<AsyncIterable<Buffer>> {
  const conceal = toTaskConceal(viewer, await tasks.get(id));
  return concealLines(tasks.rawLog(id) satisfies Readable, conceal);
}
