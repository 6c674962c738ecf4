import { errorCodes, errorKinds } from '../../../src/text/errors/codes.ts';
import type { ErrorCode } from '../../../src/text/errors/registry.ts';
import { exitCodes } from '../../../src/text/exit-codes.ts';
import { listPlaceholders, toGeneralSentence } from '../../../src/text/fill.ts';
import { getMessage, type Language } from '../../../src/text/message.ts';
import { help } from '../../../src/text/words/help.ts';
import type { Words } from '../../../src/text/words/words.ts';
import { type Html, html } from '../html.ts';
import { facts } from '../parts/table.ts';
import { code } from '../parts/text.ts';
import type { Page, PageCall, UiRoute } from '../ui-route.ts';

type Family = ErrorCode extends `SVC-${infer Name}-${string}` ? Name : never;

/** In the order of the registry. A family without words does not compile. */
const families = [...new Set(errorCodes.map((each) => each.split('-')[1] as Family))];

/** A sentence of a code for any error of its code; its parameters are marked. */
function template(text: string, language: Language): Html {
  const parts = toGeneralSentence(text, language).split(/(\{[A-Za-z]+\})/);
  return html`${parts.map((part) => {
    const [, name] = /^\{([A-Za-z]+)/.exec(part) ?? [];
    return name === undefined ? part : html`<var>${name}</var>`;
  })}`;
}

function entry(errorCode: ErrorCode, { say, language }: Words): Html {
  const { class: kind, status } = errorKinds[errorCode];
  const { what, cause, action } = getMessage(errorCode, language);
  const names = listPlaceholders(`${what}${cause}${action}`);
  return html`<article class="help-entry" id="${errorCode}"><h3><a href="#${errorCode}">${errorCode}</a></h3>
<p class="error-what">${template(what, language)}</p>
${facts([
  [say(help.cause), template(cause, language)],
  [say(help.action), template(action, language)],
  ...(names.length === 0
    ? []
    : [[say(help.parameters), html`${names.map((name) => html`<var>${name}</var> `)}`] as const]),
  [say(help.exitCode), `${exitCodes[kind]} (${say(help[kind])})`],
  [say(help.status), String(status)],
])}
</article>`;
}

const guides = [
  ['guide-sign-in', help.signInGuide, help.signInGuideText],
  ['guide-medium', help.mediumGuide, help.mediumGuideText],
  ['guide-trust', help.trustGuide, help.trustGuideText],
] as const;

/** The entries never change: rendered once for each language. */
const made = new Map<Language, Page>();

function makeHelp(words: Words): Page {
  const { say } = words;
  const shown = families.map((family) => ({
    family,
    codes: errorCodes.filter((each) => each.startsWith(`SVC-${family}-`)),
  }));
  return {
    title: say(help.title),
    lead: say(help.lead),
    isFixed: true,
    sections: [
      {
        id: 'guides',
        html: html`<h2>${say(help.guides)}</h2>
${guides.map(([id, title, text]) => html`<details class="fold" id="${id}"><summary>${say(title)}</summary><p>${say(text)}</p></details>`)}`,
      },
      {
        id: 'families',
        label: say(help.families),
        html: html`<h2>${say(help.errors)}</h2><ul class="tags">${shown.map(({ family, codes }) => html`<li><a href="#family-${family}">${say(help[family])} <span class="muted">${codes.length}</span></a></li>`)}</ul>`,
      },
      ...shown.map(({ family, codes }) => ({
        id: `family-${family}`,
        html: html`<h2>${say(help[family])} ${code(`SVC-${family}`)}</h2>${codes.map((each) => entry(each, words))}`,
      })),
    ],
  };
}

function showHelp({ words }: PageCall): Page {
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
