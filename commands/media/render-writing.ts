import { mayBeRefused } from '../../src/contract/proof.ts';
import type { MediumWriting } from '../../src/contract/write-medium.ts';
import { refusalOf } from '../../src/engine/zone/to-carry.ts';
import type { PartOutcome } from '../../src/operation/delivery/write-medium.ts';
import { formatList } from '../../src/text/amount.ts';
import { fromErrorRecord } from '../../src/text/error.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';
import { renderError } from '../../src/text/message.ts';
import { sayRule } from '../../src/text/rule.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { zones } from '../../src/text/words/delivering/zones.ts';
import { words } from '../../src/text/words/words.ts';
import { count } from '../render/count.ts';
import { renderFindings } from './render-proof.ts';

/** Most recipes that are listed of a delivery, and of a disk. */
const mostRecipes = 50;

/**
 * Renders the plan of a delivery: the recipes, then the disks.
 *
 * @param options.choice value of `--base`
 * @param options.folders the named folders, each of a disk. Default: those of the plan
 */
export function renderWriting(
  {
    delivery,
    recipes,
    blocked = [],
    lacking = [],
    refused = [],
    totals,
    volumes,
    program,
    unknownRoots,
    checks,
  }: MediumWriting,
  {
    language,
    choice,
    folders = [],
  }: { readonly language: Language; readonly choice: string; readonly folders?: readonly string[] },
): string {
  const text = speak(language);
  const size = (bytes: number): string => formatByteSize(bytes, language);
  const { id, zone, parts, base } = delivery;
  const source =
    base === undefined
      ? choice === 'none'
        ? text('everything is written', fr`tout est écrit`)
        : text(
            'nothing is known about the zone: everything is written',
            fr`rien n’est connu de la zone : tout est écrit`,
          )
      : base.fork !== undefined || base.lower !== undefined
        ? text('everything is written', fr`tout est écrit`)
        : base.from === 'sent'
          ? text(
              'without what earlier deliveries brought',
              fr`sans ce que des livraisons antérieures ont apporté`,
            )
          : text(
              `without what receipt ${base.sequence} says that the zone has`,
              fr`sans ce que la zone a selon le reçu ${base.sequence}`,
            );
  const missing = lacking.map(({ name, requested, version, error }) => {
    const named = escapeText(version === undefined ? `${name} ${requested}` : `${name}@${version}`);
    const { what } = renderError(fromErrorRecord(error), language);
    return text(
      `  wanted, and not here: ${named}: ${what}`,
      fr`  demandée, et absente d’ici : ${named} : ${what}`,
    );
  });
  const { say } = words[language];
  const leftOut = refused.map(({ name, version, code }) => {
    const named = escapeText(`${name}@${version}`);
    const why = [...(code === undefined ? [] : [code]), say(zones.refusals[refusalOf(code)])].join(': ');
    return text(
      `  refused by the zone, and left out: ${named}: ${why}`,
      fr`  refusée par la zone, et laissée de côté : ${named} : ${why}`,
    );
  });
  if (volumes.length === 0) {
    const none =
      lacking.length + refused.length === 0
        ? text(
            `nothing to write: ${escapeText(zone)} has what its Retriever wants, or a delivery is on its way with it (svc zones ${escapeText(zone)})`,
            fr`rien à écrire : ${escapeText(zone)} a ce que son Retriever demande, ou une livraison l’apporte (svc zones ${escapeText(zone)})`,
          )
        : text(`nothing to write for ${escapeText(zone)}`, fr`rien à écrire pour ${escapeText(zone)}`);
    return `${[none, ...missing, ...leftOut].join('\n')}\n`;
  }
  const lines = [
    text(
      `${id} for ${escapeText(zone)}: ${size(totals.writeBytes)} of ${size(totals.totalBytes)}, ${source}`,
      fr`${id} pour ${escapeText(zone)} : ${size(totals.writeBytes)} sur ${size(totals.totalBytes)}, ${source}`,
    ),
  ];
  for (const { name, version, writeBytes, absentBytes } of recipes.slice(0, mostRecipes))
    lines.push(
      text(
        `  ${escapeText(name)}@${escapeText(version)}: ${size(writeBytes)} to write, ${size(absentBytes)} in the zone`,
        fr`  ${escapeText(name)}@${escapeText(version)} : ${size(writeBytes)} à écrire, ${size(absentBytes)} dans la zone`,
      ),
    );
  if (recipes.length > mostRecipes)
    lines.push(
      text(`  … and ${recipes.length - mostRecipes} more`, fr`  … et ${recipes.length - mostRecipes} autres`),
    );
  for (const { name, version, error } of blocked)
    lines.push(
      text(
        `  blocked: ${escapeText(name)}@${escapeText(version)}: ${renderError(fromErrorRecord(error), language).what}`,
        fr`  bloquée : ${escapeText(name)}@${escapeText(version)} : ${renderError(fromErrorRecord(error), language).what}`,
      ),
    );
  lines.push(...missing, ...leftOut);
  for (const { name, version, refusal } of recipes)
    if (refusal !== undefined) {
      const { what } = renderError(fromErrorRecord(refusal), language);
      lines.push(
        text(
          `  warning: it would not land: ${escapeText(name)}@${escapeText(version)}: ${what}`,
          fr`  avertissement : elle n’arriverait pas : ${escapeText(name)}@${escapeText(version)} : ${what}`,
        ),
      );
    }
  if (unknownRoots.length > 0)
    lines.push(
      text(
        `  unknown here, and carried again: ${count(unknownRoots.length, 'recipe', language)} of the zone`,
        fr`  inconnu ici, et transporté de nouveau : ${count(unknownRoots.length, 'recipe', language)} de la zone`,
      ),
    );
  if (program !== undefined)
    lines.push(
      text(
        `  program: svc ${program.version}, ${count(program.files, 'file', language)}, ${size(program.bytes)} on each part`,
        fr`  programme : svc ${program.version}, ${count(program.files, 'file', language)}, ${size(program.bytes)} sur chaque partie`,
      ),
    );
  const { freeBytes = Number.POSITIVE_INFINITY, fork } = base ?? {};
  if (fork !== undefined)
    lines.push(
      text(
        `  warning: two different receipts of ${escapeText(zone)} have number ${fork.sequence}: ${fork.known}, and ${fork.refused}, which was refused (SVC-RCP-003). Neither counts: everything is written`,
        fr`  avertissement : deux reçus différents de ${escapeText(zone)} portent le numéro ${fork.sequence} : ${fork.known}, et ${fork.refused}, qui a été refusé (SVC-RCP-003). Aucun ne compte : tout est écrit`,
      ),
    );
  if (totals.writeBytes > freeBytes)
    lines.push(
      text(
        `  warning: the zone had ${size(freeBytes)} free, and this needs ${size(totals.writeBytes)}`,
        fr`  avertissement : la zone avait ${size(freeBytes)} libres, et il en faut ${size(totals.writeBytes)}`,
      ),
    );
  for (const { path, warnings, warningRules = [] } of checks)
    for (const [i, warning] of warnings.entries()) {
      const stored = warningRules[i];
      const said = stored === undefined ? warning : sayRule(stored, language);
      lines.push(text(`  warning: ${path}: ${said}`, fr`  avertissement : ${path} : ${said}`));
    }
  for (const { part, path, bytes, volumeBytes, recipes: whole, shares = [], segments } of volumes) {
    const of =
      volumeBytes === undefined ? '' : text(`, for ${size(volumeBytes)}`, fr`, pour ${size(volumeBytes)}`);
    lines.push(
      text(
        `  part ${part} of ${parts}, ${path}: at most ${size(bytes)}${of}`,
        fr`  partie ${part} sur ${parts}, ${path} : au plus ${size(bytes)}${of}`,
      ),
    );
    for (const recipe of whole.slice(0, mostRecipes)) lines.push(`    ${escapeText(recipe)}`);
    if (shares.length > 0) {
      const names = `${shares.slice(0, mostRecipes).map(escapeText).join(', ')}${shares.length > mostRecipes ? ', …' : ''}`;
      lines.push(
        text(
          `    and content of recipes that need other parts too: ${names}`,
          fr`    et du contenu de recettes qui nécessitent aussi d’autres parties : ${names}`,
        ),
      );
    }
    if (segments > 0)
      lines.push(
        text(
          `    and ${count(segments, 'segment', language)} of large files`,
          fr`    et ${count(segments, 'segment', language)} de grands fichiers`,
        ),
      );
  }
  const used = new Set(volumes.map(({ path }) => path));
  for (const folder of folders.filter((one) => !used.has(one)))
    lines.push(text(`  not needed: ${folder}`, fr`  pas nécessaire : ${folder}`));
  return `${lines.join('\n')}\n`;
}

/** Says whether the disk of a part can leave. */
export function renderPart({ part, path, isProved, damaged = [] }: PartOutcome, language: Language): string {
  const text = speak(language);
  const state = isProved
    ? text(`part ${part} is complete: ${path}\n`, fr`la partie ${part} est complète : ${path}\n`)
    : text(
        `part ${part} is written, and not proved: ${path}\n`,
        fr`la partie ${part} est écrite, mais n’est pas prouvée : ${path}\n`,
      );
  const [first] = damaged;
  if (first === undefined) return state;
  const files = `${first}${damaged.length > 1 ? ', …' : ''}`;
  const changed = text(
    `  the disk had lost or changed it (${files}), and it is written again: the disk may be failing\n`,
    fr`  le disque l’avait perdue ou modifiée (${files}), et elle est réécrite : il est peut-être défaillant\n`,
  );
  return `${state}${changed}`;
}

/** Says what the proof found, and which disks have no passport. */
export function renderOutcome(
  { delivery, blocked, lacking, proof, volumes }: MediumWriting,
  language: Language,
): string {
  const text = speak(language);
  const { ok = false, findings = [], readBack = true } = proof ?? {};
  // recipes that no disk has are not proved
  const isPartial = blocked !== undefined || lacking !== undefined;
  const landed = isPartial
    ? text(
        'proved: every recipe of the disks would land in the zone',
        fr`prouvé : chaque recette des disques arriverait dans la zone`,
      )
    : text(
        'proved: every recipe would land in the zone',
        fr`prouvé : chaque recette arriverait dans la zone`,
      );
  const conditions = [
    ...(delivery.base?.from === 'sent'
      ? [
          text(
            'once all deliveries before it have arrived',
            fr`une fois arrivées toutes les livraisons précédentes`,
          ),
        ]
      : []),
    ...(mayBeRefused(findings)
      ? [
          text(
            'unless its registry refuses content that a warning names',
            fr`à moins que son registre ne refuse un contenu qu’un avertissement nomme`,
          ),
        ]
      : []),
  ];
  const lines = [
    ok
      ? [landed, ...conditions].join(', ')
      : text(
          'not proved; svc media prove DIR lists more',
          fr`non prouvé ; svc media prove DIR en liste plus`,
        ),
  ];
  if (!readBack)
    lines.push(
      text(
        'large files were not read back from their disk; svc media prove DIR reads them',
        fr`les grands fichiers n’ont pas été relus sur leur disque ; svc media prove DIR les lit`,
      ),
    );
  const without = volumes.filter(({ passport }) => passport === false).map(({ part }) => part);
  if (without.length > 0)
    lines.push(
      text(
        `without a passport: ${formatList(without, 'part …/parts …', language)}`,
        fr`sans passeport : ${formatList(without, 'partie …/parties …', language)}`,
      ),
    );
  return `${renderFindings(findings, language)}${lines.join('\n')}\n`;
}
