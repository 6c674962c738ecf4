import { parsePassword } from '../../../../src/account/credential-rules.ts';
import type { Account } from '../../../../src/contract/access.ts';
import { deleteAccount, updateAccount } from '../../../../src/contract/operations/access.ts';
import { accounts, roleWords } from '../../../../src/text/words/accounts.ts';
import { done } from '../../../../src/text/words/done.ts';
import type { Query } from '../../../api/api-route.ts';
import { requireAccount, requireAccounts } from '../../../views/accounts.ts';
import { type Html, html } from '../../html.ts';
import { curlCommand } from '../../parts/curl.ts';
import { fingerprintField } from '../../parts/fingerprint.ts';
import { form, passwordField, selectField, submit } from '../../parts/form.ts';
import { historyLink } from '../../parts/history-link.ts';
import { leastOf } from '../../parts/least-password.ts';
import { facts } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import { action, type Page, type PageCall, page, type UiRoute } from '../../ui-route.ts';
import { roleOptions } from './accounts.ts';

/** The call of a page of one account. */
type NamedCall = PageCall<Query, { readonly name: string }>;

function factsOf({ words: { say, format } }: PageCall, account: Account): Html {
  const { role, createdAt, lastLoginAt } = account;
  return facts([
    [say(accounts.role), html`<span class="badge">${say(roleWords[role])}</span>`],
    [say(accounts.created), format.time(createdAt)],
    [say(accounts.lastLogin), lastLoginAt === undefined ? say(accounts.never) : format.time(lastLoginAt)],
  ]);
}

/** The page `/admin/accounts/{name}`. */
async function showAccount(call: NamedCall): Promise<Page> {
  const { say } = call.words;
  const account = await requireAccount(call, call.path.name);
  const { name, role } = account;
  const path = toPath('/admin/accounts/{name}', { name });
  const shown = fingerprintField(requireAccounts(call).stateOf(name));
  return {
    title: say(accounts.accountOf, { name }),
    crumbs: [[say(accounts.title), '/admin/accounts']],
    sections: [
      { id: 'facts', html: html`${factsOf(call, account)}${historyLink(call, name, { actor: name })}` },
      {
        id: 'role',
        column: 1,
        html: html`<h2>${say(accounts.changeRole)}</h2><p>${say(accounts.roleLine)}</p>${form(
          path,
          html`${shown}${selectField(call, { name: 'role', label: say(accounts.role), value: role, options: roleOptions(call.words) })}
${submit(say(accounts.changeRole))}`,
        )}`,
      },
      {
        id: 'password',
        column: 2,
        html: html`<h2>${say(accounts.newPassword)}</h2>${form(
          path,
          html`${shown}<input type="text" name="_name" value="${name}" autocomplete="username" hidden>
${passwordField(call, { name: 'password', label: say(accounts.newPassword), hint: say(accounts.passwordHint, { least: leastOf(call) }), autocomplete: 'new-password' })}
${submit(say(accounts.setPassword), { kind: 'plain' })}`,
        )}`,
      },
      {
        id: 'remove',
        html: html`<p><a class="button button-danger" href="${toPath('/admin/accounts/{name}/delete', { name })}">${say(accounts.remove)}</a></p>
${terminal(call.words, [
  `svc user role ${name} ${role}`,
  `svc user passwd ${name} --password-stdin`,
  curlCommand(call, 'PATCH', toPath('/accounts/{name}', { name }), JSON.stringify({ role })),
])}`,
      },
    ],
  };
}

/** The page `/admin/accounts/{name}/delete`. */
async function showDelete(call: NamedCall): Promise<Page> {
  const { say } = call.words;
  const account = await requireAccount(call, call.path.name);
  const { name, fingerprint } = account;
  const back = toPath('/admin/accounts/{name}', { name });
  return {
    title: say(accounts.removeTitle, { name }),
    crumbs: [
      [say(accounts.title), '/admin/accounts'],
      [name, back],
    ],
    sections: [
      {
        id: 'preview',
        html: html`<p>${untrusted(name)}: ${say(accounts.goes)}</p><p>${say(accounts.stays)}</p>${factsOf(call, account)}
${form(toPath('/admin/accounts/{name}/delete', { name }), html`${fingerprintField(fingerprint)}<div class="buttons">${submit(say(accounts.removeSubmit), { kind: 'danger' })}<a class="button button-plain" href="${back}">${say(accounts.cancel)}</a></div>`)}`,
      },
      {
        id: 'terminal',
        html: terminal(call.words, [
          `svc user remove ${name}`,
          curlCommand(call, 'DELETE', toPath('/accounts/{name}', { name }), JSON.stringify({ fingerprint })),
        ]),
      },
    ],
  };
}

export const accountChangePages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/admin/accounts/{name}',
    floor: 'admin',
    title: accounts.accounts,
    page: showAccount,
  }),
  action(updateAccount, {
    path: '/admin/accounts/{name}',
    page: '/admin/accounts/{name}',
    faulty: { 'SVC-AUTH-007': 'password', 'SVC-AUTH-011': 'role' },
    checks: (call) => ({ password: (text) => parsePassword(text, leastOf(call)) }),
    replacesShown: true,
    done: ({ path }) => ({
      location: toPath('/admin/accounts/{name}', { name: path.name! }),
      said: { text: done.accountChanged, params: { name: path.name! } },
    }),
  }),
  page({
    method: 'GET',
    path: '/admin/accounts/{name}/delete',
    floor: 'admin',
    title: accounts.remove,
    page: showDelete,
  }),
  action(deleteAccount, {
    path: '/admin/accounts/{name}/delete',
    page: '/admin/accounts/{name}/delete',
    needsPreview: true,
    done: ({ path }) => ({
      location: '/admin/accounts',
      said: { text: done.accountDeleted, params: { name: path.name! } },
    }),
  }),
];
