import { type AccountRecord, roles, type TokenRecord } from '../../../../src/account/model.ts';
import { createAccount } from '../../../../src/contract/operations/access.ts';
import { accounts } from '../../../../src/text/words/accounts.ts';
import { done } from '../../../../src/text/words/done.ts';
import { listAccounts, listTokens } from '../../../views/accounts.ts';
import { html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { form, passwordField, selectField, submit, textField } from '../../parts/form.ts';
import { leastOf } from '../../parts/least-password.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import { action, type Page, type PageCall, type UiRoute } from '../../ui-route.ts';

/** The roles as options of a field; their names are those of the API. */
export const roleOptions = roles.map((role) => [role, role] as const);

/** The page `/admin/accounts`. */
async function showAccounts(call: PageCall): Promise<Page> {
  const { words, identity } = call;
  const { say, format } = words;
  const [people, tokens] = await Promise.all([listAccounts(call), listTokens(call)]);
  const accountTable = table<AccountRecord>({
    caption: say(accounts.accounts),
    rows: people,
    empty: say(accounts.noAccounts),
    columns: [
      {
        label: say(accounts.name),
        isHeader: true,
        cell: ({ name }) =>
          html`<span><a href="${toPath('/admin/accounts/{name}', { name })}">${untrusted(name)}</a>${name === identity.account ? html` <span class="muted">(${say(accounts.you)})</span>` : ''}</span>`,
      },
      { label: say(accounts.role), cell: ({ role }) => html`<span class="badge">${role}</span>` },
      { label: say(accounts.created), cell: ({ createdAt }) => format.time(createdAt) },
      {
        label: say(accounts.lastLogin),
        cell: ({ lastLoginAt }) =>
          lastLoginAt === undefined
            ? html`<span class="muted">${say(accounts.never)}</span>`
            : format.time(lastLoginAt),
      },
    ],
  });
  const tokenTable = table<TokenRecord>({
    caption: say(accounts.tokens),
    rows: tokens,
    empty: say(accounts.noTokens),
    columns: [
      { label: say(accounts.name), isHeader: true, cell: ({ name }) => untrusted(name) },
      { label: say(accounts.role), cell: ({ role }) => html`<span class="badge">${role}</span>` },
      { label: say(accounts.created), cell: ({ createdAt }) => format.time(createdAt) },
      {
        label: say(accounts.state),
        cell: ({ name, revokedAt }) =>
          revokedAt === undefined
            ? html`<span>${badge('ok', say(accounts.valid))} <a href="${toPath('/admin/accounts/-/tokens/{name}/revoke', { name })}" aria-label="${say(accounts.revokeNamed, { name })}">${say(accounts.revoke)}</a></span>`
            : html`<span class="muted">${say(accounts.revokedAt, { time: format.day(revokedAt) })}</span>`,
      },
    ],
  });
  return {
    title: say(accounts.title),
    lead: say(accounts.lead),
    sections: [
      {
        id: 'accounts',
        html: html`<div class="section-head"><h2>${say(accounts.accounts)}</h2><a class="button button-plain" href="/admin/accounts/-/new">${say(accounts.newAccount)}</a></div>${accountTable}`,
      },
      {
        id: 'tokens',
        html: html`<div class="section-head"><h2>${say(accounts.tokens)}</h2><a class="button button-plain" href="/admin/accounts/-/token">${say(accounts.newToken)}</a></div>${tokenTable}`,
      },
      {
        id: 'terminal',
        html: terminal(words, [
          'svc user list',
          curlCommand(call, 'GET', '/accounts'),
          curlCommand(call, 'GET', '/tokens'),
        ]),
      },
    ],
  };
}

/** The page `/admin/accounts/-/new`. */
async function showNewAccount(call: PageCall): Promise<Page> {
  const { say } = call.words;
  await listAccounts(call);
  return {
    title: say(accounts.newAccount),
    crumbs: [[say(accounts.title), '/admin/accounts']],
    sections: [
      {
        id: 'new',
        html: form(
          '/admin/accounts/-/new',
          html`${textField(call, { name: 'name', label: say(accounts.name), hint: say(accounts.nameHint), required: true })}
${selectField(call, { name: 'role', label: say(accounts.role), value: 'viewer', options: roleOptions })}
${passwordField(call, { name: 'password', label: say(accounts.password), hint: say(accounts.passwordHint, { least: leastOf(call) }), autocomplete: 'new-password' })}
${submit(say(accounts.create))}`,
        ),
      },
      { id: 'terminal', html: terminal(call.words, ['svc user add NAME --role viewer --password-stdin']) },
    ],
  };
}

export const accountsPages: readonly UiRoute[] = [
  { method: 'GET', path: '/admin/accounts', floor: 'admin', title: accounts.title, page: showAccounts },
  {
    method: 'GET',
    path: '/admin/accounts/-/new',
    floor: 'admin',
    title: accounts.newAccount,
    page: showNewAccount,
  },
  action(createAccount, {
    path: '/admin/accounts/-/new',
    page: '/admin/accounts/-/new',
    done: (_call, answer) => {
      const { name, role } = answer.account;
      return { location: '/admin/accounts', said: { text: done.accountCreated, params: { name, role } } };
    },
  }),
];
