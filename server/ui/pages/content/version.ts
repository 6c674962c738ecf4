import { selectPage } from '../../../../src/base/page.ts';
import type { PlatformOfTag, SignatureOfTag, Tag } from '../../../../src/contract/content.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import { paging } from '../../../../src/contract/operations/paging.ts';
import { oneOf } from '../../../../src/contract/schema.ts';
import { formatPlatform } from '../../../../src/oci/platform.ts';
import { isSigned } from '../../../../src/operation/select-signatures.ts';
import { content } from '../../../../src/text/words/content.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import { recipeWords } from '../../../../src/text/words/recipes.ts';
import { filesetFiles } from '../../../../src/text/words/serving/fileset-files.ts';
import { versionWords } from '../../../../src/text/words/version.ts';
import { showVersion } from '../../../../src/view/content.ts';
import { findDamage } from '../../../../src/view/recipe/damage.ts';
import { planVersionMending } from '../../../views/damage.ts';
import { readVouchers } from '../../../views/find/find-voucher.ts';
import { findImports } from '../../../views/tasks.ts';
import { type Html, html } from '../../html.ts';
import { answer, badge } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { curlCommand } from '../../parts/curl.ts';
import { shortDigest } from '../../parts/digest.ts';
import { historyLink } from '../../parts/history-link.ts';
import { pager } from '../../parts/pager.ts';
import { facts, table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { code, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import type { Page, PageCall, Section } from '../../ui-route.ts';
import { damageAnswer } from '../damage.ts';
import { browseForm } from '../filesets/browse-form.ts';
import { annotationFold } from './annotation-fold.ts';
import { folderCrumbs, kindBadge, provenanceText, recipeLinks, voucherLine } from './content-words.ts';
import { pullSection } from './pull-section.ts';

/** Rows of one page of platforms. */
const perPage = 50;

export const versionParameters = { by: { schema: oneOf('digest', 'tag') }, page: paging().page };
type Query = QueryOf<typeof versionParameters>;

/** Digests to which an address may lead, such as that of the search: the row is marked then. One that comes again has no name. */
function digestCells({ words }: PageCall): (digest: string) => Html {
  const named = new Set<string>();
  return (digest) => {
    const shown = shortDigest(words, digest, words.say(content.digest));
    if (named.has(digest)) return shown;
    named.add(digest);
    return html`<span id="${digest}">${shown}</span>`;
  };
}

function platformSection(call: PageCall<Query>, view: Tag): readonly Section[] {
  const { say, format } = call.words;
  const { platforms, absentLayers = [] } = view;
  if (platforms.length === 0 && absentLayers.length === 0) return [];
  const present = platforms.filter((each) => each.present).length;
  const { page } = call.query;
  const { selected, pageOf } = selectPage(platforms, { page, pageSize: perPage });
  const digestCell = digestCells(call);
  const rows = table<PlatformOfTag>({
    caption: say(versionWords.platforms),
    empty: '',
    rows: selected,
    columns: [
      { label: say(versionWords.platform), isHeader: true, cell: (each) => untrusted(formatPlatform(each)) },
      {
        label: say(content.size),
        isNumber: true,
        cell: ({ sizeBytes }) => format.size(sizeBytes),
      },
      {
        label: say(versionWords.state),
        cell: (each) =>
          each.present ? badge('ok', say(versionWords.present)) : badge('plain', say(versionWords.absent)),
      },
      {
        label: say(content.digest),
        cell: ({ digest }) => digestCell(digest),
      },
    ],
  });
  return [
    {
      id: 'platforms',
      column: 2,
      html: html`<h2>${say(versionWords.platforms)}</h2>
<p class="muted">${say(versionWords.platformCount, { count: platforms.length, present })}</p>
${platforms.length === 0 ? '' : rows}${pageOf.totalPages > 1 ? pager(call, { ...pageOf, pageSize: perPage }) : ''}
${absentLayers.length === 0 ? '' : html`<p>${say(versionWords.absentLayers, { count: absentLayers.length })}</p>`}`,
    },
  ];
}

/** Whether a version is damaged; else whether a trusted key approves it: that of its recipe, or, of a recipe, its own. */
async function versionVerdict(
  call: PageCall,
  { repository, tag, digest }: Pick<Tag, 'repository' | 'tag' | 'digest'>,
): Promise<Html> {
  const { words, store, instance } = call;
  const { say } = words;
  if (findDamage(call).hitsVersion(digest))
    return damageAnswer(call, {
      mending: await planVersionMending(call, { repository, tag, digest }),
      what: untrusted(say(versionWords.damaged, { count: store.index.lostBelow(digest).length, tag })),
    });
  const { roots } = instance.context.policy;
  const recipe = store.index.recipes().find((each) => each.digest === digest);
  const signer = roots.find(({ fingerprint }) => fingerprint === recipe?.keyFingerprint)?.name;
  const voucher = (await readVouchers(call))(digest);
  const isApproved = signer !== undefined || voucher?.signer !== undefined;
  const isWithdrawn = !isApproved && (voucher ?? recipe?.keyFingerprint) !== undefined;
  const hasSignature = isApproved || (await isSigned(store, repository, digest, roots));
  return answer({
    kind: isApproved ? 'ok' : isWithdrawn ? 'warn' : 'plain',
    mark: say(isWithdrawn ? recipeWords.stampWithdrawn : hasSignature ? content.signed : content.unsigned),
    what:
      signer !== undefined
        ? html`${untrusted(say(versionWords.signedBy, { signer }))}`
        : voucher !== undefined
          ? voucherLine(words, voucher, versionWords.digestNamedBy)
          : say(
              isWithdrawn
                ? versionWords.withdrawn
                : hasSignature
                  ? versionWords.signedItself
                  : versionWords.noSignature,
            ),
  });
}

async function signatureSection(call: PageCall, { signatures, digest: subject }: Tag): Promise<Section> {
  const voucher = (await readVouchers(call))(subject);
  const { words, store, instance } = call;
  const { say } = words;
  // the key of a recipe was verified when it landed; those of other content are judged by its recipe
  const recipe = store.index.recipes().find(({ digest }) => digest === subject);
  const fingerprint = recipe?.keyFingerprint;
  const digestCell = digestCells(call);
  const root = instance.context.policy.roots.find((each) => each.fingerprint === fingerprint);
  const key =
    fingerprint === undefined
      ? ''
      : facts([
          [
            say(recipeWords.key),
            html`${root === undefined ? html`<span class="muted">${say(recipeWords.rootGone)}</span>` : untrusted(root.name)} ${copyable(words, fingerprint, say(recipeWords.key))}`,
          ],
        ]);
  return {
    id: 'signatures',
    column: 2,
    html: html`<h2>${say(versionWords.signatures)}</h2>${voucher === undefined ? '' : html`<p>${voucherLine(words, voucher, versionWords.digestNamedBy)}</p>`}${
      signatures.length === 0 && voucher !== undefined
        ? ''
        : signatures.length === 0
          ? html`<p class="muted">${say(versionWords.noSignature)}</p>`
          : table<SignatureOfTag>({
              caption: say(versionWords.signatures),
              empty: '',
              rows: signatures,
              columns: [
                {
                  label: say(versionWords.layout),
                  isHeader: true,
                  cell: ({ layout }) => say(versionWords[layout]),
                },
                {
                  label: say(content.digest),
                  cell: ({ digest }) => digestCell(digest),
                },
              ],
            })
    }${key}`,
  };
}

/** The page `/content/{repo}/-/tags/{tag}`. */
export async function showContentVersion(
  call: PageCall<Query, { readonly repo: string; readonly tag: string }>,
): Promise<Page> {
  const { say, format } = call.words;
  const view = await showVersion(call, { repository: call.path.repo, tag: call.path.tag });
  const { repository, tag, digest, kind, provenance, recipes, artifactType } = view;
  const others = provenance.filter((each) => each !== 'recipe' || recipes.length === 0);
  const imported = findImports(call, call.identity).get(`${repository}:${tag}`);
  const by =
    imported === undefined
      ? ''
      : html` <span class="muted">${format.time(imported.finishedAt ?? imported.createdAt)} ${say(overview.by)} ${untrusted(imported.actor)},</span> <a href="${toPath('/tasks/{id}', { id: imported.id })}">${imported.id}</a>`;
  const last = repository.slice(repository.lastIndexOf('/') + 1);
  return {
    title: `${repository}:${tag}`,
    heading: html`${untrusted(`${last} ${tag}`)} ${kindBadge(call.words, kind)}`,
    crumbs: [
      ...folderCrumbs(call.words, repository),
      [last, toPath('/content/{repo}', { repo: repository })],
    ],
    sections: [
      { id: 'verdict', html: await versionVerdict(call, view) },
      {
        id: 'facts',
        html: html`${facts([
          [say(content.digest), copyable(call.words, digest, say(content.digest))],
          [say(content.size), format.size(view.sizeBytes)],
          ...(recipes.length === 0 ? [] : [[say(content.recipes), recipeLinks(recipes)] as const]),
          ...(others.length === 0
            ? []
            : [[say(content.provenance), html`${provenanceText(call.words, others)}${by}`] as const]),
        ])}${historyLink(call, `${repository}:${tag}`)}`,
      },
      ...(kind === 'FileSet'
        ? [
            {
              id: 'files',
              column: 1 as const,
              html: html`<h2>${say(filesetFiles.title)}</h2>${browseForm(call, { repo: repository, tag }, repository)}`,
            },
          ]
        : []),
      { id: 'pull', column: 1, html: pullSection(call, view) },
      ...platformSection(call, view),
      await signatureSection(call, view),
      {
        id: 'details',
        column: 2,
        html: html`<h2>${say(versionWords.facts)}</h2>${facts([
          [say(versionWords.mediaType), code(view.mediaType)],
          ...(artifactType === undefined
            ? []
            : [[say(versionWords.artifactType), code(artifactType)] as const]),
        ])}
${annotationFold(call, view)}`,
      },
      {
        id: 'terminal',
        html: terminal(call.words, [
          curlCommand(call, 'GET', toPath('/content/{repo}/-/tags/{tag}', { repo: repository, tag })),
        ]),
      },
    ],
  };
}
