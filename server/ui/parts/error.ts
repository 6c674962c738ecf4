import { ofAddress } from '../../../src/contract/check-value.ts';
import { type ErrorRecord, fromErrorRecord, type Message, type SvcError } from '../../../src/text/error.ts';
import { errorKinds } from '../../../src/text/errors/codes.ts';
import { escapeText } from '../../../src/text/escape.ts';
import { renderError, sayDetail, sayParam } from '../../../src/text/message.ts';
import { isolate, splitIsolated } from '../../../src/text/words/isolate.ts';
import { parts } from '../../../src/text/words/parts.ts';
import { remedies } from '../../../src/text/words/remedies.ts';
import type { Sentence, Words } from '../../../src/text/words/words.ts';
import { isOfRecords } from '../../api/open-records.ts';
import { ofBody } from '../../api/request/parse-request.ts';
import { toErrorHeaders } from '../../problem.ts';
import { type NotedField, namedField, notedField, wrongValue } from '../faults.ts';
import { attr, type Html, html } from '../html.ts';
import type { PageFrame } from '../page-frame.ts';
import { selectTheme } from '../select-language.ts';
import type { BarePage, Faults, Page, PageCall } from '../ui-route.ts';
import { copyable, copyButton } from './copy.ts';
import { mediumPage } from './history-link.ts';
import { icon } from './icons.ts';
import { pageOfRemedy, pageRemedies, remedyOf } from './remedies.ts';
import { code as codeText, untrusted } from './text.ts';

interface ErrorOptions {
  readonly words: Words;
  readonly error: SvcError;
  readonly correlationId?: string;
  /** Whether the reader may open the help page. */
  readonly hasHelp: boolean;
  /** The input with which the form is shown again: the error leads to the wrong fields that the page has noted of it. */
  readonly input?: { readonly of: object; readonly wrong: Faults } | undefined;
  /** Whether the fields are those of a filter, without which the page is shown. Default false. */
  readonly isFilter?: boolean;
  /** The page with the verification of the medium; empty where the reader may open none, absent without a medium. */
  readonly mediumPage?: string | undefined;
  /** `h2` inside a page. */
  readonly heading?: Html;
  /** What to do on this page, in place of the remedy of the code. */
  readonly remedy?: Html | undefined;
  /** Whether that remedy has a link to the page with the next step. */
  readonly hasWay?: boolean | undefined;
  /** Whether the head of the page has the first sentence already. */
  readonly isTold?: boolean;
}

/** Text of a library, which means nothing to the reader of a page: the sentences of the code explain the error. */
const isOfLibrary = (detail: string): boolean => /^error:[0-9A-F]{8}:/i.test(detail);

/** A technical detail; on a French page, a detail without French is marked as English (WCAG 3.1.2). */
function showDetail({ language }: Words, error: SvcError): Html {
  const shown = sayDetail(error, language)!.slice(0, 1000);
  const isForeign = language === 'fr' && shown === error.detail?.slice(0, 1000);
  return html`<span ${attr('lang', isForeign ? 'en' : undefined)}>${untrusted(shown)}</span>`;
}

/** Whether an error is about a value of a form, or of the request that was made of it. */
const isOfForm = (error: SvcError): boolean =>
  namedField(error) !== '' && (error.params.file === 'form' || error.params.file === String(ofBody));

const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** A time as documents have it (RFC 3339 UTC). */
const machineTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

/** The sentences of an error, with its times as pages show times. */
const sayError = ({ language, format }: Words, error: SvcError): Message =>
  renderError(error, language, (text) => (machineTime.test(text) ? format.time(text) : isolate(text)));

/** The three sentences of an error as a page says them. */
export function wordError(words: Words, error: SvcError): Message {
  const { say, language } = words;
  const message = sayError(words, error);
  if (error.code === 'SVC-VAL-001' && String(error.params.file) === String(ofAddress))
    return {
      what: say(parts.addressWrong, { name: namedField(error), rule: sayParam(error, 'rule', language) }),
      cause: say(parts.addressCause),
      action: say(parts.addressAction),
    };
  if (isOfForm(error))
    return {
      what: say(parts.formWrong, {
        name: isolate(namedField(error)),
        rule: sayParam(error, 'rule', language),
      }),
      cause: say(parts.formCause),
      action: say(parts.formAction),
    };
  const detail = sayDetail(error, language);
  const isSaid = language === 'en' || detail !== error.detail;
  // of the causes that the code can have, the one that holds
  if (error.code === 'SVC-SRV-006' && detail !== undefined && isSaid)
    return { ...message, cause: `${capitalize(detail)}.` };
  const remedy = pageRemedies[error.code] ?? remedyOf(error);
  if (remedy === undefined) return message;
  if (remedy === remedies.setZone)
    return { what: say(remedies.noZone), cause: say(remedies.noZoneCause), action: say(remedy) };
  const isPage = remedy === remedies.unknownPage;
  return { ...message, action: say(remedy), ...(isPage ? { cause: say(remedies.unknownPageCause) } : {}) };
}

/** The remedy on the page of the medium, by the code of an error. */
function mediumLineOf({ code, params }: SvcError): Sentence | undefined {
  if (code === 'SVC-MED-030') return parts.verifyMedium;
  if (code === 'SVC-MED-033') return parts.awaitMedium;
  if (code !== 'SVC-MED-032') return undefined;
  // a medium that passed, whose content needs other disks, has no problem to read of
  return params.problem === undefined ? parts.readReport : parts.importOthers;
}

const longHex = /([0-9a-f]{40,})/;

/** A path or another word with a long digest in it. */
function shortWord(word: string): Html {
  const pieces = word.split(longHex);
  return html`<span class="id" title="${word}">${pieces.map((piece, i) =>
    i % 2 === 0
      ? piece
      : html`<span class="screen-only">${piece.slice(0, 8)}…${piece.slice(-4)}</span><span class="print-only">${piece}</span>`,
  )}</span>`;
}

/** A sentence of an error: long digests and fingerprints in it are shortened on a screen. */
export function showSentence(text: string): Html {
  const shown = splitIsolated(text).map((part, i) => {
    if (i % 2 === 0) return part;
    if (!longHex.test(part)) return isolate(part);
    const words = part.split(/(\s+)/).map((word) => (longHex.test(word) ? shortWord(word) : word));
    return html`<bdi translate="no">${words}</bdi>`;
  });
  return html`${shown}`;
}

/** What went wrong, with the way to its help. */
export function errorLine(words: Words, record: ErrorRecord): Html {
  const { what } = sayError(words, fromErrorRecord(record));
  return html`${showSentence(what)} <a href="/help#${record.code}">${record.code}</a>`;
}

/** Digests and fingerprints that the sentences shorten, whole: people compare them aloud. */
function longValues(words: Words, { params }: SvcError): Html | string {
  const found = Object.values(params).flatMap((value) => String(value).match(/[0-9a-f]{40,}/g) ?? []);
  if (found.length === 0) return '';
  const name = words.say(parts.wholeValue);
  const list = [...new Set(found)].slice(0, 5).map((hex) => html`<div>${copyable(words, hex, name)}</div>`);
  return html`<dt>${name}</dt><dd>${list}</dd>`;
}

/** Whether an error says which rule the value of a field breaks: its own, or that of the document in it. */
const breaksRule = (error: SvcError, name: string): boolean =>
  error.code === 'SVC-VAL-001' && (namedField(error) === name || error.params.file === name);

/**
 * The message of a wrong field, beside that field: the value, or its place in a document, and the rule.
 *
 * @param values as they were typed
 */
export function wordFault(words: Words, error: SvcError, name: string, values?: readonly string[]): string {
  const { say, language } = words;
  if (!breaksRule(error, name)) {
    // the error above the form has the whole sentence
    const isRule = error.code !== 'SVC-VAL-001' && error.params.rule !== undefined;
    return isRule ? sayParam(error, 'rule', language) : wordError(words, error).what;
  }
  const broken = sayParam(error, 'rule', language);
  const { file, path = '', line } = error.params;
  if (file === name)
    return say(parts.placeWrong, {
      path: path === '' || path === '/' ? undefined : isolate(String(path)),
      line: line === undefined ? undefined : String(line),
      rule: broken,
    });
  const value = wrongValue(error, values);
  return value === '' ? broken : say(parts.valueWrong, { value: isolate(escapeText(value)), rule: broken });
}

/** Errors about a name. Above a form, they show the label of the field in place of the name. */
const ofNames: ReadonlySet<string> = new Set(['SVC-REG-001', 'SVC-FIL-001']);

/** A wrong field above its form, where the page has it, with its rule, and the place in a document that breaks it. */
function wordSummary(words: Words, error: SvcError, name: string, { label }: NotedField): Message {
  const { say, language } = words;
  if (!breaksRule(error, name)) {
    const own = wordError(words, error);
    return ofNames.has(error.code) && error.params.rule !== undefined
      ? { ...own, what: say(parts.fieldNotRight, { label, rule: wordFault(words, error, name) }) }
      : own;
  }
  const { file, unpinned, problem } = error.params;
  const what =
    file === name || String(error.params.rule).startsWith('not ')
      ? say(parts.fieldNotRight, {
          label,
          rule: file === name ? wordFault(words, error, name) : sayParam(error, 'rule', language),
        })
      : say(parts.fieldWrong, { label, rule: sayParam(error, 'rule', language) });
  // a draft or another kind of document needs more than a correction
  const own = file === name && (unpinned ?? problem) !== undefined ? wordError(words, error) : undefined;
  return { what, cause: own?.cause ?? '', action: own?.action ?? say(parts.fieldAction) };
}

/** An error of a form as its summary says it: a line for each wrong field, which leads there. */
function summarize(words: Words, error: SvcError, { of, wrong }: NonNullable<ErrorOptions['input']>) {
  const lines = [...wrong].map(([name, fault]) => {
    const field = notedField(of, name);
    const message = field === undefined ? wordError(words, fault) : wordSummary(words, fault, name, field);
    return { href: field && `#${field.id}`, isRule: field !== undefined && breaksRule(fault, name), message };
  });
  const [first = { href: undefined, isRule: false, message: wordError(words, error) }] = lines;
  const shown = (lines.length === 0 ? [first] : lines).map(({ href, message: { what } }) =>
    href === undefined ? showSentence(what) : html`<a href="${href}">${showSentence(what)}</a>`,
  );
  if (lines.length < 2) return { ...first, shown };
  // the cause and the remedy of the first would be taken for those of all
  const message = { what: first.message.what, cause: '', action: words.say(parts.fieldsAction) };
  return { ...first, message, shown };
}

/** The three sentences of an error, its code and its correlation identifier. */
export function errorBlock(options: ErrorOptions): Html {
  const {
    words,
    error,
    correlationId,
    hasHelp,
    input = { of: error, wrong: new Map() },
    mediumPage: verification,
    heading,
    isTold,
    isFilter = false,
    hasWay = false,
  } = options;
  const { code, detail } = error;
  const { shown, isRule, message } = summarize(words, error, input);
  const { cause, action: remedy } = message;
  // the answer to a form begins with its error, also for a reader who hears the page
  const isOfForm = options.input !== undefined;
  const mediumLine = hasHelp && verification !== undefined ? mediumLineOf(error) : undefined;
  const way = hasHelp && !isRule && !hasWay ? pageOfRemedy(error) : undefined;
  const action = mediumLine
    ? html`${words.say(mediumLine)} ${verification ? html`<a href="${verification}">${words.say(parts.toMedium)}</a>` : ''}`
    : (options.remedy ?? (isFilter ? words.say(parts.filterAction) : remedy));
  return html`<div class="error" role="alert" ${attr('tabindex', isOfForm ? '-1' : undefined)} ${attr('autofocus', isOfForm)}>
${icon('bad')}
<div class="error-text">
${heading ?? ''}
${isTold ? '' : shown.map((line) => html`<p class="error-what">${line}</p>`)}
<dl class="facts">
${cause === '' ? '' : html`<dt>${words.say(parts.errorCause)}</dt><dd>${cause}</dd>`}
<dt>${words.say(parts.errorAction)}</dt><dd>${action}${way === undefined ? '' : html` <a href="${way[1]}">${words.say(way[0])}</a>`}</dd>
${longValues(words, error)}${detail === undefined || isRule || code === 'SVC-SRV-001' || code === 'SVC-SRV-006' || isOfLibrary(detail) || message.what.includes(sayDetail(error, words.language)!) ? '' : html`<dt>${words.say(parts.errorDetail)}</dt><dd>${showDetail(words, error)}</dd>`}
</dl>
<p class="error-foot">
${hasHelp ? html`<a href="/help#${code}">${words.say(parts.errorHelp, { code })}</a>` : codeText(code)}
${
  correlationId === undefined
    ? ''
    : html`<span class="muted">${words.say(parts.correlation)}${words.say(parts.colon)} ${codeText(correlationId)} ${copyButton(words, correlationId, words.say(parts.correlation))}</span>`
}
</p>
</div>
</div>`;
}

/** An end that a person asked for, which is no fault. */
export function cancelledNote({
  words,
  error,
  isTold,
}: Pick<ErrorOptions, 'words' | 'error' | 'isTold'>): Html {
  const { what, action } = sayError(words, error);
  return html`<div class="note">${icon('stopped')}<div>${isTold ? '' : html`<p class="error-what">${what}</p>`}<p>${action}</p></div></div>`;
}

/** Headers of the page of an error. A challenge would open the dialogue of the browser over the page. */
export function pageHeaders(
  error: SvcError,
  exchange: PageCall['exchange'],
): Readonly<Record<string, string>> {
  const { 'www-authenticate': _, ...headers } = toErrorHeaders(error, exchange);
  return headers;
}

/** What to do where an address names nothing: the list of a page above has the names. */
function listRemedy({ words: { say } }: PageCall, error: SvcError, frame: PageFrame): Html | undefined {
  const { named, crumbs } = frame;
  const { local, lacks = '', nearest = '', reference } = error.params;
  const isName =
    error.code === 'SVC-TSK-001' ||
    (error.code === 'SVC-SRV-002' && lacks === '') ||
    (error.code === 'SVC-REG-005' && local !== undefined);
  const asked = String(reference ?? named?.name);
  // a version is named by the query: the name in the path is right
  if (!isName || named === undefined || asked.startsWith(`${named.name}:`)) return undefined;
  // of a tag, the reference has its repository too
  const prefix = asked.slice(0, -named.name.length);
  const near = String(nearest);
  const isNear = near !== '' && near.startsWith(prefix);
  const [text, path] = (isNear && prefix !== '' ? crumbs.at(-1) : crumbs[0]) ?? [];
  if (text === undefined || path === undefined) return undefined;
  const link = isNear
    ? html` ${say(parts.didYouMean)} <a href="${named.pathOf(near.slice(prefix.length))}">${untrusted(near)}</a>`
    : '';
  return html`${say(remedies.unknownName)} <a href="${path}">${untrusted(text)}</a>.${link}`;
}

/** What to do where the role does not open the records of the instance: a setting may open them to it. */
function recordsRemedy({ words: { say }, route }: PageCall, { code, params }: SvcError): Html | undefined {
  if (code !== 'SVC-AUTH-003' || !isOfRecords(route)) return undefined;
  return html`${say(remedies.recordsClosed, { role: String(params.role) })}`;
}

/** The line that gives the instance the zone that it lacks. */
function zoneRemedy({ words }: PageCall, error: SvcError): Html | undefined {
  if (remedyOf(error) !== remedies.setZone) return undefined;
  const { say } = words;
  return html`${say(remedies.setZone)} ${copyable(words, 'zone: zone-b', say(remedies.setting))}`;
}

interface ErrorPlace {
  /** The page that cannot be shown; undefined when the address is that of no page. */
  readonly frame?: PageFrame | undefined;
  /** Path of the page that was meant, when the path is that of no page. */
  readonly nearest?: string | undefined;
  /** The way to the records about removed content. */
  readonly removed?: Html | string;
}

/** The last part of a path, as it was typed; empty where it is no text. */
function lastPartOf(path: string): string {
  const part = path.replace(/\/+$/, '').split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(part).slice(0, 256);
  } catch {
    return '';
  }
}

/** The page of an error: it keeps the navigation, the title and the breadcrumb of the page that cannot be shown. */
export function toErrorPage(
  call: PageCall,
  error: SvcError,
  { frame, nearest, removed = '' }: ErrorPlace,
): Page {
  const { words, signedIn, exchange } = call;
  const { correlationId } = exchange;
  const listed = frame && listRemedy(call, error, frame);
  const remedy = listed ?? (frame && (recordsRemedy(call, error) ?? zoneRemedy(call, error)));
  const block = errorBlock({
    words,
    error,
    hasHelp: signedIn,
    mediumPage: mediumPage(call),
    correlationId,
    remedy,
    hasWay: listed !== undefined,
  });
  const { code } = error;
  // of an address that is none, the last part may be the name of something
  const lastPart = code === 'SVC-SRV-002' && frame === undefined && signedIn ? lastPartOf(exchange.path) : '';
  const title =
    frame !== undefined
      ? words.say(parts.errorOf, { title: frame.title, code })
      : code === 'SVC-SRV-002'
        ? words.say(parts.pageNotFound)
        : words.say(parts.errorTitle, { code });
  return {
    title,
    ...(frame && { heading: frame.heading, crumbs: frame.crumbs }),
    status: errorKinds[code].status,
    headers: pageHeaders(error, exchange),
    sections: [
      {
        id: 'error',
        html: html`${block}${removed}${nearest === undefined ? '' : html`<p>${words.say(parts.didYouMean)} <a href="${nearest}">${nearest}</a></p>`}<p class="way"><a href="/">${words.say(parts.toOverview)}</a>${lastPart === '' ? '' : html` <a href="/search?q=${encodeURIComponent(lastPart)}">${words.say(parts.searchFor, { q: lastPart })}</a>`}</p>`,
      },
    ],
  };
}

/**
 * The page of an error for a client that is not signed in. While the instance is busy, the page loads itself again. The
 * answer to a form does not: only its sender may send it again.
 */
export function toBareErrorPage(
  words: Words,
  error: SvcError,
  exchange: PageCall['exchange'],
  notices: BarePage['notices'],
): BarePage {
  const headers = pageHeaders(error, exchange);
  const isBusy = error.code === 'SVC-SRV-006' && exchange.req.method !== 'POST';
  return {
    language: words.language,
    title: words.say(parts.errorTitle, { code: error.code }),
    status: errorKinds[error.code].status,
    headers: { ...headers, ...(isBusy ? { refresh: '5' } : {}) },
    theme: selectTheme(exchange.req.headers.cookie),
    notices,
    // the help asks for a sign-in, and leads to the code after it
    html: html`${errorBlock({ words, error, hasHelp: true, correlationId: exchange.correlationId })}
<div class="buttons"><a class="button button-plain" href="/">${words.say(parts.toOverview)}</a><a class="button button-plain" href="/login">${words.say(parts.toSignIn)}</a></div>`,
  };
}
