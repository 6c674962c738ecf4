import type { RateLimit, Windows } from '../../../../src/contract/access.ts';
import {
  resetRateLimit,
  resetWindows,
  setRateLimit,
  setWindows,
} from '../../../../src/contract/operations/network.ts';
import { type LinkRecord, requireWindows, requireZone } from '../../../../src/link/link.ts';
import { done } from '../../../../src/text/words/done.ts';
import { network } from '../../../../src/text/words/network.ts';
import { type Html, html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { form, submit, textArea, textField } from '../../parts/form.ts';
import { facts } from '../../parts/table.ts';
import { code } from '../../parts/text.ts';
import { action, type MirrorAction, type PageCall, type UiRoute } from '../../ui-route.ts';

const page = '/admin/network';

function clearForm({ words: { say } }: PageCall, action: string, fingerprint: string): Html {
  return form(
    action,
    html`${fingerprintField(fingerprint)}${submit(say(network.linkClear), { kind: 'plain' })}`,
  );
}

const mark = ({ words: { say } }: PageCall, overridden: boolean): Html | string =>
  overridden ? html` <span class="badge">${say(network.overridden)}</span>` : '';

function rateBlock(call: PageCall, record: RateLimit): Html {
  const { say } = call.words;
  const { effective, configured, overridden, fingerprint } = record;
  return html`<h3>${say(network.rateLimit)}</h3>
${facts([
  [say(network.inEffect), html`${code(effective)}${mark(call, overridden)}`],
  [say(network.inConfiguration), code(configured)],
])}
${form(
  `${page}/rate-limit`,
  html`${fingerprintField(fingerprint)}${textField(call, { name: 'rateLimit', label: say(network.newRate), hint: say(network.rateHint), value: effective, required: true })}
${submit(say(network.setRate))}`,
)}
${overridden ? clearForm(call, `${page}/rate-limit/clear`, fingerprint) : ''}`;
}

/** Whether transfers run, and until when. */
function stateOf({ words: { say, format } }: PageCall, { open, changesAt }: Windows): Html {
  const word = badge(open ? 'ok' : 'warn', say(open ? network.windowOpen : network.windowClosed));
  if (changesAt === undefined) return word;
  return html`${word} ${say(network.until, { time: format.time(changesAt) })}`;
}

function windowsBlock(call: PageCall, record: Windows): Html {
  const { say } = call.words;
  const { effective, configured, timeZone, overridden, fingerprint } = record;
  const list = (windows: readonly string[]): Html =>
    windows.length === 0
      ? html`${say(network.always)}`
      : html`${windows.map((each, at) => html`${at === 0 ? '' : ', '}${code(each)}`)}`;
  return html`<h3>${say(network.windows)}</h3>
${facts([
  [say(network.windowState), stateOf(call, record)],
  [say(network.inEffect), html`${list(effective)}${mark(call, overridden)}`],
  [say(network.inConfiguration), list(configured)],
  [say(network.timeZone), code(timeZone)],
])}
${form(
  `${page}/windows`,
  html`${fingerprintField(fingerprint)}${textArea(call, { name: 'windows', label: say(network.newWindows), hint: say(network.windowsHint), value: effective.join('\n'), rows: 3, required: true })}
${textField(call, { name: 'timeZone', label: say(network.timeZone), hint: say(network.timeZoneHint), value: timeZone })}
${submit(say(network.setWindows))}`,
)}
${overridden ? clearForm(call, `${page}/windows/clear`, fingerprint) : ''}`;
}

/** The cap on transfers with other hosts and their windows, with the forms that change them. */
export function linkBlock(call: PageCall, { rateLimit, windows }: LinkRecord): Html {
  const { say } = call.words;
  return html`<h2>${say(network.link)}</h2><p class="muted">${say(network.linkLine)}</p>
<div class="pair"><div>${rateBlock(call, rateLimit)}</div>
<div>${windowsBlock(call, windows)}</div></div>`;
}

/** The commands equivalent to the forms of the link. */
export function linkCommands(call: PageCall, { rateLimit, windows }: LinkRecord): readonly string[] {
  const put = (path: string, body: object): string => curlCommand(call, 'PUT', path, JSON.stringify(body));
  const clear = (path: string, { overridden, fingerprint }: RateLimit | Windows): readonly string[] =>
    overridden ? [curlCommand(call, 'DELETE', path, JSON.stringify({ fingerprint }))] : [];
  const { effective, timeZone } = windows;
  return [
    put('/network/rate-limit', { rateLimit: rateLimit.effective }),
    ...clear('/network/rate-limit', rateLimit),
    put('/network/windows', { windows: effective.length === 0 ? ['00:00-24:00'] : effective, timeZone }),
    ...clear('/network/windows', windows),
  ];
}

const rateSaid =
  (text: (typeof done)['rateLimitSet' | 'rateLimitCleared']): MirrorAction['done'] =>
  ({ link }) => ({
    location: page,
    said: { text, params: { rate: link.record.rateLimit.effective } },
  });

export const linkPages: readonly UiRoute[] = [
  action(setRateLimit, {
    path: '/admin/network/rate-limit',
    page,
    replacesShown: true,
    done: rateSaid(done.rateLimitSet),
  }),
  action(resetRateLimit, {
    path: '/admin/network/rate-limit/clear',
    page,
    needsPreview: true,
    done: rateSaid(done.rateLimitCleared),
  }),
  action(setWindows, {
    path: '/admin/network/windows',
    page,
    replacesShown: true,
    checks: () => ({ windows: (_text, items) => requireWindows(items), timeZone: requireZone }),
    done: () => ({ location: page, said: { text: done.windowsSet } }),
  }),
  action(resetWindows, {
    path: '/admin/network/windows/clear',
    page,
    needsPreview: true,
    done: () => ({ location: page, said: { text: done.windowsCleared } }),
  }),
];
