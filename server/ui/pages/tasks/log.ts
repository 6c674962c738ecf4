import { isOver } from '../../../../src/task/model.ts';
import { escapeText } from '../../../../src/text/escape.ts';
import { tasks } from '../../../../src/text/words/tasks.ts';
import type { Query } from '../../../api/api-route.ts';
import { readTaskLog, showTask } from '../../../views/tasks.ts';
import { html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { icon } from '../../parts/icons.ts';
import { terminal } from '../../parts/terminal.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';

/** Number of lines shown of the end of a log; the whole is a file. */
const lastLines = 200;
/** Parts of 64 KiB that are read at most to find the end of a log. */
const mostParts = 64;

/** Reads the end of a log. */
async function readEnd(call: PageCall, id: string): Promise<readonly string[]> {
  let after = 0;
  let text = '';
  for (let i = 0; i < mostParts; i += 1) {
    const { chunk, next } = await readTaskLog(call, call.identity, { id, after });
    if (next === after) break;
    text = (text + chunk).slice(-(1 << 18));
    after = next;
  }
  return text
    .split('\n')
    .filter((line) => line !== '')
    .slice(-lastLines);
}

/** The page `/tasks/{id}/log`. */
export async function showTaskLog(call: PageCall<Query, { readonly id: string }>): Promise<Page> {
  const { say } = call.words;
  const { id } = call.path;
  const task = await showTask(call, call.identity, id);
  const lines = await readEnd(call, id);
  return {
    title: say(tasks.logOf, { id }),
    crumbs: [
      [say(tasks.title), '/tasks'],
      [id, toPath('/tasks/{id}', { id })],
    ],
    layout: 'wide',
    ...(isOver(task) ? {} : { reload: 10 }),
    sections: [
      {
        id: 'log',
        ...(isOver(task) ? {} : { every: 2 }),
        html:
          lines.length === 0
            ? html`<p class="muted">${say(tasks.logEmpty)}</p>`
            : html`<h2>${say(tasks.logLast)}</h2><pre class="log" tabindex="0" translate="no"><code>${lines.map((line) => `${escapeText(line)}\n`)}</code></pre>`,
      },
      {
        id: 'whole',
        html: html`<p><a class="button button-plain" href="/api/v1/tasks/${encodeURIComponent(id)}/logs?format=raw" download>${icon('download')} ${say(tasks.logWhole)}</a></p>
${terminal(call.words, [curlCommand(call, 'GET', `/tasks/${id}/logs?format=raw`)])}`,
      },
    ],
  };
}
