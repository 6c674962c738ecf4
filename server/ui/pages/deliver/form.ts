import type { MediumWriting } from '../../../../src/contract/write-medium.ts';
import type { ZoneBoard } from '../../../../src/contract/zone-board.ts';
import { plan } from '../../../../src/text/words/delivering/plan.ts';
import type { KnownZone } from '../../../views/delivering.ts';
import { hasZones } from '../../../views/zones.ts';
import { attr, type Html, html } from '../../html.ts';
import { checkbox, selectField, submit, textArea, textField } from '../../parts/form.ts';
import { untrusted } from '../../parts/text.ts';
import type { PageCall } from '../../ui-route.ts';
import { standingWords } from '../zones/cells.ts';
import { type Asked, type DiskKind, disks } from './asked.ts';
import { usedBase } from './result.ts';

/** A zone with its board, where that is known. */
export interface ChosenZone extends KnownZone {
  readonly board?: ZoneBoard | undefined;
}

function zoneField(call: PageCall, { zone }: Asked, zones: readonly ChosenZone[]): Html {
  const { say, format } = call.words;
  const label = say(plan.zone);
  if (zones.length === 0) return textField(call, { name: 'zone', label, value: zone, required: true });
  const known = zones.map(({ name, receipt, board }): readonly [string, string] => [
    name,
    board !== undefined
      ? say(plan.zoneState, { zone: name, state: standingWords(call.words, board) })
      : receipt === undefined
        ? say(plan.zoneBare, { zone: name })
        : say(plan.zoneReceipt, {
            zone: name,
            sequence: receipt.sequence,
            time: format.day(receipt.issuedAt),
          }),
  ]);
  return selectField(call, { name: 'zone', label, value: zone, options: known });
}

/** The form that shows a plan. It is a GET form: each plan has an address of its own. */
export function planForm(call: PageCall, asked: Asked, zones: readonly ChosenZone[]): Html {
  const { say } = call.words;
  const { base, recipes, wanted, disk, size, fat32, mounted } = asked;
  const bases = (['latest', 'sent', 'none'] as const).map((each) => [each, say(plan[each])] as const);
  const kinds = (Object.keys(disks) as DiskKind[]).map((each) => [each, say(plan[each])] as const);
  const recipeField = textArea(call, {
    name: 'recipes',
    about: call.posted?.wrong.has('recipe') ? 'recipe' : 'recipes',
    label: say(plan.recipes),
    hint: say(plan.recipesHint),
    value: recipes.join('\n'),
    rows: 3,
  });
  return html`<form class="form form-row" method="get" action="/deliver">
${zoneField(call, asked, zones)}
${selectField(call, { name: 'base', label: say(plan.base), value: base, options: bases })}
${selectField(call, { name: 'disk', label: say(plan.disk), value: disk, options: kinds })}
${hasZones(call) ? checkbox(call, { name: 'wanted', label: say(plan.wantedOnly), checked: wanted }) : ''}
<details class="fold" ${attr('open', disk === 'own' || disk === 'mounted' || size !== '' || recipes.length > 0)}><summary>${say(plan.others)}</summary>
${textField(call, { name: 'size', label: say(plan.size), hint: say(plan.sizeHint), value: size })}
${checkbox(call, { name: 'fat32', label: say(plan.fat32), checked: fat32 })}
${textArea(call, { name: 'mounted', about: call.posted?.wrong.has('folder') ? 'folder' : 'mounted', label: say(plan.folders), hint: say(plan.mountedHint), value: mounted.join('\n'), rows: 3 })}
${recipeField}</details>
${submit(say(plan.show), { working: say(plan.showing) })}
</form>`;
}

/** The form in one line, with the choices of the plan below it. */
export function foldedForm(
  call: PageCall,
  asked: Asked,
  { zones, made }: { readonly zones: readonly ChosenZone[]; readonly made: MediumWriting },
): Html {
  const { say } = call.words;
  const { zone, base, disk } = asked;
  const line = say(plan.asked, { zone, base: say(plan[usedBase(base, made)]), disk: say(plan[disk]) });
  const isWrong = ['zone', 'base', 'recipes'].some((name) => call.posted?.wrong.has(name));
  return html`<details class="fold" ${attr('open', isWrong)}><summary>${untrusted(line)} · ${say(plan.change)}</summary>${planForm(call, asked, zones)}</details>`;
}
