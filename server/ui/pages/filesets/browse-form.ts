import { listFilesetFiles } from '../../../../src/contract/operations/filesets.ts';
import { filesetFiles } from '../../../../src/text/words/serving/fileset-files.ts';
import { type Html, html } from '../../html.ts';
import { icon } from '../../parts/icons.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';

interface Place {
  readonly repo: string;
  readonly tag: string;
}

/** The address of a folder of a version. @param folder as addresses have it; the root without it */
export const toFolder = ({ repo, tag }: Place, folder?: string, platform?: string): string =>
  toPath(listFilesetFiles.path, { repo, tag }, { folder, platform });

/**
 * Leads to the files of a version, and straight to those with a name.
 *
 * @param name by which the page tells it from others
 */
export function browseForm({ words: { say } }: PageCall, place: Place, name: string): Html {
  const path = toFolder(place);
  return html`<form class="filters" method="get" action="${path}" role="search" aria-label="${say(filesetFiles.findIn, { name: `${name} ${place.tag}` })}"><a class="button" href="${path}">${icon('filesets')} ${say(filesetFiles.browse)}</a>
<div class="field"><label for="find-${name}">${say(filesetFiles.findFile)}</label><input class="input" id="find-${name}" name="q" type="search" autocomplete="off" spellcheck="false" maxlength="256"></div>
<button class="button button-plain" type="submit">${icon('search')} ${say(filesetFiles.find)}</button></form>`;
}
