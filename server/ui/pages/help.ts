import { isPaired, toCases } from '../../../src/text/cases.ts';
import type { Message } from '../../../src/text/error.ts';
import { errorCodes, errorKinds } from '../../../src/text/errors/codes.ts';
import type { ErrorCode } from '../../../src/text/errors/registry.ts';
import { exitCodes } from '../../../src/text/exit-codes.ts';
import { listAlternatives, listPlaceholders, toHeading } from '../../../src/text/fill.ts';
import { getMessage, type Language } from '../../../src/text/message.ts';
import { about } from '../../../src/text/words/about.ts';
import { plan } from '../../../src/text/words/delivering/plan.ts';
import { proof } from '../../../src/text/words/delivering/proof.ts';
import { receipts } from '../../../src/text/words/delivering/receipts.ts';
import { zones } from '../../../src/text/words/delivering/zones.ts';
import { help } from '../../../src/text/words/help.ts';
import { media } from '../../../src/text/words/media.ts';
import { parts } from '../../../src/text/words/parts.ts';
import { clientWords } from '../../../src/text/words/serving/clients.ts';
import { sync } from '../../../src/text/words/sync.ts';
import type { Words } from '../../../src/text/words/words.ts';
import { findRefused } from '../../views/find/find-named.ts';
import { type Html, html } from '../html.ts';
import { command, copyable } from '../parts/copy.ts';
import { facts } from '../parts/table.ts';
import { code, untrusted } from '../parts/text.ts';
import type { Page, PageCall, UiRoute } from '../ui-route.ts';

type Family = ErrorCode extends `SVC-${infer Name}-${string}` ? Name : never;

/** In the order of the registry. A family without words does not compile. */
export const families = [...new Set(errorCodes.map((each) => each.split('-')[1] as Family))];

/** `mediaId` as people read it: `media id`. */
const toWords = (name: string): string => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** A sentence for any error of a code; its parameters are marked. */
export function markNames(text: string, show: (text: string) => Html | string = (same) => same): Html {
  const pieces = text.split(/(\{[A-Za-z]+\})/);
  return html`${pieces.map((part) => {
    const [, name] = /^\{([A-Za-z]+)/.exec(part) ?? [];
    return name === undefined ? show(part) : html`<var>${toWords(name)}</var>`;
  })}`;
}

/** The causes of a code, each with its remedies, and the sentences for all of them. */
function causes({ say, language }: Words, message: Pick<Message, 'cause' | 'action'>): Html {
  const all = toCases(message, language);
  const { cases, cause, action } = all;
  const several = (texts: readonly string[]): Html | string =>
    texts.length === 1
      ? markNames(texts[0]!)
      : html`<ul>${texts.map((text) => html`<li>${markNames(text)}</li>`)}</ul>`;
  const listed = (texts: readonly string[], rest: string): Html =>
    html`${texts.length === 0 ? '' : several(texts)}${texts.length > 0 && rest !== '' ? html`<p>${markNames(rest)}</p>` : markNames(rest)}`;
  if (!isPaired(all))
    return facts([
      [
        say(help.cause),
        listed(
          cases.map((each) => each.cause).filter((text) => text !== ''),
          cause,
        ),
      ],
      [
        say(help.action),
        listed(
          cases.flatMap(({ actions }) => actions).filter((text) => text !== ''),
          action,
        ),
      ],
    ]);
  const rest = [cause, action].filter((text) => text !== '');
  return html`<div class="cases"><div class="cases-head" aria-hidden="true"><span>${say(help.cause)}</span><span>${say(help.action)}</span></div>
<dl>${cases.map((each) => html`<div><dt><span class="visually-hidden">${say(help.cause)}: </span>${markNames(each.cause)}</dt><dd>${several(each.actions)}</dd></div>`)}</dl>
${rest.map((text) => html`<p>${markNames(text)}</p>`)}</div>`;
}

/** An entry is shown when the address names it: one at a time, also without scripts. */
function entry(errorCode: ErrorCode, words: Words): Html {
  const { say, language } = words;
  const { class: kind, status } = errorKinds[errorCode];
  const { what, cause, action } = getMessage(errorCode, language);
  const names = listPlaceholders(`${what}${cause}${action}`);
  return html`<article class="help-entry" id="${errorCode}"><h2>${code(errorCode)}</h2>${listAlternatives(what, language).map((text) => html`<p class="error-what">${markNames(text)}</p>`)}
${causes(words, { cause, action })}
<h3>${say(help.forScripts)}</h3>
${facts([
  ...(names.length === 0 ? [] : [[say(help.parameters), html`${code(names.join(', '))}`] as const]),
  [say(help.exitCode), `${exitCodes[kind]} (${say(help[kind])})`],
  [say(help.status), String(status)],
])}</article>`;
}

/** Each with the pages that it is about. */
export const guides = [
  ['guide-sign-in', help.signInGuide, help.signInGuideText, [['/clients', clientWords.title]]],
  ['guide-medium', help.mediumGuide, help.mediumGuideText, [['/media', media.title]]],
  [
    'guide-deliver',
    help.deliverGuide,
    help.deliverGuideText,
    [
      ['/deliver', plan.title],
      ['/recipes/sync', sync.title],
    ],
  ],
  [
    'guide-receipt',
    help.receiptGuide,
    help.receiptGuideText,
    [
      ['/receipts', receipts.title],
      ['/zones', zones.title],
    ],
  ],
  ['guide-proof', help.proofGuide, help.proofGuideText, [['/deliver/proof', proof.title]]],
  [
    'guide-key',
    help.keyGuide,
    help.keyGuideText,
    [
      ['/recipes/sync', sync.title],
      ['/media', media.title],
    ],
  ],
  ['guide-trust', help.trustGuide, help.trustGuideText, [['/about', about.title]]],
] as const;

/** Finds a code among all: only a script can, so that the field is absent without. */
const codeFilter = ({ say }: Words): Html =>
  html`<div class="field" data-find-code><label for="find-code">${say(help.findCode)}</label><input class="input" id="find-code" type="search" autocomplete="off" spellcheck="false" maxlength="256"><p class="hint" role="status" data-none="${say(help.noCode)}"></p></div>`;

/** The key of the query, for which a recipe was refused: its fingerprint as a whole, to compare it with the owner. */
async function keyCheck(call: PageCall): Promise<Html | undefined> {
  const { words, identity } = call;
  const asked = call.search.get('key');
  if (asked === null) return undefined;
  const back = html`<p class="chips"><a href="/">${words.say(parts.toOverview)}</a> <a href="#guide-key">${words.say(help.toKeyGuide)}</a></p>`;
  const refused = await findRefused(call, identity, asked);
  const [first] = refused;
  if (first === undefined)
    return html`<div class="note"><div class="error-text"><h4 id="key-check" tabindex="-1">${words.say(help.keyNotRefused)}</h4>${back}</div></div>`;
  const names = refused.map(({ name, version }) => `${name} ${version}`);
  return html`<div class="note"><div class="error-text"><h4 id="key-check" tabindex="-1">${words.say(help.keyResult)}</h4>${facts(
    [
      [words.say(help.refusedFor), untrusted(words.format.list(names))],
      [words.say(help.fingerprint), copyable(words, first.fingerprint, words.say(help.fingerprint))],
    ],
  )}<p>${words.say(help.keyOfOwner)}</p>${command(words, 'svc key show owner.pem')}${back}</div></div>`;
}

/** The entries never change: rendered once for each language. */
const made = new Map<Language, Page>();

function makeHelp(words: Words, check?: Html): Page {
  const { say } = words;
  const shown = families.map((family) => ({
    family,
    codes: errorCodes.filter((each) => each.startsWith(`SVC-${family}-`)),
  }));
  return {
    title: say(help.title),
    lead: say(help.lead),
    ...(check === undefined ? { isFixed: true } : {}),
    sections: [
      {
        id: 'help',
        html: html`<div class="help"><nav class="help-index" aria-label="${say(help.families)}"><h2>${say(help.errors)}</h2>
${codeFilter(words)}
${shown.map(
  ({ family, codes }) =>
    html`<details class="fold" id="family-${family}"><summary>${say(help[family])} <span class="muted">${codes.length}</span></summary><ul>${codes.map((each) => html`<li><a href="#${each}">${each}</a> ${toHeading(getMessage(each, words.language).what)}</li>`)}</ul></details>`,
)}</nav>
<div class="help-shown"><div class="help-guides"><h2>${say(help.guides)}</h2>
${guides.map(
  ([id, title, text, pages]) =>
    html`<h3 id="${id}">${say(title)}</h3><p>${say(text)}</p>${id === 'guide-key' ? (check ?? '') : ''}<p class="chips">${pages.map(([path, name]) => html`<a href="${path}">${say(name)}</a> `)}</p>`,
)}</div>
${shown.flatMap(({ codes }) => codes.map((each) => entry(each, words)))}</div></div>`,
      },
    ],
  };
}

async function showHelp(call: PageCall): Promise<Page> {
  const { words } = call;
  const check = await keyCheck(call);
  if (check !== undefined) return makeHelp(words, check);
  let page = made.get(words.language);
  if (page === undefined) {
    page = makeHelp(words);
    made.set(words.language, page);
  }
  return page;
}

export const helpPages: readonly UiRoute[] = [
  { method: 'GET', path: '/help', floor: 'viewer', title: help.title, page: showHelp },
];
