import { dirname } from 'node:path';
import type { Report } from '../../../src/base/report.ts';
import { requireSetting } from '../../../src/base/require-setting.ts';
import type { LoadedConfig } from '../../../src/config/load-config.ts';
import { prepareFile, writeFileAtomic } from '../../../src/disk/atomic-file.ts';
import { makeFolder } from '../../../src/disk/make-folder.ts';
import { readNamed } from '../../../src/disk/named-file.ts';
import { toWriteError } from '../../../src/disk/write-error.ts';
import type { Language } from '../../../src/text/language.ts';
import { changeAccounts } from '../../user/change-accounts.ts';
import { createAccount } from '../../user/create-account.ts';
import { toTakenError, toTakenRetrieverError } from '../checks/refuse-taken.ts';
import { renderConfig } from './render-config.ts';

interface InstanceSetup {
  /** Path of the configuration. */
  readonly path: string;
  readonly loaded: LoadedConfig;
  /** The first account; absent when the state already has accounts. */
  readonly administrator: { readonly name: string; readonly password: string } | undefined;
  readonly actor: string;
  readonly report: Report;
  /** Path of the token for `svc sync` that is created with the account; absent: none. */
  readonly tokenFile?: string | undefined;
  /** Retriever to write; absent: none. */
  readonly retriever?: { readonly path: string; readonly text: string; readonly zone: string } | undefined;
  /** Language of the comments in the configuration. */
  readonly language: Language;
}

/**
 * Creates the missing folders of the configuration and the account. Then renames the configuration to its final name, so
 * that a visible configuration is always complete. Steps that can fail for lack of space or permission come before the
 * account. The short rest is not interrupted: an account without its configuration would be an incomplete setup.
 *
 * @throws SVC-STO-002, SVC-STO-004, SVC-AUTH-007; CommandLineError when another process has created the configuration
 */
export async function setUpInstance(setup: InstanceSetup): Promise<void> {
  const { path, loaded, administrator, tokenFile, retriever, actor, report, language } = setup;
  await makeFolder(dirname(path)).catch((error: unknown) => {
    throw toWriteError(error, path, { place: 'named' });
  });
  await using file = await prepareFile(path, renderConfig(loaded, language, retriever));
  if (administrator !== undefined) {
    const stateRoot = requireSetting('state.root', loaded.config.state.root);
    const { passwordMinLength } = loaded.config.auth;
    await createAccount({ stateRoot, passwordMinLength, ...administrator, role: undefined, actor, report });
  }
  if (tokenFile !== undefined)
    await createSyncToken({ stateRoot: dirname(tokenFile), actor, report }, tokenFile);
  if (retriever !== undefined) await writeRetriever(retriever);
  if (!(await file.commit())) throw toTakenError(path);
}

/** Creates an operator token and writes its secret, readable by its owner only. */
async function createSyncToken(
  where: { readonly stateRoot: string; readonly actor: string; readonly report: Report },
  path: string,
): Promise<void> {
  const name = await selectTokenName(where.stateRoot);
  const { secret } = await changeAccounts({
    ...where,
    action: 'token.create',
    target: name,
    apply: ({ tokens }) => tokens.create({ name, role: 'operator' }),
    describe: (created) => ({ role: created.role }),
  });
  await writeFileAtomic(path, `${secret}\n`, { mode: 0o600 });
}

/** Returns the first name that no token has; names of revoked tokens stay in use. */
async function selectTokenName(stateRoot: string): Promise<string> {
  const { openAccounts } = await import('../../../src/account/accounts.ts');
  await using accounts = openAccounts({ stateRoot });
  const taken = (await accounts.tokens.list()).map((token) => token.name);
  let name = 'sync';
  for (let count = 2; taken.includes(name); count += 1) name = `sync-${count}`;
  return name;
}

/** @throws CommandLineError when another Retriever has this name */
async function writeRetriever({
  path,
  text,
}: {
  readonly path: string;
  readonly text: string;
}): Promise<void> {
  await using file = await prepareFile(path, text);
  // an interrupted setup may have written the same text
  if (!(await file.commit()) && !(await hasText(path, text))) throw toTakenRetrieverError(path);
}

async function hasText(path: string, text: string): Promise<boolean> {
  const wanted = Buffer.from(text);
  const found = await readNamed(path, wanted.length).catch(() => undefined);
  return found?.equals(wanted) === true;
}
