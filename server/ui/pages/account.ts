import { parsePassword } from '../../../src/account/credential-rules.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { changePassword } from '../../../src/contract/operations/access.ts';
import { startSentence } from '../../../src/text/start-sentence.ts';
import { account } from '../../../src/text/words/account.ts';
import { roleWords } from '../../../src/text/words/accounts.ts';
import { parts } from '../../../src/text/words/parts.ts';
import { listWrong } from '../faults.ts';
import { type Html, html } from '../html.ts';
import { curlCommand } from '../parts/curl.ts';
import { form, passwordField, submit } from '../parts/form.ts';
import { leastOf } from '../parts/least-password.ts';
import { facts } from '../parts/table.ts';
import { terminal } from '../parts/terminal.ts';
import { untrusted } from '../parts/text.ts';
import { fieldOf } from '../read-form.ts';
import { action, type Check, type Page, type PageCall, type UiRoute } from '../ui-route.ts';

const roles = ['viewer', 'operator', 'admin'] as const;

function passwordForm(call: PageCall): Html {
  const { say } = call.words;
  if (call.identity.account === undefined) return html`<p class="muted">${say(account.noPassword)}</p>`;
  return html`${form(
    '/account/password',
    html`<input type="text" name="_name" value="${call.identity.account}" autocomplete="username" hidden>
${passwordField(call, { name: 'current', label: say(account.current), autocomplete: 'current-password' })}
${passwordField(call, { name: 'new', label: say(account.new), hint: say(account.newHint, { least: leastOf(call) }), autocomplete: 'new-password' })}
${submit(say(account.submit))}`,
  )}${terminal(
    call.words,
    [curlCommand(call, 'POST', '/account/password', '@password.json', `-u ${call.identity.account}`)],
    [say(parts.terminalPassword, { document: '{"current": "…", "new": "…"}' })],
  )}`;
}

function showAccount(call: PageCall): Page {
  const { identity, sessionLeft } = call;
  const { say, format } = call.words;
  const session =
    sessionLeft === undefined
      ? []
      : ([
          [
            say(account.session),
            say(account.sessionUntil, { time: format.time(systemClock.wall() + sessionLeft) }),
          ],
        ] as const);
  return {
    title: say(account.title),
    sections: [
      {
        id: 'identity',
        html: facts([
          [say(account.name), untrusted(identity.actor)],
          [say(account.role), html`<span class="badge">${say(roleWords[identity.role])}</span>`],
          ...session,
        ]),
      },
      // while authentication is disabled there is no account
      ...(identity.via === 'disabled'
        ? []
        : [
            {
              id: 'password',
              html: html`<h2>${say(account.password)}</h2><p>${say(account.passwordLead)}</p>${passwordForm(call)}`,
            },
          ]),
      {
        id: 'roles',
        html: html`<h2>${say(account.roles)}</h2>${facts(roles.map((role) => [startSentence(say(roleWords[role])), say(account[role])]))}`,
      },
    ],
  };
}

export const accountPages: readonly UiRoute[] = [
  { method: 'GET', path: '/account', floor: 'viewer', title: account.title, page: showAccount },
  action(changePassword, {
    path: '/account/password',
    page: '/account',
    faulty: { 'SVC-AUTH-006': 'current', 'SVC-AUTH-007': 'new' },
    // the operation judges the current password before the new one
    checks: (call): Readonly<Record<string, Check>> =>
      fieldOf(call.fields, 'current') ? {} : { new: (text) => parsePassword(text, leastOf(call)) },
    beside: (call, { code }) =>
      code === 'SVC-AUTH-006'
        ? listWrong({ new: () => parsePassword(fieldOf(call.fields, 'new'), leastOf(call)) })
        : new Map(),
    // the sessions of the account have ended with the old password
    done: () => ({ location: '/login?changed=1' }),
  }),
];
