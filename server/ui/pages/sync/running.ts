import { sync } from '../../../../src/text/words/sync.ts';
import { listTaskSummaries } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { icon } from '../../parts/icons.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';

/** A synchronization that runs already, with the way to it. */
export function runningText(call: PageCall): Html | undefined {
  const { say } = call.words;
  const [task] = listTaskSummaries(call, call.identity, {
    status: 'running',
    type: 'sync',
    pageSize: 1,
  }).tasks;
  if (task === undefined) return undefined;
  return html`${say(sync.running)} <a href="${toPath('/tasks/{id}', { id: task.id })}">${say(sync.open)}</a>`;
}

/** The same as a note; nothing where none runs. */
export const runningNote = (running: Html | undefined): Html | string =>
  running === undefined ? '' : html`<div class="note">${icon('running')}<p>${running}</p></div>`;
