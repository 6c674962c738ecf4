import { packEvidence } from '../../../src/contract/operations/evidence.ts';
import { deliveryId } from '../../../src/contract/patterns.ts';
import { evidence } from '../../../src/text/words/delivering/evidence.ts';
import { history } from '../../../src/text/words/history.ts';
import { listLedgerConfirmed } from '../../../src/view/delivered/known-deliveries.ts';
import { type LedgerDelivery, mostDeliveries } from '../../../src/view/delivered/ledger-deliveries.ts';
import { lastPack } from '../../packed-evidence.ts';
import { missingField } from '../faults.ts';
import { attr, type Html, html } from '../html.ts';
import { answer } from '../parts/badge.ts';
import { command, copyable } from '../parts/copy.ts';
import { curlCommand } from '../parts/curl.ts';
import { checkbox, form, selectField, submit, textField } from '../parts/form.ts';
import { maySeeRecords } from '../parts/history-link.ts';
import { terminal } from '../parts/terminal.ts';
import { untrusted } from '../parts/text.ts';
import { fieldOf } from '../read-form.ts';
import { toPath } from '../to-href.ts';
import { action, type Fields, type PageCall, page, type UiRoute } from '../ui-route.ts';
import { readFirst, showChain } from './history/chain.ts';

const path = '/evidence';

const keepsLedger = ({ instance }: PageCall): boolean => instance.context.config.custody.enabled;

/** Leads readers of the history of an instance with a ledger to the pack of a delivery, or to the form. */
export function evidenceButton(call: PageCall, delivery?: string): Html | string {
  if (!maySeeRecords(call) || !keepsLedger(call)) return '';
  return html`<a class="button button-plain" href="${toPath(path, {}, { delivery })}">${call.words.say(evidence.title)}</a>`;
}

/** The same as a line. */
export function evidenceLink(call: PageCall, delivery?: string): Html | string {
  const button = evidenceButton(call, delivery);
  return button === '' ? '' : html`<p>${button}</p>`;
}

/** Deliveries to choose from: the latest. */
const mostListed = 200;

/** Whether the ledger has no line about a delivery. */
const isUnnamed = (known: readonly LedgerDelivery[], asked: string | undefined): boolean =>
  asked !== undefined && known.length < mostDeliveries && known.every(({ id }) => id !== asked);

/**
 * Whether evidence can be packed, and of how many deliveries: not from a ledger without lines, or from a broken one, and not of
 * a delivery that it does not name.
 */
async function answerOf(
  call: PageCall,
  known: readonly LedgerDelivery[],
  asked: string | undefined,
): Promise<Html> {
  const { say } = call.words;
  if (!keepsLedger(call))
    return answer({
      kind: 'plain',
      mark: say(evidence.stampOff),
      what: say(evidence.off),
      step: html`<p class="answer-step"><a class="button button-plain" href="/history">${say(history.title)}</a></p>`,
    });
  const chain = await readFirst(call);
  if (chain === undefined)
    return answer({ kind: 'plain', mark: say(evidence.stampEmpty), what: say(evidence.empty) });
  if (chain.error !== undefined) return showChain(call, chain);
  if (asked !== undefined && isUnnamed(known, asked))
    return answer({
      kind: 'warn',
      mark: say(evidence.stampUnknown),
      what: say(evidence.unknown, { id: asked }),
      step: html`<p class="answer-step"><a class="button button-plain" href="${toPath('/history', {}, { subject: asked })}">${say(history.of, { name: asked })}</a></p>`,
    });
  return answer({
    kind: 'ok',
    mark: say(evidence.stampReady),
    what: say(evidence.ready, { count: known.length }),
  });
}

/** The file that the reader packed last, to compare with the one that was saved. */
function packedText({ words: { say, format }, instance, identity }: PageCall): string {
  const last = lastPack(instance, identity.actor);
  return last === undefined
    ? ''
    : say(evidence.packedStatus, { name: last.name, time: format.time(last.at) });
}

/** The same with its content and digest, the commands that check it, and a button that packs it again. */
function packedBlock({ words, instance, identity }: PageCall): Html {
  const { say, format } = words;
  const last = lastPack(instance, identity.actor);
  if (last === undefined) return html``;
  const { name, size: bytes, at, sha256, scope, withholdActors, content } = last;
  const counted = (['lines', 'recipes', 'receipts', 'signatures'] as const)
    .filter((kind) => content[kind] > 0)
    .map((kind) => say(evidence[kind], { count: content[kind] }));
  const folder = name.replace(/\.tar$/, '');
  const site = instance.context.config.custody.site ?? 'SITE';
  const hidden = { _by: scope.kind, [scope.kind]: scope.value, language: words.language };
  const fields = Object.entries(withholdActors ? { ...hidden, redact: 'actors' } : hidden);
  return html`${answer({
    kind: 'ok',
    mark: say(evidence.stampPacked),
    what: untrusted(say(evidence.packed, { name, bytes })),
    lines: [
      say(evidence.content, {
        content: format.list(withholdActors ? [...counted, say(evidence.withheld)] : counted),
      }),
      html`SHA-256 ${copyable(words, sha256, 'SHA-256')}`,
    ],
    notes: [say(evidence.packedAt, { time: format.time(at) })],
    step: form(
      path,
      html`${fields.map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}
${submit(say(evidence.again), { kind: 'plain' })}<p class="hint">${say(evidence.againHint)}</p>`,
      { downloads: true },
    ),
  })}
<p>${say(evidence.toCheck)}</p>
${command(words, `sha256sum ${name}\ntar -xf ${name}\nsvc evidence verify ${folder} --key release.pub --key ${site}=${site}.pub`)}`;
}

/** What a pack is about: one of three. */
const subjects = ['delivery', 'recipe', 'since'] as const;
const subjectOf = (given: Fields): string | undefined =>
  fieldOf(given, '_by') ?? subjects.find((name) => fieldOf(given, name));
const fields = {
  recipe: { label: 'recipeName', hint: evidence.recipeHint },
  since: { label: 'firstDay', hint: evidence.sinceHint },
} as const;

/** The deliveries of the ledger to choose from; an identifier is typed where it names none. */
function deliveryField(
  call: PageCall,
  { chosen = '', known }: { readonly chosen: string | undefined; readonly known: readonly LedgerDelivery[] },
): Html {
  const { say, format } = call.words;
  const label = say(evidence.deliveryId);
  if (known.length === 0)
    return textField(call, { name: 'delivery', label, hint: say(evidence.deliveryHint), value: chosen });
  const asked = call.field('delivery', chosen);
  const others = asked === '' || known.some(({ id }) => id === asked) ? [] : [[asked, asked] as const];
  const dayOf = (step: { readonly at: string } | undefined): string | undefined =>
    step && format.day(step.at);
  const options = known.slice(0, mostListed).map(({ id, zone, at, parts, written, received, receipt }) => {
    const days = { written: dayOf(written), received: written === undefined ? dayOf(received) : undefined };
    const day = written === undefined && received === undefined ? format.day(at) : undefined;
    const sequence = receipt?.sequence;
    return [id, say(evidence.deliveryOption, { id, zone, parts, ...days, day, sequence })] as const;
  });
  return selectField(call, { name: 'delivery', label, value: chosen, options: [...others, ...options] });
}

function packForm(
  call: PageCall,
  delivery: { readonly chosen: string | undefined; readonly known: readonly LedgerDelivery[] },
): Html {
  const { words } = call;
  const { say } = words;
  const kind = isUnnamed(delivery.known, delivery.chosen) ? 'plain' : 'primary';
  const chosen = call.field('_by', subjects.find((name) => call.field(name, '') !== '') ?? 'delivery');
  return form(
    path,
    html`<input type="hidden" name="language" value="${words.language}">
<fieldset class="picks"><legend>${say(evidence.one)}</legend>
${subjects.map(
  (
    name,
  ) => html`<div class="pick"><label class="check"><input type="radio" name="_by" value="${name}" ${attr('checked', name === chosen)}> ${say(evidence[name])}</label>
${name === 'delivery' ? deliveryField(call, delivery) : textField(call, { name, label: say(evidence[fields[name].label]), hint: say(fields[name].hint) })}</div>`,
)}
</fieldset>
${checkbox(call, { name: 'redact', label: say(evidence.redact), value: 'actors' })}
<div class="buttons">${submit(say(evidence.pack), { kind })}</div>`,
    { downloads: true },
  );
}

export const evidencePages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path,
    floor: packEvidence.floor,
    title: evidence.title,
    query: { delivery: { schema: deliveryId } },
    page: async (call) => {
      const { words, query } = call;
      const { say } = words;
      const known = keepsLedger(call) ? await listLedgerConfirmed(call) : [];
      const subject = { delivery: query.delivery ?? known[0]?.id ?? 'dlv_48d77967b98f' };
      return {
        title: say(evidence.title),
        lead: say(evidence.lead),
        paper: [],
        crumbs: [[say(history.title), '/history']],
        sections: [
          // above an error, nothing is ready
          ...(call.posted?.error === undefined
            ? [{ id: 'verdict', html: await answerOf(call, known, query.delivery) }]
            : []),
          ...(keepsLedger(call)
            ? [
                { id: 'pack', html: packForm(call, { chosen: query.delivery, known }) },
                { id: 'packed', every: 3, status: packedText(call), html: packedBlock(call) },
              ]
            : []),
          {
            id: 'terminal',
            html: terminal(words, [
              `svc evidence pack --delivery ${subject.delivery} --out evidence`,
              `${curlCommand(call, 'POST', packEvidence.path, JSON.stringify(subject))} -OJ`,
            ]),
          },
        ],
      };
    },
  }),
  action(packEvidence, {
    path,
    faulty: { 'SVC-CUS-002': subjectOf, 'SVC-REG-001': 'recipe' },
    page: path,
    // the fields of the other subjects are hidden, and may still have a text
    complete: ({ fields: given }) => {
      const subject = subjectOf(given);
      if (subject !== undefined && !fieldOf(given, subject)) throw missingField(subject);
      const by = fieldOf(given, '_by');
      const others: readonly string[] = by === undefined ? [] : subjects.filter((name) => name !== by);
      return new Map([...given].filter(([name]) => !others.includes(name)));
    },
  }),
];
