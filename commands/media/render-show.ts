import { systemClock } from '../../src/base/clock.ts';
import type { NoMember } from '../../src/contract/operation.ts';
import { fr, speak } from '../../src/text/language.ts';
import { toShellWord } from '../../src/text/shell-word.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { words } from '../../src/text/words/words.ts';
import type { MediumView } from '../../src/view/medium.ts';
import { renderTable } from '../cli/print.ts';
import { count, renderOmitted } from '../render/count.ts';
import { renderFacts } from '../render/facts.ts';
import type { RenderOptions } from '../render/options.ts';
import { toTime } from '../render/time.ts';
import { wrap } from '../render/wrap.ts';

/** Most recipes in the text output; the JSON document has all. */
const mostRecipes = 100;
/** Widest line of prose. */
const widest = 100;

/** Renders the claims of a medium, and that nothing of it is verified. */
export function renderMedium(view: MediumView, { language, width }: RenderOptions): string {
  const text = speak(language);
  const { folder, medium, recipes, otherRecipes, volume } = view;
  const { mediaId, zone, resolvedAt, writtenAt, producedBy, delivery, base, files, bytes, ...others } =
    medium;
  // numbers of formats are for programs
  const { program, mediaFormat, storeFormat, ...unnamed } = others;
  unnamed satisfies NoMember;
  const { age } = words[language].format;
  const size = (n: number): string => formatByteSize(n, language);
  const facts = renderFacts(
    [
      [text('Medium', fr`Support`), mediaId],
      [text('Folder', fr`Dossier`), folder],
      [text('Zone', fr`Zone`), zone],
      [
        text('Resolved', fr`Résolu`),
        `${toTime(resolvedAt, language)} (${age(resolvedAt, systemClock.wall())})`,
      ],
      [text('Written', fr`Écrit`), toTime(writtenAt, language)],
      [
        text('Produced by', fr`Produit par`),
        text(
          `svc ${producedBy.version}, run ${producedBy.runId}`,
          fr`svc ${producedBy.version}, exécution ${producedBy.runId}`,
        ),
      ],
      ...(delivery === undefined
        ? []
        : [
            [
              text('Delivery', fr`Livraison`),
              text(
                `${delivery.id}, part ${delivery.part} of ${delivery.parts}`,
                fr`${delivery.id}, partie ${delivery.part} sur ${delivery.parts}`,
              ),
            ] as const,
          ]),
      ...(base === undefined
        ? []
        : [
            [
              text('Needs', fr`Nécessite`),
              text(
                `the content of receipt ${base.sequence} of zone ${base.zone}`,
                fr`le contenu du reçu ${base.sequence} de la zone ${base.zone}`,
              ),
            ] as const,
          ]),
      [text('Content', fr`Contenu`), `${count(files, 'file', language)}, ${size(bytes)}`],
      ...(program === undefined
        ? []
        : [
            [
              text('Program', fr`Programme`),
              `svc ${program.version}, ${count(program.files, 'file', language)}, ${size(program.bytes)}`,
            ] as const,
          ]),
      [
        text('Recipes', fr`Recettes`),
        otherRecipes === 0
          ? String(recipes.length)
          : text(
              `${recipes.length}, and ${otherRecipes} that are not part of the delivery`,
              fr`${recipes.length}, et ${otherRecipes} hors de la livraison`,
            ),
      ],
      ...(volume === undefined
        ? []
        : [
            [
              text('Volume', fr`Volume`),
              text(
                `${volume.filesystem}, ${size(volume.freeBytes)} free of ${size(volume.totalBytes)}`,
                fr`${volume.filesystem}, ${size(volume.freeBytes)} libres sur ${size(volume.totalBytes)}`,
              ),
            ] as const,
          ]),
    ],
    width,
  );
  const rows = recipes
    .slice(0, mostRecipes)
    .map(({ name, version, repository }) => [name, version, repository]);
  const headings = [text('RECIPE', fr`RECETTE`), text('VERSION', fr`VERSION`), text('REPOSITORY', fr`DÉPÔT`)];
  const omitted = recipes.length - mostRecipes;
  const note = text(
    'The medium claims this itself; nothing of it is verified yet. To verify it, with the configuration that names the zone and its trust roots:',
    fr`Le support l’affirme lui-même ; rien n’en est encore vérifié. Pour le vérifier, avec la configuration qui nomme la zone et ses racines de confiance :`,
  );
  return [
    facts,
    rows.length === 0 ? '' : `\n${renderTable(headings, rows, width)}`,
    omitted > 0 ? `${renderOmitted(omitted, language)}\n` : '',
    `\n${wrap(note, Math.min(width, widest)).join('\n')}\n`,
    `  svc media verify --storage-root ${toShellWord(folder)} --config ${text('FILE', fr`FICHIER`)}\n`,
  ].join('');
}
