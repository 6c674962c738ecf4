import { isSvcError, svcError } from '../../../src/text/error.ts';
import { login } from '../../../src/text/words/login.ts';
import { toHolder } from '../../shares/holder.ts';
import { cookieNames, toSetCookie } from '../cookies.ts';
import { type Html, html } from '../html.ts';
import { form, passwordField, submit, textField } from '../parts/form.ts';
import { icon } from '../parts/icons.ts';
import { leastOf } from '../parts/least-password.ts';
import { fieldOf } from '../read-form.ts';
import { withSaid } from '../said.ts';
import { isLocal } from '../to-href.ts';
import type { ActionCall, Fields, Outcome, Page, PageCall, UiRoute } from '../ui-route.ts';

/** Prefixes of hidden fields: the fields of another form, kept over a sign-in, and the parameters of its path. */
const keptPrefix = '_kept.';
const paramPrefix = '_path.';

/** A local path to come back to, or the overview. */
function toNext(text: string | undefined): string {
  return text?.startsWith('/') && text.length <= 2048 && isLocal(text) ? text : '/';
}

const hidden = (name: string, value: string): Html =>
  html`<input type="hidden" name="${name}" value="${value}">\n`;

function message(kind: 'bad' | 'info', what: string, more: string): Html {
  if (kind === 'info')
    return html`<div class="note" role="alert">${icon(kind)}<div><p class="error-what">${what}</p>${more === '' ? '' : html`<p>${more}</p>`}</div></div>`;
  return html`<div class="error" role="alert" tabindex="-1" autofocus>${icon(kind)}<div class="error-text"><p class="error-what"><a href="#field-password">${what}</a></p><p>${more}</p></div></div>`;
}

/** Whether name and password do not fit: worded for people here, since the help page needs a signed-in reader. */
const isWrong = ({ posted }: PageCall): boolean => isSvcError(posted?.error, 'SVC-AUTH-002');

function notice(call: PageCall): Html | string {
  const { say } = call.words;
  if (isWrong(call)) return message('bad', say(login.wrong), say(login.wrongAction));
  if (call.posted !== undefined) return '';
  if (call.search.has('changed')) return message('info', say(login.changed), '');
  return call.search.has('ended') ? message('info', say(login.ended), say(login.endedCause)) : '';
}

function signInForm(call: PageCall, kept: Html | string): Html {
  const { say } = call.words;
  const next = call.posted === undefined ? call.search.get('next') : call.field('next');
  return form(
    '/login',
    html`${hidden('next', toNext(next ?? undefined))}${kept}
${textField(call, { name: 'name', label: say(login.name), autocomplete: 'username', required: true })}
${passwordField(call, { name: 'password', label: say(login.password), autocomplete: 'current-password', message: say(login.wrong) })}
${submit(say(login.submit))}`,
  );
}

function toPage(call: PageCall, inside: Html): Page {
  const { say } = call.words;
  return {
    title: say(login.title),
    lead: say(login.lead),
    layout: 'plain',
    showsError: isWrong(call),
    sections: [{ id: 'sign-in', html: inside }],
  };
}

/** The kept fields of another form, again after a sign-in that failed. */
function keptAgain({ posted }: PageCall): Html | string {
  const own = [...(posted?.fields ?? [])].filter(
    ([name]) => name === '_action' || /^_(?:kept|path)\./.test(name),
  );
  return html`${own.flatMap(([name, values]) => values.map((value) => hidden(name, value)))}`;
}

function showLogin(call: PageCall): Page {
  const { say } = call.words;
  if (call.authenticator === undefined) {
    const inside = html`<p>${say(login.disabled)}</p><p><a class="button button-primary" href="/">${say(login.continue)}</a></p>`;
    return { ...toPage(call, inside), lead: '' };
  }
  return toPage(call, html`${notice(call)}${signInForm(call, keptAgain(call))}`);
}

/** The sign-in page in place of a form whose session has ended, with the typed values of that form, secrets excepted. */
export function showSigningInAgain(
  call: PageCall,
  action: string,
  params: Readonly<Record<string, string>>,
  fields: Fields,
): Page {
  const kept = html`${hidden('_action', action)}${Object.entries(params).map(([name, value]) => hidden(`${paramPrefix}${name}`, value))}${[...fields].flatMap(([name, values]) => values.map((value) => hidden(`${keptPrefix}${name}`, value)))}`;
  const note = message('info', call.words.say(login.kept), '');
  return { ...toPage(call, html`${note}${signInForm(call, kept)}`), status: 401 };
}

function select(fields: Fields, prefix: string): Fields {
  return new Map(
    [...fields].flatMap(([name, values]) =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), values]] : [],
    ),
  );
}

async function signIn(call: ActionCall): Promise<Outcome> {
  const { authenticator, exchange, fields, report, settings, certificate } = call;
  const name = fieldOf(fields, 'name') ?? '';
  const password = fieldOf(fields, 'password') ?? '';
  if (authenticator === undefined) return { location: '/' };
  if (name === '' || password === '') throw svcError('SVC-AUTH-002', {});
  const { origin, req } = exchange;
  const { identity, secret, maxAgeSeconds, isShort } = await authenticator.signIn({ name, password, origin });
  // never two sessions of one browser, and never one that it brought
  authenticator.signOut(req.headers.cookie);
  report.audit({
    actor: identity.actor,
    action: 'session.login',
    target: identity.actor,
    outcome: 'success',
    origin,
  });
  const secure = certificate !== undefined || settings.secureCookies;
  const cookies = [toSetCookie(cookieNames.session, secret, { secure, maxAge: maxAgeSeconds })];
  const action = fieldOf(fields, '_action');
  if (action === undefined) {
    const told = isShort ? { text: login.short, params: { least: leastOf(call) } } : undefined;
    const signedIn = { said: call.said, holder: toHolder(identity, origin) };
    return { location: withSaid(signedIn, toNext(fieldOf(fields, 'next')), told), cookies };
  }
  const params = Object.fromEntries(
    [...select(fields, paramPrefix)].map(([key, values]) => [key, values[0]!]),
  );
  const outcome = await call.showAgain(action, params, { identity, secret }, select(fields, keptPrefix));
  return { ...outcome, cookies };
}

function signOut(call: ActionCall): Outcome {
  const { authenticator, exchange, report, identity, signedIn, settings, certificate } = call;
  const { origin, req } = exchange;
  authenticator?.signOut(req.headers.cookie);
  if (signedIn && identity.via === 'session') {
    report.audit({
      actor: identity.actor,
      action: 'session.logout',
      target: identity.actor,
      outcome: 'success',
      origin,
    });
  }
  const secure = certificate !== undefined || settings.secureCookies;
  return { location: '/login', cookies: [toSetCookie(cookieNames.session, '', { secure, maxAge: 0 })] };
}

export const loginRoutes: readonly UiRoute[] = [
  { method: 'GET', path: '/login', floor: 'public', title: login.title, page: showLogin },
  {
    method: 'POST',
    path: '/login',
    floor: 'public',
    page: '/login',
    secrets: ['password'],
    faulty: { 'SVC-AUTH-002': 'password' },
    run: signIn,
  },
  { method: 'POST', path: '/logout', floor: 'public', page: '/login', isInHeader: true, run: signOut },
];
