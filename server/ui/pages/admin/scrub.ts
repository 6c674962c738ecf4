import type { ScrubView } from '../../../../src/contract/recipe.ts';
import { store } from '../../../../src/text/words/store.ts';
import { findDamage } from '../../../../src/view/recipe/damage.ts';
import { describeDamage } from '../../../views/damage.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { bar } from '../../parts/bar.ts';
import { shortDigest } from '../../parts/digest.ts';
import { facts, table } from '../../parts/table.ts';
import { tableMoment, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { recipeLinks } from '../content/content-words.ts';
import { damageAnswer } from '../damage.ts';

type Pass = NonNullable<ScrubView['last']>;
type Finding = Pass['findings'][number];
type Quarantine = ScrubView['quarantine'];

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

function affectedItem({ repository: repo, tag, recipes }: Finding['affects'][number]): Html {
  const [name, path] =
    tag === undefined
      ? [repo, toPath('/content/{repo}', { repo })]
      : [`${repo}:${tag}`, toPath('/content/{repo}/-/tags/{tag}', { repo, tag })];
  return html`<li><a href="${path}">${untrusted(name)}</a>${recipes.length === 0 ? '' : recipeLinks(recipes)}</li>`;
}

function findingTable({ words }: PageCall, findings: readonly Finding[]): Html {
  const { say } = words;
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
        cell: ({ affects }) => html`<ul class="plain-list">${affects.map(affectedItem)}</ul>`,
      },
      { label: say(store.found), cell: ({ foundAt }) => tableMoment(words, foundAt) },
    ],
  })}`;
}

/** Names that the head of the page lists. */
const mostNamed = 3;

/** Whether the store has all its content: the index knows what is lost, also where an earlier pass found it. */
export async function storeAnswer(call: PageCall, { last, enabled }: ScrubView): Promise<Html> {
  const { say, format } = call.words;
  const asOf =
    last === undefined ? '' : say(store.asOfPass, { time: format.time(last.finishedAt), files: last.files });
  const { damaged: count, damagedIn, mending } = await describeDamage(call);
  if (count === 0)
    return answer({
      kind: last === undefined ? 'plain' : 'ok',
      mark: say(last !== undefined ? store.stampSound : enabled ? store.stampOpen : store.stampOff),
      what: say(last === undefined ? (enabled ? store.notRead : store.notChecked) : store.sound),
      lines: [last !== undefined && last.damaged > 0 ? say(store.mended) : ''],
      notes: [asOf],
    });
  const more = damagedIn.length - mostNamed;
  const names = format.list([
    ...damagedIn.slice(0, mostNamed),
    ...(more > 0 ? [say(store.moreHit, { count: more })] : []),
  ]);
  return damageAnswer(call, {
    what: untrusted(say(store.damagedIn, { count, names: names || undefined })),
    mending,
    notes: [asOf],
  });
}

/** For a pass that found nothing: the files that are lost, and where they are. An earlier copy of one that came again stays in quarantine. */
function sayKnown(
  { words: { say, format } }: PageCall,
  known: number,
  { files, lastAt }: Quarantine,
): string {
  if (files < known) return say(store.nothingBack, { count: known });
  return say(store.nothingNew, { count: known, time: lastAt && format.day(lastAt) });
}

/** The background check of the store: its current file, the findings of the last pass, and the quarantine. */
export function scrubBlock(call: PageCall, { enabled, running, last, quarantine }: ScrubView): Html {
  const { say, format } = call.words;
  const { files, bytes } = quarantine;
  // the index also knows what other readers found, before the pass or after it
  const known = findDamage(call).files;
  const rows = [
    ...(last === undefined
      ? []
      : [
          [
            say(store.last),
            html`${say(store.lastLine, { time: format.time(last.finishedAt), files: last.files, bytes: last.bytes })} ${known > 0 && last.damaged === 0 ? badge('warn', sayKnown(call, known, quarantine)) : damage(call, last.damaged)}`,
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
