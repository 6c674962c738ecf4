import type { StoreCheckReport } from '../../src/contract/store.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, type Sentence, say, speak } from '../../src/text/language.ts';
import { count, renderOmitted } from '../render/count.ts';

type Repair = NonNullable<StoreCheckReport['repair']>;

/** Maximum number of tags of each list in the text report; the JSON report lists more. */
const shownTags = 20;

/** Evidence for a tag whose record was lost. */
const origins: Readonly<Record<Repair['tags'][number]['from'], Sentence>> = {
  recipes: ['named by its recipe', fr`nommée par sa recette`],
  index: ['named by the last index.json', fr`nommée par le dernier index.json`],
  manifests: ['no name found: listed under its digest', fr`aucun nom trouvé : listée sous son empreinte`],
};

/** Renders the restored and the lost content of a repair; empty when nothing was repaired. */
export function renderRepair(repair: StoreCheckReport['repair'], language: Language): string {
  if (repair === undefined) return '';
  const { lost, tags, tagsMore = 0, gone, goneMore = 0, held } = repair;
  const text = speak(language);
  const manifests = count(repair.manifests, 'manifest', language);
  const restored = count(tags.length + tagsMore, 'tag', language);
  const how = held
    ? text(
        ', held until a verified recipe reaches them',
        fr`, retenues jusqu’à ce qu’une recette vérifiée les atteigne`,
      )
    : '';
  return [
    text(
      `repaired  ${manifests} and ${restored} restored${how}`,
      fr`réparé    ${manifests} et ${restored} rétablis${how}`,
    ),
    ...renderTags(tags, tagsMore, (from) => say(origins[from], language), language),
    ...lost.map(({ path, offset, bytes }) =>
      offset === 0
        ? text(`lost      all of ${path}`, fr`perdu     ${path} en entier`)
        : text(
            `lost      ${bytes} bytes of ${path} from byte ${offset}`,
            fr`perdu     ${bytes} octets de ${path} à partir de l’octet ${offset}`,
          ),
    ),
    ...renderTags(
      gone,
      goneMore,
      (from) => {
        const origin = say(origins[from], language);
        return text(`lost: ${origin}, not on the disk`, fr`perdue : ${origin}, absente du disque`);
      },
      language,
    ),
    '',
  ].join('\n');
}

function renderTags(
  tags: Repair['tags'],
  omitted: number,
  describe: (from: Repair['tags'][number]['from']) => string,
  language: Language,
): string[] {
  const more = tags.length + omitted - shownTags;
  return [
    ...tags
      .slice(0, shownTags)
      .map(({ repository, tag, from }) => `  ${escapeText(`${repository}:${tag}`)}  (${describe(from)})`),
    ...(more > 0 ? [`  ${renderOmitted(more, language)}`] : []),
  ];
}
