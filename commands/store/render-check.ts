import { catalogue } from '../../src/base/catalogue.ts';
import { fromErrorRecord } from '../../src/base/error.ts';
import { escapeText } from '../../src/base/escape.ts';
import { type Language, renderError } from '../../src/base/message.ts';
import { formatByteSize } from '../../src/base/size.ts';
import type { CheckFinding, StoreCheckReport } from '../../src/operation/check-store.ts';
import { renderTable } from '../cli/print.ts';

/** Maximum number of findings in the text report; the JSON report lists more. */
const shownFindings = 20;
const shownAffected = 5;

/**
 * Renders the report of a check as text: what was read, the findings with the affected content, and the
 * verdict last.
 */
export function renderCheck(report: StoreCheckReport, language: Language): string {
  const { root, mediaId, steps, findings, notices, quarantine, checked, verdict } = report;
  const ofStore = [`medium ${mediaId}`, describeStanding(report)];
  const head = [
    `store     ${escapeText([root, ...ofStore.filter(Boolean)].join(', '))}`,
    `checked   ${checked.files} blobs, ${formatByteSize(checked.bytes)}`,
    ...notices.map((notice) => `note      ${escapeText(notice)}`),
  ];
  if (quarantine.files > 0)
    head.push(
      `isolated  ${quarantine.files} ${quarantine.files === 1 ? 'file' : 'files'}, ${formatByteSize(quarantine.bytes)} in quarantine, ${quarantine.added} new`,
    );
  if (report.adopted) {
    const { tags, blobs, held } = report.adopted;
    const how = held ? ', held until a verified recipe reaches them' : '';
    head.push(`adopted   ${blobs} blobs verified, ${tags} tags${how}`);
  }
  const rows = steps.map(({ name, checked: count, bytes, milliseconds, problems }) => [
    name,
    String(count),
    bytes === 0 ? '' : formatByteSize(bytes),
    `${(milliseconds / 1000).toFixed(2)} s`,
    problems === 0 ? '' : String(problems),
  ]);
  const damage = findings.filter(({ code }) => code !== 'SVC-STO-012');
  const strays = findings.filter(({ code }) => code === 'SVC-STO-012');
  return [
    `${head.join('\n')}\n`,
    renderRepair(report.repair),
    renderTable(['STEP', 'CHECKED', 'SIZE', 'TIME', 'PROBLEMS'], rows),
    renderFindings('found:', damage, language),
    renderFindings('other files:', strays, language),
    `verdict   ${verdict}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function describeStanding({ standing, reason }: StoreCheckReport): string | undefined {
  if (standing !== 'foreign') return undefined;
  const isOwn = reason === 'older' || reason === 'altered';
  return isOwn ? 'changed since this instance last wrote it' : 'made by another instance';
}

function renderRepair(repair: StoreCheckReport['repair']): string {
  if (repair === undefined) return '';
  const { lost, tags, tagsMore = 0, gone, goneMore = 0, manifests, held } = repair;
  const how = held ? ', held until a verified recipe reaches them' : '';
  return [
    `repaired  ${manifests} manifests and ${tags.length + tagsMore} tags restored${how}`,
    ...renderTags(tags, tagsMore, (from) => origins[from]),
    ...lost.map(({ path, offset, bytes }) =>
      offset === 0 ? `lost      all of ${path}` : `lost      ${bytes} bytes of ${path} from byte ${offset}`,
    ),
    ...renderTags(gone, goneMore, (from) => `lost: ${origins[from]}, not on the disk`),
    '',
  ].join('\n');
}

type Repair = NonNullable<StoreCheckReport['repair']>;

function renderTags(
  tags: Repair['tags'],
  omitted: number,
  describe: (from: Repair['tags'][number]['from']) => string,
): string[] {
  const more = tags.length + omitted - shownFindings;
  return [
    ...tags
      .slice(0, shownFindings)
      .map(({ repository, tag, from }) => `  ${escapeText(`${repository}:${tag}`)}  (${describe(from)})`),
    ...(more > 0 ? [`  and ${more} more: see --output json`] : []),
  ];
}

/** Evidence for a tag whose record was lost. */
const origins = {
  recipes: 'named by its recipe',
  index: 'named by the last index.json',
  manifests: 'no name found: listed under its digest',
} as const;

function renderFindings(title: string, findings: readonly CheckFinding[], language: Language): string {
  if (findings.length === 0) return '';
  const lines = findings.slice(0, shownFindings).flatMap((finding) => renderFinding(finding, language));
  if (findings.length > shownFindings)
    lines.push(`and ${findings.length - shownFindings} more: see --output json`);
  return `${[title, ...lines].join('\n')}\n`;
}

function renderFinding(
  { code, params, affects, affectsMore = 0, quarantined }: CheckFinding,
  language: Language,
): string[] {
  const error = fromErrorRecord({ code, class: catalogue[code].class, params });
  const lines = [`${code}  ${escapeText(renderError(error, language).what)}`];
  if (quarantined !== undefined) lines.push(`  moved to ${quarantined}`);
  for (const { repository, tag, recipes } of affects.slice(0, shownAffected)) {
    const name = tag === undefined ? repository : `${repository}:${tag}`;
    lines.push(`  needed by ${escapeText([name, ...recipes.map((one) => `recipe ${one}`)].join(', '))}`);
  }
  const more = affects.length + affectsMore - shownAffected;
  if (more > 0) lines.push(`  and by ${more} more`);
  return lines;
}
