import { custodyLimits } from '../../../../src/contract/custody.ts';
import type { MediumBlock, MediumReport } from '../../../../src/contract/medium.ts';
import { media } from '../../../../src/text/words/media.ts';
import type { Sentence } from '../../../../src/text/words/words.ts';
import { isOvertaken } from '../../../views/media.ts';
import { describeRetriever } from '../../../views/retriever.ts';
import { type Html, html } from '../../html.ts';
import { checkbox, form, submit, textField } from '../../parts/form.ts';
import type { PageCall } from '../../ui-route.ts';

/** The member of a request that waives a guard, and its label. */
export const waivers: Readonly<Record<string, readonly [member: string, label: Sentence]>> = {
  'SVC-MED-006': ['allowZoneMismatch', media.allowZoneMismatch],
  'SVC-MED-007': ['allowStale', media.allowStale],
};

/** The button that begins a verification. It continues when the page is closed. */
export function verifyForm({ words: { say } }: PageCall, text: Sentence, kind: 'primary' | 'plain'): Html {
  return form(
    '/media/verify',
    html`<input type="hidden" name="wait" value="false">${submit(say(text), { kind, working: say(media.verifying) })}`,
  );
}

/** Ends the verification; that of an import ends with its task. */
export function cancelForm({ words: { say }, tasks }: PageCall): Html | string {
  const isOfTask = tasks.listHeads({ type: 'media-import', status: 'running', pageSize: 1 }).total > 0;
  return isOfTask
    ? ''
    : form(
        '/media/verify/cancel',
        submit(say(media.cancel), { kind: 'plain', working: say(media.cancelling) }),
      );
}

/** Reason of a waiver, for readers of the records. */
const reasonField = (call: PageCall, id = 'reason'): Html =>
  textField(call, {
    name: 'reason',
    id,
    label: call.words.say(media.waiverReason),
    hint: call.words.say(media.waiverReasonHint, { most: custodyLimits.reason }),
  });

/** The waiver of one guard, under that guard: for administrators only; the text says that it is recorded. */
export function waiverForm(call: PageCall, block: MediumBlock): Html | string {
  const { say } = call.words;
  const waiver = waivers[block.code];
  if (waiver === undefined || !block.waivable || block.waived) return '';
  if (!call.can('admin')) return html`<p class="hint">${say(media.waiverAdmin)}</p>`;
  const [name, label] = waiver;
  return form(
    '/media/verify',
    html`<input type="hidden" name="wait" value="false">${checkbox(call, { name, label: say(label), hint: say(media.waiverHint), required: true })}${reasonField(call, `reason-${name}`)}
${submit(say(media.waive), { kind: 'danger', working: say(media.verifying) })}`,
  );
}

/**
 * The form that imports the recipes that passed; with a waived guard an administrator waives it again.
 *
 * @param options `isSettled`, whether the import would bring nothing, or was made; `isImported`, whether the medium was imported
 */
export function importForm(
  call: PageCall,
  report: MediumReport,
  { isSettled, isImported }: { readonly isSettled: boolean; readonly isImported: boolean },
): Html | string {
  const { blocks, recipes } = report;
  const { say } = call.words;
  // configured and unused hosts are for administrators only
  const { destination } = describeRetriever(call);
  const isBlocked = blocks.some(({ waived }) => !waived) || isOvertaken(report);
  if (isBlocked || !recipes.some(({ pushable }) => pushable)) return '';
  if (destination === undefined) return html`<p class="hint">${say(media.noDestination)}</p>`;
  const waived = blocks.flatMap(({ code, waived: isWaived }) =>
    isWaived ? (waivers[code] ? [waivers[code]] : []) : [],
  );
  if (waived.length > 0 && !call.can('admin')) return html`<p class="hint">${say(media.importAdmin)}</p>`;
  const boxes =
    waived.length === 0
      ? ''
      : html`<p>${say(media.importWaiver)}</p>${waived.map(([name, label]) => checkbox(call, { name, label: say(label), hint: say(media.waiverHint), required: true }))}${reasonField(call)}`;
  // where all passed, nothing is said of blocked recipes
  const blocked = recipes.some(({ pushable }) => !pushable) ? 'yes' : undefined;
  const text = isImported
    ? say(media.importAgain)
    : blocked === undefined
      ? say(media.importAll, { count: recipes.length })
      : say(media.import);
  const kind = isSettled ? 'plain' : 'primary';
  const registry = call.can('admin') ? destination : undefined;
  return form(
    '/media/import',
    html`${boxes}${submit(text, { kind, working: say(media.importing) })}<p class="hint">${say(media.importHint, { registry, blocked })}</p>`,
  );
}
