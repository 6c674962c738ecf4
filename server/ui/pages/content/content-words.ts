import type { Provenance } from '../../../../src/contract/common.ts';
import type { ContentKind } from '../../../../src/oci/kind.ts';
import { content } from '../../../../src/text/words/content.ts';
import type { Sentence, Words } from '../../../../src/text/words/words.ts';
import type { Voucher } from '../../../views/find/find-voucher.ts';
import { type Html, html } from '../../html.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';

/** Platforms of one version in a row of a list; the page of the version has all. */
export const mostPlatforms = 12;

export const kindWords: Readonly<Record<ContentKind, Sentence>> = {
  ContainerImage: content.ContainerImage,
  HelmChart: content.HelmChart,
  OCIArtifact: content.OCIArtifact,
  FileSet: content.FileSet,
  Recipe: content.Recipe,
};

const isKind = (kind: string): kind is ContentKind => Object.hasOwn(kindWords, kind);

/** The kind of content, as a word with a coloured edge; a kind that is not ours as it is written. */
export function kindBadge({ say }: Words, kind: string): Html {
  if (!isKind(kind)) return untrusted(kind);
  return html`<span class="kind kind-${kind.toLowerCase()}">${say(kindWords[kind])}</span>`;
}

/** How content came into the store: `recipe, import`. */
export function provenanceText({ say }: Words, provenance: readonly Provenance[]): string {
  return provenance.map((each) => say(content[each])).join(', ');
}

/** The recipe whose signature covers content, as a link. @param lead words before its name */
export function voucherLine({ say }: Words, voucher: Voucher, lead: Sentence = content.namedBy): Html {
  const { name, version, cookbook, signer } = voucher;
  const to = toPath('/recipes/-/{name}', { name }, { version, cookbook });
  return html`<span>${say(lead)} <a href="${to}">${untrusted(`${name} ${version}`)}</a>${untrusted(say(content.namedBySigner, { signer }))}</span>`;
}

/** Links to the recipes that own content. @param recipes as `<name>@<version>` */
export function recipeLinks(recipes: readonly string[]): Html {
  return html`<ul class="inline-list">${recipes.map((each) => {
    const at = each.lastIndexOf('@');
    const name = each.slice(0, at < 0 ? undefined : at);
    const version = at < 0 ? undefined : each.slice(at + 1);
    return html`<li><a href="${toPath('/recipes/-/{name}', { name }, { version })}">${untrusted(each)}</a></li>`;
  })}</ul>`;
}

/** The folders of a repository, as the way to it. */
export function folderCrumbs(words: Words, path: string): readonly (readonly [text: string, path: string])[] {
  const segments = path.split('/');
  return [
    [words.say(content.title), '/content'],
    ...segments
      .slice(0, -1)
      .map(
        (segment, i) =>
          [segment, toPath('/content', {}, { prefix: segments.slice(0, i + 1).join('/') })] as const,
      ),
  ];
}
