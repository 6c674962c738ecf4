import type { ScrubView } from '../../../../src/contract/recipe.ts';
import { store } from '../../../../src/text/words/store.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { bar } from '../../parts/bar.ts';
import { shortDigest } from '../../parts/digest.ts';
import { facts, table } from '../../parts/table.ts';
import { untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';

type Pass = NonNullable<ScrubView['last']>;
type Finding = Pass['findings'][number];

function damage({ words: { say } }: PageCall, count: number): Html {
  return count === 0 ? badge('ok', say(store.undamaged)) : badge('bad', say(store.damaged, { count }));
}

function runningBlock(
  call: PageCall,
  { files, bytes, totalBytes, damaged }: NonNullable<ScrubView['running']>,
): Html {
  const { say, format } = call.words;
  const share = totalBytes === 0 ? 0 : bytes / totalBytes;
  const line = { percent: format.percent(share), files, bytes, total: totalBytes };
  return html`${bar({ parts: [{ kind: 'done', share }] })}
<p>${say(store.scrubRunning, line)} ${damage(call, damaged)}</p>`;
}

function findingTable({ words }: PageCall, findings: readonly Finding[]): Html {
  const { say, format } = words;
  return html`<h3>${say(store.findings)}</h3>${table<Finding>({
    caption: say(store.findings),
    empty: '',
    rows: findings,
    columns: [
      {
        label: say(store.digest),
        isHeader: true,
        cell: ({ digest }) => shortDigest(words, digest, say(store.digest)),
      },
      { label: say(store.problem), cell: ({ problem }) => untrusted(problem) },
      {
        label: say(store.affects),
        cell: ({ affects }) =>
          html`<ul class="plain-list">${affects.map(({ repository, tag, recipes }) => html`<li>${untrusted(tag === undefined ? repository : `${repository}:${tag}`)}${recipes.length === 0 ? '' : html` <span class="muted">${untrusted(format.list(recipes))}</span>`}</li>`)}</ul>`,
      },
      { label: say(store.found), cell: ({ foundAt }) => format.time(foundAt) },
    ],
  })}`;
}

/** Names that the head of the page lists. */
const mostNamed = 3;

/** Whether the store is sound, by the findings of the last pass; a pass under way may have found more. */
export function storeAnswer(call: PageCall, { running, last, enabled }: ScrubView): Html {
  const { say, format } = call.words;
  const damaged = Math.max(last?.damaged ?? 0, running?.damaged ?? 0);
  const asOf =
    last === undefined ? '' : say(store.asOfPass, { time: format.time(last.finishedAt), files: last.files });
  if (damaged === 0)
    return answer({
      kind: last === undefined ? 'plain' : 'ok',
      mark: say(last === undefined ? store.stampOpen : store.stampSound),
      what: say(last === undefined ? (enabled ? store.notRead : store.notChecked) : store.sound),
      lines: [asOf],
    });
  const hit = (last?.findings ?? []).flatMap(({ affects }) =>
    affects.flatMap(({ repository, tag, recipes }) =>
      recipes.length > 0 ? recipes : [tag === undefined ? repository : `${repository}:${tag}`],
    ),
  );
  const names = [...new Set(hit)];
  const more = names.length - mostNamed;
  const listed = format.list([
    ...names.slice(0, mostNamed),
    ...(more > 0 ? [say(store.moreHit, { count: more })] : []),
  ]);
  return answer({
    kind: 'bad',
    mark: say(store.stampDamaged),
    what: untrusted(say(store.damagedIn, { count: damaged, names: names.length === 0 ? undefined : listed })),
    lines: [html`${say(store.damagedStep)} <a href="/help#SVC-STO-009">SVC-STO-009</a>`, asOf],
    step:
      call.instance.context.config.retriever.source === undefined
        ? ''
        : html`<a class="button button-primary" href="/recipes/sync">${say(sync.title)}</a>`,
  });
}

/** The background check of the store: its current file, the findings of the last pass, and the quarantine. */
export function scrubBlock(call: PageCall, { enabled, running, last, quarantine }: ScrubView): Html {
  const { say, format } = call.words;
  const { files, bytes } = quarantine;
  const rows = [
    ...(last === undefined
      ? []
      : [
          [
            say(store.last),
            html`${say(store.lastLine, { time: format.time(last.finishedAt), files: last.files, bytes: last.bytes })} ${damage(call, last.damaged)}`,
          ] as const,
        ]),
    [
      say(store.quarantine),
      files === 0 ? say(store.quarantineEmpty) : say(store.quarantined, { count: files, bytes }),
    ] as const,
  ];
  const state =
    running === undefined
      ? html`<p class="muted">${say(store.scrubWaiting)}</p>`
      : runningBlock(call, running);
  return html`<h2>${say(store.scrub)}</h2><p class="muted">${say(enabled ? store.scrubLine : store.scrubOff)}</p>
${enabled ? state : ''}
${facts(rows)}
${last === undefined || last.findings.length === 0 ? '' : findingTable(call, last.findings)}`;
}
