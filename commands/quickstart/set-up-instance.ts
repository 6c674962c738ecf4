import type { Language } from '../../src/base/language.ts';
import type { Report } from '../../src/base/report.ts';
import { requireSetting } from '../../src/base/require-setting.ts';
import type { LoadedConfig } from '../../src/config/load-config.ts';
import { prepareFile } from '../../src/disk/prepare-file.ts';
import { createAccount } from '../user/create-account.ts';
import { toTakenError } from './refuse-taken.ts';
import { renderConfig } from './render-config.ts';

interface InstanceSetup {
  /** Path of the configuration. */
  readonly path: string;
  readonly loaded: LoadedConfig;
  /** The first account; absent when the state already has accounts. */
  readonly administrator: { readonly name: string; readonly password: string } | undefined;
  readonly actor: string;
  readonly report: Report;
  /** Language of the comments in the configuration. */
  readonly language: Language;
}

/**
 * Creates the account, then renames the configuration to its final name, so that a visible configuration is
 * always complete. Steps that can fail for lack of space or permission come before the account. The short
 * rest is not interrupted: an account without its configuration would be an incomplete setup.
 *
 * @throws SVC-STO-002, SVC-STO-004, SVC-AUTH-007; CommandLineError when another process has created the
 *   configuration
 */
export async function setUpInstance(setup: InstanceSetup): Promise<void> {
  const { path, loaded, administrator, actor, report, language } = setup;
  await using file = await prepareFile(path, renderConfig(loaded, language));
  if (administrator !== undefined) {
    const stateRoot = requireSetting('state.root', loaded.config.state.root);
    await createAccount({ stateRoot, ...administrator, role: undefined, actor, report });
  }
  if (!(await file.commit())) throw toTakenError(path);
}
