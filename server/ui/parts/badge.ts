import { startSentence } from '../../../src/text/start-sentence.ts';
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

/** A verdict on a whole page, as a word in the double frame of a rubber stamp. */
export function stamp(kind: BadgeKind, text: string): Html {
  return html`<span class="stamp stamp-${kind}">${icon(icons[kind])} ${text}</span>`;
}

interface Answer {
  readonly kind: BadgeKind;
  /** The word of the stamp; absent where nothing is to be judged. */
  readonly mark?: string | undefined;
  /** What the reader came to ask, in one sentence. */
  readonly what: Html | string;
  /** The bar of a share that the sentence names. */
  readonly bar?: Html | string;
  /** What decides with the sentence: causes and remedies. Empty ones are left out. */
  readonly lines?: readonly (Html | string)[];
  /** What the sentence rests on, in small type. Empty ones are left out. */
  readonly notes?: readonly (Html | string)[];
  /** The one next step: a link or a form; or why there is none. */
  readonly step?: Html | string;
}

const start = (text: Html | string): Html | string => (typeof text === 'string' ? startSentence(text) : text);

/** The head of a page that answers one question: a stamp, a sentence, and the next step beside it. */
export function answer({ kind, mark, what, bar = '', lines = [], notes = [], step = '' }: Answer): Html {
  const below = [
    ...lines.filter((line) => line !== '').map((line) => html`<p>${start(line)}</p>`),
    ...notes.filter((note) => note !== '').map((note) => html`<p class="muted">${note}</p>`),
  ];
  return html`<div class="answer">${mark === undefined ? '' : stamp(kind, mark)}<div class="answer-text"><h2 class="answer-what">${start(what)}</h2>${bar}${below}</div>
${step}</div>`;
}
