import { type Html, html } from '../html.ts';

/** The hidden field that binds an action to the state that this page shows. Always that of this page, never of an earlier form. */
export function fingerprintField(fingerprint: string): Html {
  return html`<input type="hidden" name="fingerprint" value="${fingerprint}">`;
}
