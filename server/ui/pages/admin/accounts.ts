import { parseName, parsePassword } from '../../../../src/account/credential-rules.ts';
import { type AccountRecord, roles, type TokenRecord } from '../../../../src/account/model.ts';
import { toWholeActor } from '../../../../src/contract/history.ts';
import type { QueryOf } from '../../../../src/contract/operation.ts';
import * as operations from '../../../../src/contract/operations/access.ts';
import { svcError } from '../../../../src/text/error.ts';
import { accounts, roleWords } from '../../../../src/text/words/accounts.ts';
import { done } from '../../../../src/text/words/done.ts';
import { history } from '../../../../src/text/words/history.ts';
import type { Words } from '../../../../src/text/words/words.ts';
import { showHistory } from '../../../../src/view/history.ts';
import { listAccounts, listTokens } from '../../../views/accounts.ts';
import { html } from '../../html.ts';
import { badge } from '../../parts/badge.ts';
import { curlCommand } from '../../parts/curl.ts';
import { form, passwordField, selectField, submit, textField } from '../../parts/form.ts';
import { hasHistory } from '../../parts/history-link.ts';
import { leastOf } from '../../parts/least-password.ts';
import { pageField, selectRows } from '../../parts/pager.ts';
import { table } from '../../parts/table.ts';
import { terminal } from '../../parts/terminal.ts';
import { noValue, showActor, tableMoment, untrusted } from '../../parts/text.ts';
import { toPath } from '../../to-href.ts';
import { action, type Page, type PageCall, page, type UiRoute } from '../../ui-route.ts';

/** The roles as options of a field. */
export const roleOptions = ({ say }: Words) => roles.map((role) => [role, say(roleWords[role])] as const);

/** The accounts, and the tokens as the second list of the page. */
const parameters = {
  ...operations.listAccounts.query,
  ...pageField,
  'tokens-sort': operations.listTokens.query.sort,
  'tokens-order': operations.listTokens.query.order,
  'tokens-page': pageField.page,
};

/**
 * The creator of each token, from the newest part of the kept audit records. The last use of a token is not recorded, since
 * each pull would write a record.
 */
async function listMakers(call: PageCall): Promise<ReadonlyMap<string, string>> {
  if (!hasHistory(call)) return new Map();
  const { records } = await showHistory(call.instance.context.config, {
    action: 'token.create',
    outcome: ['success'],
    pageSize: 200,
  });
  return new Map(records.toReversed().flatMap(({ target, actor }) => (target ? [[target, actor]] : [])));
}

/** The page `/admin/accounts`. */
async function showAccounts(call: PageCall<QueryOf<typeof parameters>>): Promise<Page> {
  const { words, identity } = call;
  const { say, format } = words;
  const section = 'tokens';
  const { sort, order, ...others } = call.query;
  const tokenQuery = { sort: others['tokens-sort'], order: others['tokens-order'] };
  const tokenCall = { ...call, query: { ...tokenQuery, page: others['tokens-page'] } };
  const [people, tokens] = await Promise.all([
    listAccounts(call, { sort, order }),
    listTokens(call, tokenQuery),
  ]);
  const makers = await listMakers(call);
  const shownPeople = selectRows(call, people);
  const shownTokens = selectRows(tokenCall, tokens, section);
  const accountTable = table<AccountRecord>({
    caption: say(accounts.accounts),
    rows: shownPeople.rows,
    empty: say(accounts.noAccounts),
    list: { call, sort: 'name' },
    columns: [
      {
        label: say(accounts.name),
        isHeader: true,
        sort: 'name',
        cell: ({ name }) =>
          html`<span><a href="${toPath('/admin/accounts/{name}', { name })}">${untrusted(name)}</a>${name === identity.account ? html` <span class="muted">(${say(accounts.you)})</span>` : ''}</span>`,
      },
      {
        label: say(accounts.role),
        sort: 'role',
        cell: ({ role }) => html`<span class="badge">${say(roleWords[role])}</span>`,
      },
      {
        label: say(accounts.created),
        isTime: true,
        sort: 'created',
        cell: ({ createdAt }) => tableMoment(call.words, createdAt),
      },
      {
        label: say(accounts.lastLogin),
        isTime: true,
        sort: 'login',
        cell: ({ lastLoginAt }) =>
          lastLoginAt === undefined
            ? html`<span class="muted">${say(accounts.never)}</span>`
            : tableMoment(call.words, lastLoginAt),
      },
    ],
  });
  const tokenTable = table<TokenRecord>({
    caption: say(accounts.tokens),
    rows: shownTokens.rows,
    empty: say(accounts.noTokens),
    list: { call: tokenCall, sort: 'name', section },
    columns: [
      {
        label: say(accounts.name),
        isHeader: true,
        sort: 'name',
        cell: ({ name }) =>
          html`<a href="${toPath('/history', {}, { actor: toWholeActor(`token:${name}`) })}" title="${say(history.ofActor)}">${untrusted(name)}</a>`,
      },
      {
        label: say(accounts.role),
        sort: 'role',
        cell: ({ role }) => html`<span class="badge">${say(roleWords[role])}</span>`,
      },
      {
        label: say(accounts.created),
        isTime: true,
        sort: 'created',
        cell: ({ createdAt }) => tableMoment(call.words, createdAt),
      },
      ...(makers.size === 0
        ? []
        : [
            {
              label: say(accounts.createdBy),
              cell: ({ name }: TokenRecord) => {
                const actor = makers.get(name);
                return actor === undefined ? noValue : showActor(call.words, actor);
              },
            },
          ]),
      {
        label: say(accounts.lastUsed),
        isTime: true,
        sort: 'used',
        cell: ({ lastUsedOn }) =>
          lastUsedOn === undefined
            ? html`<span class="muted">${say(accounts.never)}</span>`
            : format.day(lastUsedOn),
      },
      {
        label: say(accounts.state),
        isState: true,
        sort: 'state',
        cell: ({ name, revokedAt }) =>
          revokedAt === undefined
            ? html`<span class="state-action">${badge('ok', say(accounts.valid))} <a class="button button-quiet button-danger" href="${toPath('/admin/accounts/-/tokens/{name}/revoke', { name })}" aria-label="${say(accounts.revokeNamed, { name })}">${say(accounts.revoke)}</a></span>`
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
        html: html`<div class="section-head"><h2>${say(accounts.accounts)}</h2><a class="button button-plain" href="/admin/accounts/-/new">${say(accounts.newAccount)}</a></div>${accountTable}${shownPeople.pages}`,
      },
      {
        id: section,
        html: html`<div class="section-head"><h2>${say(accounts.tokens)}</h2><a class="button button-plain" href="/admin/accounts/-/token">${say(accounts.newToken)}</a></div>${tokenTable}${shownTokens.pages}`,
      },
      {
        id: 'terminal',
        html: terminal(words, [
          'svc user list',
          curlCommand(call, 'GET', toPath('/accounts', {}, { sort, order })),
          curlCommand(call, 'GET', toPath('/tokens', {}, tokenQuery)),
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
${selectField(call, { name: 'role', label: say(accounts.role), value: 'viewer', options: roleOptions(call.words) })}
${passwordField(call, { name: 'password', label: say(accounts.password), hint: say(accounts.passwordHint, { least: leastOf(call) }), autocomplete: 'new-password' })}
${submit(say(accounts.create))}`,
        ),
      },
      { id: 'terminal', html: terminal(call.words, ['svc user add NAME --role viewer --password-stdin']) },
    ],
  };
}

export const accountsPages: readonly UiRoute[] = [
  page({
    method: 'GET',
    path: '/admin/accounts',
    floor: 'admin',
    title: accounts.title,
    query: parameters,
    page: showAccounts,
  }),
  {
    method: 'GET',
    path: '/admin/accounts/-/new',
    floor: 'admin',
    title: accounts.newAccount,
    page: showNewAccount,
  },
  action(operations.createAccount, {
    path: '/admin/accounts/-/new',
    page: '/admin/accounts/-/new',
    faulty: { 'SVC-AUTH-007': 'password', 'SVC-AUTH-008': 'name', 'SVC-AUTH-009': 'name' },
    checks: (call) => ({
      name: (text) => {
        parseName(text);
        if (call.accounts?.find(text) !== undefined) throw svcError('SVC-AUTH-009', { name: text });
      },
      password: (text) => parsePassword(text, leastOf(call)),
    }),
    done: (_call, answer) => {
      const { name, role } = answer.account;
      return { location: '/admin/accounts', said: { text: done.accountCreated, params: { name, role } } };
    },
  }),
];
