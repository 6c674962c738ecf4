import type { Report } from '../../src/base/report.ts';
import { requireSetting } from '../../src/base/require-setting.ts';
import type { LoadedConfig } from '../../src/config/load-config.ts';
import { prepareFile } from '../../src/disk/prepare-file.ts';
import { createAccount } from '../user/create-account.ts';
import { toTakenError } from './refuse-taken.ts';
import { renderConfig } from './render-config.ts';

interface InstanceSetup {
  /** Where the configuration goes. */
  readonly path: string;
  readonly loaded: LoadedConfig;
  /** The first account; absent when the state has accounts. */
  readonly administrator: { readonly name: string; readonly password: string } | undefined;
  readonly actor: string;
  readonly report: Report;
}

/**
 * Makes the account, then gives the configuration its name: whoever finds the configuration finds all of it. What can
 * fail for want of space or permission has been done before the account. It goes through to its end, which is near, also
 * when it is interrupted: an account without its configuration would be half of it.
 *
 * @throws SVC-STO-002, SVC-STO-004, SVC-AUTH-007; CommandLineError when somebody else has made the configuration meanwhile
 */
export async function setUpInstance(setup: InstanceSetup): Promise<void> {
  const { path, loaded, administrator, actor, report } = setup;
  await using file = await prepareFile(path, renderConfig(loaded));
  if (administrator !== undefined) {
    const stateRoot = requireSetting('state.root', loaded.config.state.root);
    await createAccount({ stateRoot, ...administrator, role: undefined, actor, report });
  }
  if (!(await file.commit())) throw toTakenError(path);
}
