import { type Html, html } from '../html.ts';
import { type IconName, icon } from './icons.ts';

/** A state: the shape and the word say the same as the colour. */
export type BadgeKind = 'ok' | 'warn' | 'bad' | 'running' | 'stopped' | 'plain';

const icons: Readonly<Record<BadgeKind, IconName>> = {
  ok: 'ok',
  warn: 'warn',
  bad: 'bad',
  running: 'running',
  stopped: 'stopped',
  plain: 'pending',
};

/** A state as icon and word. */
export function badge(kind: BadgeKind, text: string): Html {
  return html`<span class="badge badge-${kind}">${icon(icons[kind])} ${text}</span>`;
}
