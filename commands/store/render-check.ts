import type { CheckFinding, StoreCheckReport } from '../../src/contract/store.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, type Sentence, say, speak } from '../../src/text/language.ts';
import { sayRule } from '../../src/text/rule.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { renderTable } from '../cli/print.ts';
import { count } from '../render/count.ts';
import type { RenderOptions } from '../render/options.ts';
import { renderProblems } from '../render/problems.ts';
import { renderRepair } from './render-repair.ts';

/** Maximum number of findings with the same cause and action in the text report; the JSON report lists more. */
const shownFindings = 20;
const shownAffected = 5;
/** Width of the names at the beginning of a line. */
const nameWidth = 10;

const verdicts: Readonly<Record<StoreCheckReport['verdict'], Sentence>> = {
  clean: ['clean', fr`intact`],
  damaged: ['damaged', fr`abîmé`],
};

const stepNames: Readonly<Record<StoreCheckReport['steps'][number]['name'], Sentence>> = {
  format: ['format', fr`format`],
  ledgers: ['ledgers', fr`journaux`],
  folders: ['folders', fr`dossiers`],
  manifests: ['manifests', fr`manifestes`],
  blobs: ['blobs', fr`blobs`],
  reachability: ['reachability', fr`références`],
  rest: ['rest', fr`reste`],
};

/**
 * Renders the report of a check as text: the extent of the check, the findings with the affected content, and the verdict
 * last.
 */
export function renderCheck(report: StoreCheckReport, { language, width }: RenderOptions): string {
  const { findings, verdict } = report;
  const text = speak(language);
  const damage = findings.filter(({ code }) => code !== 'SVC-STO-012');
  const strays = findings.filter(({ code }) => code === 'SVC-STO-012');
  return [
    renderFacts(report, language),
    renderRepair(report.repair, language),
    renderSteps(report, { language, width }),
    renderFindings(text('found:', fr`constats :`), damage, language),
    renderFindings(text('other files:', fr`autres fichiers :`), strays, language),
    `${'verdict'.padEnd(nameWidth)}${say(verdicts[verdict], language)}\n`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function renderFacts(report: StoreCheckReport, language: Language): string {
  const { root, mediaId, notices, noticeRules = [], quarantine, adopted, checked } = report;
  const text = speak(language);
  const size = (bytes: number): string => formatByteSize(bytes, language);
  const medium = text(`medium ${mediaId}`, fr`support ${mediaId}`);
  const lines: [name: string, value: string][] = [
    [
      text('store', fr`stockage`),
      [root, medium, describeStanding(report, language)].filter(Boolean).join(', '),
    ],
    [text('checked', fr`contrôlé`), `${count(checked.files, 'blob', language)}, ${size(checked.bytes)}`],
    ...notices.map((english, i): [string, string] => {
      const found = noticeRules[i];
      return ['note', found === undefined ? english : sayRule(found, language)];
    }),
  ];
  if (quarantine.files > 0) {
    const [files, bytes] = [count(quarantine.files, 'file', language), size(quarantine.bytes)];
    lines.push([
      text('isolated', fr`isolé`),
      text(
        `${files}, ${bytes} in quarantine, ${quarantine.added} new`,
        fr`${files}, ${bytes} en quarantaine, dont ${quarantine.added} par ce contrôle`,
      ),
    ]);
  }
  if (adopted) {
    const held = adopted.held
      ? text(
          ', held until a verified recipe reaches them',
          fr`, retenues jusqu’à ce qu’une recette vérifiée les atteigne`,
        )
      : '';
    const [blobs, tags] = [count(adopted.blobs, 'blob', language), count(adopted.tags, 'tag', language)];
    lines.push([
      text('adopted', fr`adopté`),
      text(`${blobs} verified, ${tags}${held}`, fr`${blobs} vérifiés, ${tags}${held}`),
    ]);
  }
  return lines.map(([name, value]) => `${name.padEnd(nameWidth)}${escapeText(value)}\n`).join('');
}

function renderSteps({ steps }: StoreCheckReport, { language, width }: RenderOptions): string {
  const text = speak(language);
  const rows = steps.map(({ name, checked, bytes, milliseconds, problems }) => {
    const seconds = (milliseconds / 1000).toFixed(2);
    return [
      say(stepNames[name], language),
      String(checked),
      bytes === 0 ? '' : formatByteSize(bytes, language),
      `${language === 'fr' ? seconds.replace('.', ',') : seconds} s`,
      problems === 0 ? '' : String(problems),
    ];
  });
  const headings = [
    text('STEP', fr`ÉTAPE`),
    text('CHECKED', fr`CONTRÔLÉS`),
    text('SIZE', fr`TAILLE`),
    text('TIME', fr`DURÉE`),
    text('PROBLEMS', fr`PROBLÈMES`),
  ];
  return renderTable(headings, rows, width);
}

function describeStanding({ standing, reason }: StoreCheckReport, language: Language): string | undefined {
  if (standing !== 'foreign') return undefined;
  const text = speak(language);
  return reason === 'older' || reason === 'altered'
    ? text(
        'changed since this instance last wrote it',
        fr`modifié depuis la dernière écriture de cette instance`,
      )
    : text('made by another instance', fr`fait par une autre instance`);
}

function renderFindings(title: string, findings: readonly CheckFinding[], language: Language): string {
  if (findings.length === 0) return '';
  const problems = findings.map((finding) => ({ error: finding, more: renderAffected(finding, language) }));
  return `${title}\n${renderProblems(problems, { language, shown: shownFindings, indent: 0 })}`;
}

function renderAffected(
  { affects, affectsMore = 0, quarantined }: CheckFinding,
  language: Language,
): string[] {
  const text = speak(language);
  const lines: string[] = [];
  if (quarantined !== undefined) lines.push(text(`moved to ${quarantined}`, fr`déplacé vers ${quarantined}`));
  for (const { repository, tag, recipes } of affects.slice(0, shownAffected)) {
    const name = tag === undefined ? repository : `${repository}:${tag}`;
    const owners = recipes.map((one) => text(`recipe ${one}`, fr`recette ${one}`));
    const needed = escapeText([name, ...owners].join(', '));
    lines.push(text(`needed by ${needed}`, fr`nécessaire à ${needed}`));
  }
  const more = affects.length + affectsMore - shownAffected;
  if (more > 0) lines.push(text(`and by ${more} more`, fr`et à ${more} de plus`));
  return lines;
}
