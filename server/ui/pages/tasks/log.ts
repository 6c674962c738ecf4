import type { Task } from '../../../../src/contract/task.ts';
import { isOver } from '../../../../src/task/model.ts';
import { escapeText } from '../../../../src/text/escape.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Query } from '../../../api/api-route.ts';
import { readTaskLog, showTask } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { icon } from '../../parts/icons.ts';
import { terminal } from '../../parts/terminal.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';

/** Number of lines shown of the end of a log; the whole is a file. */
const lastLines = 200;
/** Bytes of the end of a log that are read for those lines. */
const endBytes = 1 << 18;
/** The same of a page that shows a few lines: the longest line has 8 KiB. */
const [tailLines, tailBytes] = [5, 10 << 10] as const;

/** Reads the last lines of a log, from the last bytes of it. */
async function readEnd(call: PageCall, id: string, bytes: number, count: number): Promise<readonly string[]> {
  const { next: size } = await readTaskLog(call, call.identity, { id, after: Number.MAX_SAFE_INTEGER });
  const from = Math.max(0, size - bytes);
  let text = '';
  for (let after = from; after < size; ) {
    const { chunk, next } = await readTaskLog(call, call.identity, { id, after });
    if (next === after) break;
    text += chunk;
    after = next;
  }
  return text
    .split('\n')
    .slice(from === 0 ? 0 : 1)
    .filter((line) => line !== '')
    .slice(-count);
}

function logLines(lines: readonly string[]): Html {
  return html`<pre class="log" tabindex="0" translate="no"><code>${lines.map((line) => `${escapeText(line)}\n`)}</code></pre>`;
}

/** The last few lines of the log of a task, with the way to all of them. */
export async function logTail(call: PageCall, task: Pick<Task, 'id' | 'status'>): Promise<Html> {
  const { say } = call.words;
  const { id } = task;
  const lines = await readEnd(call, id, tailBytes, tailLines);
  return html`<h2 id="log-tail">${say(tasks.logTail)}</h2>${lines.length === 0 ? html`<p class="muted">${say(isOver(task) ? tasks.logWithoutLines : tasks.logEmpty)}</p>` : logLines(lines)}
<p class="way"><a href="${toPath('/tasks/{id}/log', { id })}">${say(tasks.logOpen)}</a></p>`;
}

/** The page `/tasks/{id}/log`. */
export async function showTaskLog(call: PageCall<Query, { readonly id: string }>): Promise<Page> {
  const { say } = call.words;
  const { id } = call.path;
  const task = await showTask(call, call.identity, id);
  const lines = await readEnd(call, id, endBytes, lastLines);
  return {
    title: say(tasks.logOf, { id }),
    crumbs: [
      [say(tasks.title), '/tasks'],
      [id, toPath('/tasks/{id}', { id })],
    ],
    ...(isOver(task) ? {} : { reload: 10 }),
    sections: [
      {
        id: 'log',
        ...(isOver(task) ? {} : { every: 2 }),
        html:
          lines.length === 0
            ? html`<p class="muted">${say(isOver(task) ? tasks.logWithoutLines : tasks.logEmpty)}</p>`
            : html`<h2>${say(tasks.logLast)}</h2>${logLines(lines)}`,
      },
      {
        id: 'whole',
        html: html`<p><a class="button button-plain" href="/api/v1/tasks/${encodeURIComponent(id)}/logs?format=raw" download>${icon('download')} ${say(tasks.logWhole)}</a></p>
${terminal(call.words, [curlCommand(call, 'GET', `/tasks/${id}/logs?format=raw`)])}`,
      },
    ],
  };
}
