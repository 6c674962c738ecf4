import { shell } from '../../../src/base/words/shell.ts';
import { type Html, html } from '../html.ts';
import type { PageCall, UiRoute } from '../ui-route.ts';
import { icon } from './icons.ts';

interface Notice {
  readonly text: string;
  /** Always in sight. */
  readonly isPinned: boolean;
  readonly link?: readonly [text: string, path: string];
}

/** Notices beyond this number fold, unless they are pinned. */
const shown = 3;

function listNotices(call: PageCall, hasPage: (path: string) => boolean): readonly Notice[] {
  const { operations, gate, store, settings, identity, can } = call;
  const { say, format } = call.words;
  const notices: Notice[] = [];
  const add = (isPinned: boolean, text: string, path?: string, linkText = ''): void => {
    const link = path !== undefined && hasPage(path) ? ([linkText, path] as const) : undefined;
    notices.push({ text, isPinned, ...(link === undefined ? {} : { link }) });
  };
  if (identity.via === 'disabled') add(true, say(shell.authDisabled));
  const { exceeded, bytes, thresholdBytes } = operations.occupancy();
  if (exceeded) {
    const path = can('admin') ? '/admin/store' : '/content';
    const text = say(shell.occupancyExceeded, { used: bytes, threshold: thresholdBytes });
    add(true, text, path, say(shell.showOccupancy));
  }
  const { anonymousFilesets, relaxedScopes } = operations.retriever();
  if (anonymousFilesets.length > 0) {
    add(
      true,
      say(shell.anonymousFilesets, { names: format.list(anonymousFilesets) }),
      '/filesets',
      say(shell.filesets),
    );
  }
  if (relaxedScopes.length > 0) {
    const names = format.list(relaxedScopes.map(({ name }) => name));
    add(true, say(shell.relaxedScopes, { names }));
  }
  const refusal = gate.refusal();
  if (refusal !== undefined) {
    const path = can('operator') ? '/media' : undefined;
    const text = say(refusal.code === 'SVC-MED-030' ? shell.gateClosed : shell.gateRefused);
    add(false, text, path, say(shell.showVerification));
  }
  if (store.readOnly !== undefined) add(false, say(shell.readOnly));
  if (settings.preflightDisabled) add(false, say(shell.preflightDisabled));
  return notices;
}

const toItem = ({ text, link }: Notice): Html =>
  html`<li class="notice">${icon('warn')}<span>${text}</span>${link === undefined ? '' : html` <a href="${link[1]}">${link[0]}</a>`}</li>`;

/** What somebody must know on every page. The first four kinds cannot be folded away. */
export function noticeStrip(call: PageCall, routes: readonly UiRoute[]): Html | string {
  const hasPage = (path: string): boolean =>
    routes.some((route) => route.method === 'GET' && route.path === path);
  const { say } = call.words;
  const all = call.signedIn ? listNotices(call, hasPage) : [];
  const notices =
    call.signedIn || call.authenticator !== undefined
      ? all
      : [{ text: say(shell.authDisabled), isPinned: true }];
  if (notices.length === 0) return '';
  const open = notices.filter(({ isPinned }, index) => isPinned || index < shown);
  const folded = notices.filter((notice) => !open.includes(notice));
  const more = say(shell.moreNotices, { count: folded.length });
  return html`<aside class="notices" aria-label="${say(shell.notices)}"><ul>${open.map(toItem)}</ul>${
    folded.length === 0
      ? ''
      : html`<details><summary>${more}</summary><ul>${folded.map(toItem)}</ul></details>`
  }</aside>`;
}
