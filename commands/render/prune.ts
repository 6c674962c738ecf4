import type { PruneItem } from '../../src/contract/common.ts';
import type { Task } from '../../src/contract/task.ts';
import type { PruneProjection } from '../../src/operation/prune-preview.ts';
import { isSingular } from '../../src/text/amount.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, speak } from '../../src/text/language.ts';
import { renderError } from '../../src/text/message.ts';
import { formatByteSize } from '../../src/text/size.ts';
import { renderTable } from '../cli/print.ts';
import { count as countNoun, renderOmitted } from './count.ts';
import type { RenderOptions } from './options.ts';

/** Maximum number of tags in the text output; the JSON document lists all. */
const shownItems = 50;

function renderMore(count: number, language: Language): string {
  return count > shownItems ? `  ${renderOmitted(count - shownItems, language)}\n` : '';
}

/** Renders the digest that a tag points at again when the recipe that moved it is pruned. */
function renderRestored(digest: string | undefined, language: Language): string {
  if (digest === undefined) return '';
  return speak(language)(
    `; the tag then names ${digest} again`,
    fr` ; l’étiquette désigne alors de nouveau ${digest}`,
  );
}

/** Renders the tags that a prune would remove, one per line. */
export function renderPruneItems(items: readonly PruneItem[], { language, width }: RenderOptions): string {
  const text = speak(language);
  const rows = items
    .slice(0, shownItems)
    .map(({ repository, tag, recipe, sizeBytes, restored }) => [
      `  ${repository}:${tag}`,
      formatByteSize(sizeBytes, language),
      `${text('from', fr`de`)} ${recipe}${renderRestored(restored, language)}`,
    ]);
  const headings = [text('  CONTENT', fr`  CONTENU`), text('SIZE', fr`TAILLE`), text('RECIPE', fr`RECETTE`)];
  return `${renderTable(headings, rows, width)}${renderMore(items.length, language)}`;
}

/** Renders the head of a list of tags that a prune removes. @param isSure whether it certainly removes them */
export function renderPruneHead(
  count: number,
  totalBytes: number,
  isSure: boolean,
  language: Language,
): string {
  const tags = countNoun(count, 'tag', language);
  const size = formatByteSize(totalBytes, language);
  const plural = isSingular(count, language) ? '' : 's';
  const verb = isSure
    ? isSingular(count, language)
      ? 'sera'
      : 'seront'
    : isSingular(count, language)
      ? 'serait'
      : 'seraient';
  return speak(language)(
    `${tags} ${isSure ? 'will' : 'would'} be removed, ${size}`,
    fr`${tags} ${verb} supprimée${plural}, ${size}`,
  );
}

/**
 * Renders the content that a sync triggered without `--prune` will remove; empty when it removes nothing.
 *
 * @param prunes whether the task prunes: without a list the default of mirror mode does not
 */
export function renderProjection(
  projection: PruneProjection,
  prunes: boolean,
  options: RenderOptions,
): string {
  const { language } = options;
  const text = speak(language);
  if ('error' in projection) {
    const { code } = projection.error;
    const { what } = renderError(projection.error, language);
    const head = prunes
      ? text(
          'Prune: on by default; the tags it will remove could not be determined: ',
          fr`Élagage : actif par défaut ; les étiquettes à supprimer n’ont pas pu être déterminées : `,
        )
      : text(
          'Prune: nothing will be removed, because the tags could not be determined (--prune removes them without a list): ',
          fr`Élagage : rien ne sera supprimé, car les étiquettes n’ont pas pu être déterminées (--prune les supprime sans liste) : `,
        );
    return `${head}${code} ${what}\n`;
  }
  const { items, count, totalBytes, lowered = [] } = projection;
  const names = lowered
    .map(({ name, resolved, here }) => escapeText(`${name} ${resolved} < ${here}`))
    .join(', ');
  const left =
    lowered.length === 0
      ? ''
      : text(
          `Prune: left out, because the source offers a lower version than is here: ${names}\n`,
          fr`Élagage : laissées de côté, parce que la source propose une version inférieure à la version présente : ${names}\n`,
        );
  if (count === 0) return left;
  const removed = renderPruneHead(count, totalBytes, true, language);
  const head = text(
    `Prune: on by default, ${removed} (pass --prune=false to keep them)`,
    fr`Élagage : actif par défaut, ${removed} (passez --prune=false pour les conserver)`,
  );
  return `${left}${head}\n${renderPruneItems(items, options)}`;
}

/** Renders the tags that a task removed, one per line; empty when there were none. */
export function renderPruned({ pruned = [] }: Task, language: Language): string {
  const text = speak(language);
  const lines = pruned.slice(0, shownItems).map(({ repository, tag, digest, recipe, restored }) => {
    const name = escapeText(`${repository}:${tag}`);
    const owner = escapeText(recipe);
    const line = text(`pruned ${name} ${digest} of ${owner}`, fr`élagué ${name} ${digest} de ${owner}`);
    return `  ${line}${renderRestored(restored, language)}\n`;
  });
  return lines.join('') + renderMore(pruned.length, language);
}
