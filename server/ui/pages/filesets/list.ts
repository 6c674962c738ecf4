import { runInTurns } from '../../../../src/base/pacer.ts';
import type { View } from '../../../../src/contract/fileset.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { listFilesets as operation } from '../../../../src/contract/operations/filesets.ts';
import type { MediumDelivery } from '../../../../src/contract/status.ts';
import { listNewest } from '../../../../src/recipe/version.ts';
import { fromErrorRecord } from '../../../../src/text/error.ts';
import { filesets } from '../../../../src/text/words/serving/filesets.ts';
import { selectAwaited } from '../../../../src/view/medium-standing.ts';
import {
  describeUnserved,
  type ListedFileset,
  listConfigured,
  selectUnserved,
} from '../../../views/filesets.ts';
import { readVouchers } from '../../../views/find/find-voucher.ts';
import { showMediumDelivery } from '../../../views/media.ts';
import { toReached } from '../../../views/reached.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { copyable, copyButton } from '../../parts/copy.ts';
import { curlCommand, instanceUrl } from '../../parts/curl.ts';
import { errorBlock } from '../../parts/error.ts';
import { historyLink, mediumPage } from '../../parts/history-link.ts';
import { icon } from '../../parts/icons.ts';
import { withheldLine } from '../../parts/notices.ts';
import { pageField, selectRows } from '../../parts/pager.ts';
import { shortName } from '../../parts/short-name.ts';
import { facts, table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { provenanceText, voucherLine } from '../content/content-words.ts';
import { toFileClients } from '../content/file-clients.ts';
import { browseForm, toFolder } from './browse-form.ts';

const repositoryLink = (repository: string, show: (name: string) => Html = untrusted): Html =>
  html`<a href="${toPath('/content/{repo}', { repo: repository })}">${show(repository)}</a>`;

/** Charts left out that a page names; the API names more. */
const mostShown = 50;

const plain = (text: string): Html => html`<span class="badge">${text}</span>`;

function clientBlock(call: PageCall, { name, anonymous }: ListedFileset): Html {
  const { words } = call;
  const { curl, apt, dnf } = toFileClients(toReached(call), name, anonymous);
  const line = (title: string, text: string): Html =>
    html`<h4>${title}</h4><div class="command"><pre translate="no" tabindex="0"><code>${text}</code></pre>${copyButton(words, text, title)}</div>`;
  return html`<details class="fold"><summary>${words.say(filesets.clients)}</summary>
<p class="muted">${words.say(filesets.clientsLine)}</p>${line('curl', curl)}${line('apt', apt)}${line('dnf', dnf)}</details>`;
}

/** A FileSet that no configuration names, with the versions that its row leads to. */
interface Row extends ListedFileset {
  readonly shown: readonly string[];
}

/** Versions of one repository that a row leads to, the newest first; its page has the others. */
const mostVersions = 10;

function versionLinks({ repository: repo, versions, shown }: Row): Html {
  return html`<ul class="inline-list">${shown.map((tag) => html`<li><a href="${toFolder({ repo, tag })}">${untrusted(tag)}</a></li>`)}${
    versions.length > shown.length ? html`<li>…</li>` : ''
  }</ul>`;
}

/** The image of a FileSet that is not served, and the tasks that may have brought it: the fault is in one of them. */
function wayToImage({ words: { say } }: PageCall, { repository: repo, version: tag }: ListedFileset): Html {
  const image =
    tag === undefined
      ? toPath('/content/{repo}', { repo })
      : toPath('/content/{repo}/-/tags/{tag}', { repo, tag });
  return html`<p class="way"><a href="${image}">${say(filesets.image)}</a> · <a href="${toPath('/tasks', {}, { q: repo })}">${say(filesets.broughtBy)}</a></p>`;
}

/** Whether a FileSet is served. */
export const filesetState = ({ say }: PageCall['words'], { served }: Pick<ListedFileset, 'served'>): Html =>
  served ? badge('ok', say(filesets.isServed)) : badge('bad', say(filesets.notServed));

/** The parts of its delivery that have the content of a FileSet which the disk here lacks, once they have been imported; empty otherwise. */
function listImported(
  { error, served }: Pick<ListedFileset, 'error' | 'served'>,
  delivery: MediumDelivery | undefined,
): readonly number[] {
  const { parts } = error?.code === 'SVC-MED-032' ? error.params : {};
  const all = Array.isArray(parts) ? parts.map(Number) : [];
  if (served || delivery === undefined) return [];
  return delivery.complete || selectAwaited(all, delivery).length === 0 ? all : [];
}

/** Why a FileSet is not served, with its remedy; of one that the zone has, where it is. */
function refusalBlock(call: PageCall, { error }: ListedFileset, imported: readonly number[]): Html | string {
  const { words } = call;
  if (error === undefined) return '';
  if (imported.length > 0) return html`<p>${words.say(filesets.elsewhere, { parts: imported })}</p>`;
  return errorBlock({
    words,
    error: fromErrorRecord(error),
    hasHelp: true,
    mediumPage: mediumPage(call),
    remedy: error.code === 'SVC-REG-005' ? html`${words.say(filesets.bring)}` : undefined,
  });
}

function card(
  call: PageCall,
  fileset: ListedFileset,
  {
    voucherOf,
    delivery,
  }: {
    readonly voucherOf: Awaited<ReturnType<typeof readVouchers>>;
    readonly delivery: MediumDelivery | undefined;
  },
): Html {
  const { words } = call;
  const { say } = words;
  const { name, served, anonymous, signed, url, version, versions, digest, repository, provenance } = fileset;
  const imported = listImported(fileset, delivery);
  const isKnown = versions.length > 0;
  const voucher = digest === undefined ? undefined : voucherOf(digest);
  const trust = voucher?.signer === undefined ? 'warn' : 'ok';
  const approval = signed
    ? badge('ok', say(filesets.signed))
    : voucher === undefined
      ? plain(say(filesets.unsigned))
      : html`<span class="badge badge-${trust}">${icon(trust)} ${voucherLine(words, voucher)}</span>`;
  const address =
    url === undefined || !served
      ? ''
      : facts([[say(filesets.url), copyable(words, `${instanceUrl(call)}${url}`, say(filesets.url))]]);
  const rows = [
    ...(digest === undefined
      ? []
      : [[say(filesets.digest), copyable(words, digest, say(filesets.digest))] as const]),
    [say(filesets.repository), isKnown ? repositoryLink(repository) : untrusted(repository)] as const,
    ...(provenance.length === 0
      ? []
      : [[say(filesets.provenance), provenanceText(words, provenance)] as const]),
  ];
  return html`<li class="card"><div class="section-head"><h3>${untrusted(name)}${version === undefined ? '' : html` <span class="muted">${untrusted(version)}</span>`}</h3><p class="badges">${imported.length > 0 ? badge('warn', say(filesets.onOtherDisk)) : filesetState(words, fileset)} ${anonymous ? badge('warn', say(filesets.anonymous)) : plain(say(filesets.credentials))}${
    isKnown ? html` ${approval}` : ''
  }</p></div>
${refusalBlock(call, fileset, imported)}
${isKnown && !served ? wayToImage(call, fileset) : ''}${address}${version === undefined || !served ? '' : browseForm(call, { repo: repository, tag: version }, name)}
<div class="folds">${served ? clientBlock(call, fileset) : ''}<details class="fold"><summary>${say(filesets.details)}</summary>${facts(rows)}${historyLink(call, name)}</details></div></li>`;
}

function viewCard({ words }: PageCall, base: string, view: View): Html {
  const { say } = words;
  const { name, anonymous, url, repositories, charts, leftOut, leftOutCount, error } = view;
  const rows = [
    [say(filesets.url), copyable(words, `${base}${url}`, say(filesets.url))] as const,
    [say(filesets.viewRepositories), untrusted(repositories.join(', '))] as const,
    ...(charts === undefined ? [] : [[say(filesets.charts), String(charts)] as const]),
  ];
  return html`<li class="card"><div class="section-head"><h3>${untrusted(name)}</h3><p class="badges">${
    error === undefined ? badge('ok', say(filesets.isServed)) : badge('bad', say(filesets.notServed))
  } ${anonymous ? badge('warn', say(filesets.anonymous)) : plain(say(filesets.credentials))}</p></div>
${error === undefined ? '' : errorBlock({ words, error: fromErrorRecord(error), hasHelp: true })}
${facts(rows)}
${
  leftOutCount === 0
    ? ''
    : html`<details class="fold"><summary>${say(filesets.leftOut, { count: leftOutCount })}</summary><ul>${leftOut
        .slice(0, mostShown)
        .map(
          ({ repository, tag, reason }) =>
            html`<li>${untrusted(`${repository}:${tag}`)} <span class="muted">${say(filesets.leftOutReasons[reason])}</span></li>`,
        )}</ul></details>`
}</li>`;
}

/** Parameters of the page: those of the table of FileSets that are not served. */
export const filesetFilters = { ...operation.query, ...pageField };
type Call = PageCall<QueryOf<typeof filesetFilters>>;

async function otherTable(call: Call): Promise<Html> {
  const { words, query } = call;
  const { say } = words;
  const { sort, order } = query;
  const { rows, pages } = selectRows(call, selectUnserved(call, { sort, order }));
  const toRow = async (name: string): Promise<Row> => {
    const fileset = await describeUnserved(call, name);
    return { ...fileset, shown: await runInTurns(listNewest(fileset.versions, mostVersions)) };
  };
  return html`${table<Row>({
    caption: say(filesets.others),
    rows: await Promise.all(rows.map(toRow)),
    empty: say(filesets.noOthers),
    list: { call, sort: 'repository' },
    columns: [
      { label: say(filesets.name), isHeader: true, sort: 'name', cell: ({ name }) => shortName(name) },
      {
        label: say(filesets.repository),
        sort: 'repository',
        cell: ({ repository }) => repositoryLink(repository, shortName),
      },
      { label: say(filesets.versions), sort: 'versions', cell: versionLinks },
      {
        label: say(filesets.provenance),
        cell: ({ provenance }) => provenanceText(words, provenance),
      },
    ],
  })}${pages}`;
}

/** Whether the configured FileSets are served. */
function answerOf(
  { words: { say } }: Call,
  configured: readonly ListedFileset[],
  { pack, delivery }: { readonly pack: Html | string; readonly delivery: MediumDelivery | undefined },
): Html {
  const total = configured.length;
  const unserved = configured.filter(({ served }) => !served);
  const withheld = unserved.length;
  // the zone has those of other disks
  const isLost = unserved.some((one) => listImported(one, delivery).length === 0);
  return answer({
    kind: isLost ? 'bad' : withheld > 0 ? 'warn' : 'ok',
    mark: say(withheld > 0 ? filesets.notServed : filesets.isServed),
    what:
      withheld > 0
        ? say(filesets.someWithheld, { count: withheld, total })
        : say(filesets.allServed, { count: total }),
    step: html`<p class="buttons"><a class="button button-plain" href="/clients">${say(filesets.clients)}</a>${pack}</p>`,
  });
}

/** The page `/filesets`. */
export async function showFilesets(call: Call): Promise<Page> {
  const { words, can } = call;
  const { say } = words;
  const { sort, order } = call.query;
  const closed = await withheldLine(call, filesets.closed);
  const { filesets: listed, views, packEnabled } = await listConfigured(call);
  // those that need work lead
  const configured = [...listed].sort((a, b) => Number(a.served) - Number(b.served));
  const voucherOf = await readVouchers(call);
  const delivery = await showMediumDelivery(call);
  const pack =
    packEnabled && can('admin')
      ? html`<a class="button button-plain" href="/filesets/pack">${say(filesets.pack)}</a>`
      : '';
  return {
    title: say(filesets.title),
    lead: say(filesets.lead),
    sections: [
      ...(configured.length === 0
        ? []
        : [{ id: 'verdict', html: answerOf(call, configured, { pack, delivery }) }]),
      {
        id: 'served',
        html: html`<h2>${say(filesets.configured)}</h2>${closed === '' ? '' : html`<p class="muted">${closed}</p>`}
${configured.length === 0 ? html`<div class="empty">${say(filesets.noneServed)}</div>${pack}` : html`<ul class="filesets">${configured.map((each) => card(call, each, { voucherOf, delivery }))}</ul>`}`,
      },
      ...(views.length === 0
        ? []
        : [
            {
              id: 'views',
              html: html`<h2>${say(filesets.views)}</h2><p class="muted">${say(filesets.viewsLine)} <a href="/clients/helm">${say(filesets.clients)}</a></p>
<ul class="filesets">${views.map((each) => viewCard(call, instanceUrl(call), each))}</ul>`,
            },
          ]),
      {
        id: 'others',
        html: html`<h2>${say(filesets.others)}</h2><p class="muted">${say(filesets.othersLine)}</p>${await otherTable(call)}`,
      },
      {
        id: 'terminal',
        html: terminal(words, [curlCommand(call, 'GET', toPath('/filesets', {}, { sort, order }))]),
      },
    ],
  };
}
