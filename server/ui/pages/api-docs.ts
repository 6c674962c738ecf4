import { apiDocs } from '../../../src/base/words/api-docs.ts';
import type { Words } from '../../../src/base/words/words.ts';
import type { ApiRoute } from '../../api/api-route.ts';
import { apiRoutes } from '../../api/routes.ts';
import type { Schema } from '../../api/schema.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../parts/icons.ts';
import { table } from '../parts/table.ts';
import { terminal } from '../parts/terminal.ts';
import { code } from '../parts/text.ts';
import type { Page, PageCall, UiRoute } from '../ui-route.ts';

const base = '/api/v1';

/** The type of a parameter in one line. */
function toTypeText(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ');
  if (schema.type === 'array') return `${toTypeText(schema.items as Schema)} …`;
  const bounds = [schema.minimum, schema.maximum].filter((bound) => bound !== undefined).join('–');
  return `${String(schema.type ?? 'object')}${bounds === '' ? '' : ` ${bounds}`}`;
}

const toId = ({ method, path }: ApiRoute): string =>
  `${method.toLowerCase()}${path.replace(/[^a-zA-Z]+/g, '-')}`.replace(/-$/, '');

/** A command that calls the route; the name of the instance is the one that its configuration gives. */
function toCurl({ method, path, body }: ApiRoute, host: string): string {
  const data = body === undefined ? '' : " \\\n  -H 'Content-Type: application/json' -d '{…}'";
  const verb = method === 'GET' ? '' : ` -X ${method}`;
  return `curl${verb} -H "Authorization: Bearer $SVC_API_TOKEN"${data} \\\n  '${host}${base}${path}'`;
}

function schemaBlock({ say }: Words, title: string, schema: Schema): Html {
  return html`<details class="fold"><summary>${title}: ${say(apiDocs.schemaOf)}</summary><pre tabindex="0" translate="no"><code>${JSON.stringify(schema, null, 2)}</code></pre></details>`;
}

function showRoute(route: ApiRoute, words: Words, host: string): Html {
  const { say } = words;
  const { method, path, floor, summary, parameters = [], body, success } = route;
  const isOpen = method === 'GET' && !path.includes('{') && !parameters.some(({ required }) => required);
  return html`<article class="api-route" id="${toId(route)}">
<h3><span class="method method-${method.toLowerCase()}">${method}</span> ${code(`${base}${path}`)} <span class="badge">${say(apiDocs.floor, { role: floor })}</span></h3>
<p lang="en">${summary}</p>
${
  parameters.length === 0
    ? ''
    : table({
        caption: `${say(apiDocs.parameters)}: ${summary}`,
        compact: true,
        empty: '',
        rows: parameters,
        columns: [
          { label: say(apiDocs.parameter), cell: ({ name }) => code(name), isHeader: true },
          { label: say(apiDocs.type), cell: ({ schema }) => code(toTypeText(schema)) },
          {
            label: say(apiDocs.description),
            cell: ({ description }) => html`<span lang="en">${description}</span>`,
          },
        ],
      })
}
${body === undefined ? '' : schemaBlock(words, say(apiDocs.body), body.schema)}
${success.schema === undefined ? '' : schemaBlock(words, `${say(apiDocs.answer)} ${success.status}`, success.schema)}
${terminal(words, [toCurl(route, host)])}
${isOpen ? html`<p><a href="${base}${path}">${say(apiDocs.open)} ${icon('next')}</a></p>` : ''}
</article>`;
}

function showApi({ words, names, certificate, exchange }: PageCall): Page {
  const { say } = words;
  const host = `${certificate === undefined ? 'http' : 'https'}://${names[0] ?? `localhost:${exchange.req.socket.localPort}`}`;
  const groups = Map.groupBy(apiRoutes, ({ path }) => path.split(/[/.]/)[1]!);
  return {
    title: say(apiDocs.title),
    lead: say(apiDocs.lead),
    sections: [
      {
        id: 'documents',
        html: html`<h2>${say(apiDocs.documents)}</h2><ul class="tags"><li><a href="${base}/openapi.yaml">${say(apiDocs.openapi)}</a></li><li><a href="${base}/cli-output.schema.json">${say(apiDocs.schema)}</a></li></ul>
${words.language === 'en' ? '' : html`<p class="muted">${say(apiDocs.english)}</p>`}`,
      },
      ...[...groups].map(([name, routes]) => ({
        id: `group-${name}`,
        html: html`<h2>${code(name)}</h2>${routes.map((route) => showRoute(route, words, host))}`,
      })),
    ],
  };
}

export const apiDocsPages: readonly UiRoute[] = [
  { method: 'GET', path: '/api-docs', floor: 'viewer', title: apiDocs.title, page: showApi },
];
