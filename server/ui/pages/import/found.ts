import { fingerprintTag } from '../../../../src/catalog/shown-tag.ts';
import type { ContentStatus } from '../../../../src/contract/common.ts';
import type { InspectedPlatform, Inspection } from '../../../../src/contract/content.ts';
import { anyPlatform } from '../../../../src/engine/import/model.ts';
import { imports } from '../../../../src/text/words/imports.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { noteField } from '../../faults.ts';
import { attr, type Html, html } from '../../html.ts';
import { type BadgeKind, badge } from '../../parts/badge.ts';
import { copyable } from '../../parts/copy.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { checkbox, faultOf, form, submit } from '../../parts/form.ts';
import { facts, table } from '../../parts/table.ts';
import { code, untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';
import { kindBadge } from '../content/content-words.ts';

/** Set in the form that follows an inspection. */
export const inspectedField = '_inspected';

const statuses: Readonly<Record<ContentStatus, readonly [kind: BadgeKind, text: Sentence]>> = {
  new: ['ok', imports.new],
  outdated: ['warn', imports.outdated],
  'up-to-date': ['ok', imports.upToDate],
};
const layouts: Readonly<Record<Inspection['signatures'][number]['layout'], Sentence>> = {
  classic: imports.classic,
  bundle: imports.bundle,
  provenance: imports.provenance,
};

function factsOf({ words }: PageCall, inspection: Inspection): Html {
  const { say } = words;
  const { reference, effective, repository, tag, kind, digest, mediaType, signatures } = inspection;
  return facts([
    [say(imports.resolved), code(reference)],
    ...(effective === undefined ? [] : [[say(imports.effective), code(effective)] as const]),
    [say(imports.local), code(`${repository}:${tag}`)],
    [say(imports.kind), kindBadge(words, kind)],
    [say(imports.mediaType), code(mediaType)],
    [say(imports.digest), copyable(words, digest, say(imports.digest))],
    [
      say(imports.signatures),
      signatures.length === 0
        ? html`<span class="muted">${say(imports.noSignatures)}</span>`
        : html`<ul class="plain-list">${signatures.map((each) => html`<li>${say(layouts[each.layout])} ${code(each.digest)}</li>`)}</ul>`,
    ],
  ]);
}

/** Whether a platform is chosen at once: it replaces an imported one, or is the only one. */
const isChosen = ({ status }: InspectedPlatform, isOnly: boolean): boolean => isOnly || status === 'outdated';

/** Platforms that a page lists; the API takes the others too. */
const mostListed = 200;

const order: readonly ContentStatus[] = ['outdated', 'new', 'up-to-date'];

/** The platforms that are listed: where there are too many, those that an import would change. */
function listed(platforms: Inspection['platforms']): Inspection['platforms'] {
  if (platforms.length <= mostListed) return platforms;
  return [...platforms]
    .sort((a, b) => order.indexOf(a.status) - order.indexOf(b.status))
    .slice(0, mostListed);
}

/** The body that imports the platforms that the form has chosen at once; all listed ones where it has chosen none. */
export function toImportBody({ reference, platforms: all }: Inspection): string {
  const platforms = listed(all);
  const chosen = platforms.filter((each) => isChosen(each, platforms.length === 1));
  const asked = chosen.length === 0 ? platforms : chosen;
  return JSON.stringify({ reference, platforms: asked.map(({ name, digest }) => ({ name, digest })) });
}

/** One choice: its value is the member of the request, as JSON. */
function choice(
  { words: { say, format } }: PageCall,
  platform: InspectedPlatform,
  { isOnly, isWrong }: { readonly isOnly: boolean; readonly isWrong: boolean },
  index: number,
): Html {
  const { name, digest, sizeBytes, status } = platform;
  const [kind, text] = statuses[status];
  const id = `platform-${index}`;
  const isOn = isChosen(platform, isOnly);
  return html`<li class="choice-row"><input type="checkbox" id="${id}" name="platforms" value="${JSON.stringify({ name, digest })}" ${attr('checked', isOn)} ${attr('aria-invalid', isWrong && 'true')}><div><label for="${id}">${name === anyPlatform ? say(imports.any) : untrusted(name)}</label> ${badge(kind, say(text))}
<div class="item-digest muted">${format.size(sizeBytes)} · ${code(digest)}</div></div></li>`;
}

function dependencyTable(
  { words: { say } }: PageCall,
  dependencies: NonNullable<Inspection['dependencies']>,
): Html | string {
  if (dependencies.length === 0) return '';
  return html`<h2>${say(imports.dependencies)}</h2>${table<(typeof dependencies)[number]>({
    caption: say(imports.dependencies),
    empty: '',
    compact: true,
    rows: dependencies,
    columns: [
      { label: say(imports.dependency), isHeader: true, cell: ({ name }) => untrusted(name) },
      { label: say(imports.version), cell: ({ version = '' }) => untrusted(version) },
      { label: say(imports.repository), cell: ({ repository = '' }) => code(repository) },
      { label: say(imports.embedded), cell: ({ embedded }) => say(embedded ? imports.yes : imports.no) },
    ],
  })}`;
}

/** The result of an inspection, with the form that imports it. */
export function foundBlock(call: PageCall, inspection: Inspection): Html {
  const { say } = call.words;
  const { platforms: all, dependencies = [], reference } = inspection;
  const platforms = listed(all);
  const isCut = platforms.length < all.length;
  const isMissing = dependencies.some(({ embedded }) => !embedded);
  const vendor = isMissing
    ? checkbox(call, {
        name: 'vendorDependencies',
        label: say(imports.vendor),
        hint: say(imports.vendorHint),
      })
    : '';
  const label = say(imports.platforms);
  const fault = faultOf(call, { name: 'platforms' });
  noteField(call.posted, 'platforms', {
    label,
    id: 'field-platforms',
    given: call.posted?.fields.get('platforms'),
  });
  const fields = html`<input type="hidden" name="reference" value="${reference}"><input type="hidden" name="${inspectedField}" value="true">${fingerprintField(fingerprintTag(call.store.index, inspection))}<fieldset class="choices" id="field-platforms" tabindex="-1" ${attr('aria-describedby', fault === '' ? undefined : 'error-platforms')}><legend>${label}</legend>${isCut ? html`<p class="hint">${say(imports.cut, { shown: platforms.length, all: all.length })}</p>` : ''}<ul class="plain-list">${platforms.map((platform, index) => choice(call, platform, { isOnly: platforms.length === 1, isWrong: fault !== '' }, index))}</ul>${fault}</fieldset>
${vendor}<div>${submit(say(imports.import), { working: say(imports.importing) })}<p class="hint">${say(imports.importHint)}</p></div>`;
  return html`<h2>${say(imports.found)}</h2>${factsOf(call, inspection)}${dependencyTable(call, dependencies)}${form('/import', fields)}`;
}
