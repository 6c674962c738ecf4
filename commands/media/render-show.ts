import { systemClock } from '../../src/base/clock.ts';
import { fr, speak } from '../../src/text/language.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { words } from '../../src/text/words/words.ts';
import type { MediumView } from '../../src/view/medium.ts';
import { renderTable } from '../cli/print.ts';
import { count, renderOmitted } from '../render/count.ts';
import { renderFacts } from '../render/facts.ts';
import type { RenderOptions } from '../render/options.ts';
import { toShellWord } from '../render/shell-word.ts';
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
  const { age } = words[language].format;
  const size = (bytes: number): string => formatByteSize(bytes, language);
  const facts = renderFacts(
    [
      [text('Medium', fr`Support`), medium.mediaId],
      [text('Folder', fr`Dossier`), folder],
      [text('Zone', fr`Zone`), medium.zone],
      [
        text('Resolved', fr`Résolu`),
        `${toTime(medium.resolvedAt, language)} (${age(medium.resolvedAt, systemClock.wall())})`,
      ],
      [text('Written', fr`Écrit`), toTime(medium.writtenAt, language)],
      [
        text('Produced by', fr`Produit par`),
        text(
          `svc ${medium.producedBy.version}, run ${medium.producedBy.runId}`,
          fr`svc ${medium.producedBy.version}, exécution ${medium.producedBy.runId}`,
        ),
      ],
      ...(medium.delivery === undefined
        ? []
        : [
            [
              text('Delivery', fr`Livraison`),
              text(
                `${medium.delivery.id}, part ${medium.delivery.part} of ${medium.delivery.parts}`,
                fr`${medium.delivery.id}, partie ${medium.delivery.part} sur ${medium.delivery.parts}`,
              ),
            ] as const,
          ]),
      ...(medium.base === undefined
        ? []
        : [
            [
              text('Needs', fr`Nécessite`),
              text(
                `the content of receipt ${medium.base.sequence} of zone ${medium.base.zone}`,
                fr`le contenu du reçu ${medium.base.sequence} de la zone ${medium.base.zone}`,
              ),
            ] as const,
          ]),
      [text('Content', fr`Contenu`), `${count(medium.files, 'file', language)}, ${size(medium.bytes)}`],
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
    `  svc media verify --storage-root ${toShellWord(folder)} --config FILE\n`,
  ].join('');
}
