import { requireSetting } from '../../../../src/base/require-setting.ts';
import type { Plan } from '../../../../src/contract/plan.ts';
import { sync } from '../../../../src/text/words/sync.ts';
import { showHosts } from '../../../views/network.ts';
import { toPruneFingerprint } from '../../../views/plan.ts';
import { describeRetriever } from '../../../views/retriever.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand, instanceUrl, quoteUrl } from '../../parts/curl.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { checkbox, form, selectField, submit } from '../../parts/form.ts';
import { keptField } from '../../parts/result-field.ts';
import { terminal } from '../../parts/terminal.ts';
import type { Page, PageCall } from '../../ui-route.ts';
import { planSections, startFormId } from './plan.ts';
import { previewForm, syncCommands } from './prune.ts';
import { runningNote, runningText } from './running.ts';
import { saySource } from './source.ts';

/** @param kind the plan comes first; below one, the button works it out again */
function planForm(call: PageCall, kind: 'primary' | 'plain'): Html {
  const { say } = call.words;
  const { destination } = describeRetriever(call);
  const skip =
    destination === undefined
      ? ''
      : checkbox(call, {
          name: 'skipDestination',
          label: say(sync.skipDestination),
          // configured and unused hosts are for administrators only
          hint: call.can('admin')
            ? say(sync.skipDestinationHintNamed, { destination })
            : say(sync.skipDestinationHint),
        });
  return form(
    '/recipes/sync/plan',
    html`${skip}<div>${submit(say(sync.plan), { kind, working: say(sync.planning) })}<p class="hint">${say(sync.planHint)}</p></div>`,
  );
}

/** The form that starts a run. Below a plan its button stands at the head of the page. */
function startForm(call: PageCall, plan: Plan | undefined, mayStart: boolean): Html {
  const fingerprint = plan && toPruneFingerprint(plan);
  const { say } = call.words;
  const isOn = describeRetriever(call).prune;
  // the other of the two; a prune whose list is not on the page shows it first
  const other = isOn
    ? (['false', say(sync.pruneNo)] as const)
    : (['true', say(fingerprint === undefined ? sync.pruneAfterList : sync.pruneYes)] as const);
  const prune = selectField(call, {
    name: 'prune',
    label: say(sync.pruneField),
    hint: say(sync.pruneHint),
    options: [['', say(sync.pruneDefault, { state: say(isOn ? sync.on : sync.off) })], other],
  });
  const button =
    plan === undefined
      ? submit(say(sync.start), { kind: 'plain', working: say(sync.starting), isOff: !mayStart })
      : '';
  // below a plan, it belongs to the sentence of the plan about the prune
  const shown = plan === undefined ? previewForm(call) : '';
  if (!mayStart && plan !== undefined) return html``;
  return html`${shown}<h2>${say(sync.startTitle)}</h2>${form('/recipes/sync', html`${keptField(call)}${fingerprint === undefined ? '' : fingerprintField(fingerprint)}${prune}${button}`, { id: startFormId })}`;
}

/**
 * The page `/recipes/sync`, with a plan when one was asked for.
 *
 * @throws SVC-CFG-001 without a Retriever
 */
export async function showSync(call: PageCall, plan?: Plan): Promise<Page> {
  const { words } = call;
  const { say } = words;
  // the allowlist is a setting, which administrators may read
  const review = plan !== undefined && call.can('admin') ? await showHosts(call) : undefined;
  const source = requireSetting('retriever.source', saySource(call));
  const running = runningText(call);
  const start = (mayStart: boolean) => ({ id: 'start', html: startForm(call, plan, mayStart) });
  return {
    title: plan === undefined ? say(sync.title) : `${say(sync.planTitle)} · ${say(sync.title)}`,
    heading: html`${say(sync.title)}`,
    lead: say(sync.lead, { source }),
    crumbs: [[say(sync.recipes), '/recipes']],
    sections: [
      ...(plan === undefined
        ? [
            { id: 'work-out', html: html`${runningNote(running)}${planForm(call, 'primary')}` },
            start(running === undefined),
          ]
        : planSections(call, plan, { review, running, start })),
      ...(plan === undefined
        ? []
        : [{ id: 'work-out', html: html`<h2>${say(sync.planAgain)}</h2>${planForm(call, 'plain')}` }]),
      {
        id: 'terminal',
        html: terminal(words, [
          'svc sync --dry-run',
          `svc sync --prune=false --wait --instance ${quoteUrl(instanceUrl(call))}`,
          curlCommand(call, 'POST', '/plan', '{}'),
          ...syncCommands(call, plan && toPruneFingerprint(plan)),
        ]),
      },
    ],
  };
}
