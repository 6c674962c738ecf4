import { sharedSchemas } from '../../../src/contract/components.ts';
import type { Schema } from '../../../src/contract/schema.ts';
import { svcError } from '../../../src/text/error.ts';
import { apiDocs } from '../../../src/text/words/api-docs.ts';
import { parts } from '../../../src/text/words/parts.ts';
import type { Words } from '../../../src/text/words/words.ts';
import type { ApiRoute, Query } from '../../api/api-route.ts';
import { isOfRecords, openRecords } from '../../api/open-records.ts';
import { answerExamples } from '../../api/openapi/answer-examples.ts';
import { statusText, unchangedText } from '../../api/openapi/answers.ts';
import { describeField, settingRole } from '../../api/openapi/document.ts';
import { listErrorStatuses } from '../../api/openapi/error-codes.ts';
import { fillPath } from '../../api/openapi/path-parameters.ts';
import { apiRoutes } from '../../api/routes.ts';
import { type Html, html } from '../html.ts';
import { apiBase, curlCommand } from '../parts/curl.ts';
import { icon } from '../parts/icons.ts';
import { table } from '../parts/table.ts';
import { terminal } from '../parts/terminal.ts';
import { code } from '../parts/text.ts';
import { toPath } from '../to-href.ts';
import { type Page, type PageCall, page, type UiRoute } from '../ui-route.ts';

/** The type of a parameter in one line. */
function toTypeText(schema: Schema): string {
  if (Array.isArray(schema.enum)) return schema.enum.join(' | ');
  if (schema.type === 'array') return `${toTypeText(schema.items as Schema)} …`;
  const bounds = [schema.minimum, schema.maximum].filter((bound) => bound !== undefined).join('–');
  return `${String(schema.type ?? 'object')}${bounds === '' ? '' : ` ${bounds}`}`;
}

const toId = ({ method, path }: ApiRoute): string =>
  `${method.toLowerCase()}${path.replace(/[^a-zA-Z]+/g, '-')}`.replace(/-$/, '');

/** Names of the shared schemas that a schema refers to, at any depth of its own text. */
function listReferences(schema: Schema): readonly string[] {
  const found = JSON.stringify(schema).matchAll(/"#\/components\/schemas\/([A-Za-z]+)"/g);
  return [...new Set([...found].map(([, name]) => name!))];
}

const links = (names: readonly string[]): Html =>
  html`${names.map((name) => html` <a href="#schema-${name}">${name}</a>`)}`;

/** A schema of a route: a link where it is a shared one. */
function schemaBlock({ say }: Words, title: string, schema: Schema): Html {
  const colon = say(parts.colon);
  const names = listReferences(schema);
  if (schema.$ref !== undefined) return html`<p>${title}${colon}${links(names)}</p>`;
  return html`<details class="fold"><summary>${title}</summary>${names.length === 0 ? '' : html`<p>${links(names)}</p>`}<pre tabindex="0" translate="no"><code>${JSON.stringify(schema, null, 2)}</code></pre></details>`;
}

/** Shared schemas, each once. A link to one opens it. */
function showSchemas({ say }: Words, names: readonly string[]): Html | string {
  if (names.length === 0) return '';
  const schemas = names.map((name) => [name, sharedSchemas[name]!] as const);
  return html`<h2>${say(apiDocs.schemas)}</h2>${schemas.map(
    ([name, schema]) =>
      html`<details class="fold"><summary>${name}</summary><p>${links(listReferences(schema))}</p><pre id="schema-${name}" tabindex="0" translate="no"><code>${JSON.stringify(schema, null, 2)}</code></pre></details>\n`,
  )}`;
}

function exampleBlock(title: Html, value: unknown): Html {
  return html`<details class="fold"><summary>${title}</summary><pre tabindex="0" translate="no"><code>${JSON.stringify(value, null, 2)}</code></pre></details>`;
}

/** An English text of the contract, with its names between backticks in the type of code. */
const prose = (text: string): Html =>
  html`<span lang="en">${text.split('`').map((part, place) => (place % 2 === 0 ? html`${part}` : code(part)))}</span>`;

/** Every status that a route answers, as the document lists them. */
function showAnswers(route: ApiRoute, { say }: Words): Html {
  const rows = [
    { status: route.answer.status, text: route.answer.description, codes: [] as readonly string[] },
    ...(route.polled ? [{ status: 304, text: unchangedText, codes: [] }] : []),
    ...[...listErrorStatuses(route)].map(([status, codes]) => ({ status, text: statusText(status), codes })),
  ];
  return html`<details class="fold"><summary>${say(apiDocs.answers)}</summary>${table({
    caption: `${say(apiDocs.answers)}${say(parts.colon)} ${route.summary}`,
    compact: true,
    empty: '',
    rows,
    columns: [
      { label: say(apiDocs.status), cell: ({ status }) => code(String(status)), isHeader: true },
      { label: say(apiDocs.meaning), cell: ({ text }) => prose(text) },
      {
        label: say(apiDocs.codes),
        cell: ({ codes }) => html`${codes.map((one) => html`<a href="/help#${one}">${one}</a> `)}`,
      },
    ],
  })}</details>`;
}

/** The path of a route with the examples of its parameters, so that its command can be run as it is printed. */
function toExamplePath({ path, query }: ApiRoute): string {
  const filled = fillPath(path);
  const pairs = Object.entries(query)
    .filter(([, { required }]) => required)
    .flatMap(([name, { example }]) => [example].flat().map((each): [string, string] => [name, String(each)]));
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}

/** The first example of a body; undefined where the route takes none. */
function toExampleBody({ body }: ApiRoute): string | undefined {
  if (body === undefined) return undefined;
  const [first] = Object.values(body.examples);
  return first === undefined ? '{}' : JSON.stringify(first.value);
}

function showRoute(route: ApiRoute, call: PageCall): Html {
  const { words } = call;
  const { say } = words;
  const { method, path, floor, summary, query, body, answer } = route;
  const parameters = Object.entries(query);
  const isOpen =
    method === 'GET' &&
    call.can(floor) &&
    !path.includes('{') &&
    !parameters.some(([, { required }]) => required);
  return html`<article class="api-route" id="${toId(route)}">
<h2><span class="method method-${method.toLowerCase()}">${method}</span> ${code(`${apiBase}${path}`)} <span class="badge">${say(apiDocs.floor, { role: floor })}</span></h2>
<p>${prose(summary)}</p>${isOfRecords(route) ? html`<p class="muted" lang="en">${settingRole}</p>` : ''}
${
  parameters.length === 0
    ? ''
    : table({
        caption: `${say(apiDocs.parameters)}${say(parts.colon)} ${summary}`,
        compact: true,
        empty: '',
        rows: parameters,
        columns: [
          { label: say(apiDocs.parameter), cell: ([name]) => code(name), isHeader: true },
          { label: say(apiDocs.type), cell: ([, { schema }]) => code(toTypeText(schema)) },
          { label: say(apiDocs.example), cell: ([, { example }]) => code([example].flat().join(', ')) },
          {
            label: say(apiDocs.description),
            cell: ([, field]) => prose(describeField(field)),
          },
        ],
      })
}
${body === undefined ? '' : schemaBlock(words, say(apiDocs.body), body.schema)}
${Object.values(body?.examples ?? {}).map(({ summary: text, value }) => exampleBlock(html`${say(apiDocs.exampleBody)}${say(parts.colon)} <span lang="en">${text}</span>`, value))}
${answer.schema === undefined ? '' : schemaBlock(words, `${say(apiDocs.answer)} ${answer.status}`, answer.schema)}
${answerExamples[route.id] === undefined ? '' : exampleBlock(html`${say(apiDocs.exampleAnswer)}`, answerExamples[route.id])}
${showAnswers(route, words)}
${terminal(words, [curlCommand(call, method, toExamplePath(route), toExampleBody(route))])}
${isOpen ? html`<p><a href="${apiBase}${path}">${say(apiDocs.open)} ${icon('next')}</a></p>` : ''}
</article>`;
}

/** The routes by their groups, each with the role that the configuration asks for. */
const groupsOf = ({ instance }: Pick<PageCall, 'instance'>) =>
  Map.groupBy(
    openRecords(apiRoutes, instance.context.config.auth.historyRole),
    ({ path }) => path.split(/[/.]/)[1]!,
  );

/** The shared schemas that routes refer to, directly or through others. */
function selectSchemas(routes: readonly ApiRoute[]): readonly string[] {
  const found = new Set(
    routes
      .flatMap(({ body, answer }) => [body?.schema, answer.schema])
      .flatMap((schema) => (schema === undefined ? [] : listReferences(schema))),
  );
  // a set also visits members that are added meanwhile
  for (const name of found) for (const each of listReferences(sharedSchemas[name]!)) found.add(each);
  return [...found].sort();
}

function makeIndex(call: PageCall): Page {
  const { words } = call;
  const { say } = words;
  return {
    title: say(apiDocs.title),
    lead: say(apiDocs.lead),
    isFixed: true,
    sections: [
      {
        id: 'documents',
        html: html`<h2>${say(apiDocs.documents)}</h2><ul class="tags"><li><a href="${apiBase}/openapi.yaml">${say(apiDocs.openapi)}</a></li><li><a href="${apiBase}/cli-output.schema.json">${say(apiDocs.schema)}</a></li></ul>
${words.language === 'en' ? '' : html`<p class="muted">${say(apiDocs.english)}</p>`}`,
      },
      {
        id: 'routes',
        html: table<readonly [group: string, route: ApiRoute]>({
          caption: say(apiDocs.routes),
          hideCaption: false,
          compact: true,
          empty: '',
          rows: [...groupsOf(call)].flatMap(([group, routes]) =>
            routes.map((route) => [group, route] as const),
          ),
          groupOf: ([group]) => group,
          columns: [
            {
              label: say(apiDocs.route),
              isHeader: true,
              cell: ([group, route]) =>
                html`<a href="${`${toPath('/api-docs/{group}', { group })}#${toId(route)}`}"><span class="method method-${route.method.toLowerCase()}">${route.method}</span> ${code(route.path)}</a>`,
            },
            {
              label: say(apiDocs.description),
              cell: ([, { summary }]) => prose(summary),
            },
            { label: say(apiDocs.role), cell: ([, { floor }]) => floor },
          ],
        }),
      },
    ],
  };
}

function makeGroup(call: PageCall, group: string, routes: readonly ApiRoute[]): Page {
  const { say } = call.words;
  return {
    title: `${say(apiDocs.title)}${say(parts.colon)} ${group}`,
    heading: code(group),
    crumbs: [[say(apiDocs.title), '/api-docs']],
    isFixed: true,
    sections: [
      { id: `group-${group}`, html: html`${routes.map((route) => showRoute(route, call))}` },
      { id: 'schemas', html: html`${showSchemas(call.words, selectSchemas(routes))}` },
    ],
  };
}

/** The routes never change: each page is rendered once for each instance, known by its names, language and role. */
const made = new WeakMap<PageCall['names'], Map<string, Page>>();

function once(call: PageCall, name: string, make: () => Page): Page {
  const key = `${call.words.language} ${call.identity.role} ${name}`;
  const pages = made.get(call.names) ?? new Map<string, Page>();
  made.set(call.names, pages);
  const page = pages.get(key) ?? make();
  pages.set(key, page);
  return page;
}

/** The page `/api-docs/{group}`. @throws SVC-SRV-002 without such a group */
function showGroup(call: PageCall<Query, { readonly group: string }>): Page {
  const { group } = call.path;
  const routes = groupsOf(call).get(group);
  if (routes === undefined) throw svcError('SVC-SRV-002', { path: call.exchange.path });
  return once(call, group, () => makeGroup(call, group, routes));
}

export const apiDocsPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/api-docs',
    floor: 'viewer',
    title: apiDocs.title,
    page: (call) => once(call, '', () => makeIndex(call)),
  }),
  page({ method: 'GET', path: '/api-docs/{group}', floor: 'viewer', title: apiDocs.title, page: showGroup }),
];
