import { shell } from '../../../src/base/words/shell.ts';
import type { Counted, Sentence, WordParams } from '../../../src/base/words/words.ts';
import { listBlocked } from '../../views/blocked.ts';
import { listNotices, type Notice } from '../../views/status.ts';
import { type Html, html } from '../html.ts';
import { isPage, type PageCall, type UiRoute } from '../ui-route.ts';
import { icon } from './icons.ts';

/** Notices beyond this number fold, unless they are pinned. */
const shown = 3;
/** Always in sight. */
const pinned: ReadonlySet<Notice> = new Set([
  'authentication-disabled',
  'occupancy-exceeded',
  'anonymous-filesets',
  'relaxed-scopes',
]);

interface Said {
  readonly text: Sentence | Counted;
  readonly params?: WordParams;
  /** Where more is found. */
  readonly link?: readonly [text: Sentence, path: string];
}

/** What a notice says to who reads it. */
function wordNotice(notice: Notice, call: PageCall): Said {
  const {
    operations,
    gate,
    can,
    words: { format },
  } = call;
  switch (notice) {
    case 'authentication-disabled':
      return { text: shell.authDisabled };
    case 'occupancy-exceeded': {
      const { bytes, thresholdBytes } = operations.occupancy();
      const path = can('admin') ? '/admin/store' : '/content';
      const params = { used: bytes, threshold: thresholdBytes };
      return { text: shell.occupancyExceeded, params, link: [shell.showOccupancy, path] };
    }
    case 'anonymous-filesets': {
      const names = format.list(operations.retriever().anonymousFilesets);
      return { text: shell.anonymousFilesets, params: { names }, link: [shell.filesets, '/filesets'] };
    }
    case 'relaxed-scopes': {
      const names = format.list(operations.retriever().relaxedScopes.map(({ name }) => name));
      return { text: shell.relaxedScopes, params: { names } };
    }
    case 'gate-closed': {
      const text = gate.refusal()?.code === 'SVC-MED-032' ? shell.gateRefused : shell.gateClosed;
      return can('operator') ? { text, link: [shell.showVerification, '/media'] } : { text };
    }
    case 'recipes-blocked': {
      const text = shell.recipesBlocked;
      const params = { count: listBlocked(call).length };
      return { text, params, ...(can('operator') ? { link: [shell.showVerification, '/media'] } : {}) };
    }
    case 'store-read-only':
      return { text: shell.readOnly };
    case 'preflight-disabled':
      return { text: shell.preflightDisabled };
  }
}

/** What somebody must know on every page, for who is signed in. */
export function noticeStrip(call: PageCall, routes: readonly UiRoute[]): Html | string {
  const { say } = call.words;
  const notices = call.signedIn ? listNotices(call, call.identity.via === 'disabled') : [];
  if (notices.length === 0) return '';
  const paths = new Set(routes.filter(isPage).map(({ path }) => path));
  const toItem = (notice: Notice): Html => {
    const { text, params, link } = wordNotice(notice, call);
    const [linkText, path = ''] = link ?? [];
    return html`<li class="notice">${icon('warn')}<span>${say(text, params)}</span>${
      linkText === undefined || !paths.has(path) ? '' : html` <a href="${path}">${say(linkText)}</a>`
    }</li>`;
  };
  const open = notices.filter((notice, index) => pinned.has(notice) || index < shown);
  const folded = notices.filter((notice) => !open.includes(notice));
  return html`<aside class="notices" aria-label="${say(shell.notices)}"><ul>${open.map(toItem)}</ul>${
    folded.length === 0
      ? ''
      : html`<details><summary>${say(shell.moreNotices, { count: folded.length })}</summary><ul>${folded.map(toItem)}</ul></details>`
  }</aside>`;
}
