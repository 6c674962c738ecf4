import { dirname, join } from 'node:path';
import { writeApproval } from '../../attest/approval.ts';
import { audited } from '../../base/audited.ts';
import { toStamp } from '../../base/clock.ts';
import { type Digest, digestHex, hashBytes } from '../../base/digest.ts';
import type { Report } from '../../base/report.ts';
import { requireSetting } from '../../base/require-setting.ts';
import { toUnknownName } from '../../catalog/unknown-name.ts';
import type { Config } from '../../config/model.ts';
import type { custodyApproval } from '../../contract/custody.ts';
import type { TypeOf } from '../../contract/schema.ts';
import { toCustodyFolder } from '../../custody/ledger-files.ts';
import { statementNames } from '../../custody/statement-names.ts';
import { writeStateFile } from '../../disk/atomic-file.ts';
import { makeStateFolder } from '../../disk/make-folder.ts';
import type { Signer } from '../../signing/signer.ts';
import type { Store } from '../../store/model.ts';
import { keepKey } from './kept-keys.ts';
import { requireCustody } from './require-kept.ts';

/** The file of a signed approval. @param statement its digest */
export function toApprovalPath(stateRoot: string, statement: Digest): string {
  return join(toCustodyFolder(stateRoot), 'statements', `${digestHex(statement)}.sigstore.json`);
}

interface ApproveInput {
  /** `<name>@<version>` of a recipe of the store. */
  readonly recipe: string;
  readonly store: Pick<Store, 'index'>;
  readonly signer: Signer;
  readonly actor: string;
}

/**
 * Signs that somebody approves a recipe, keeps the statement beside the ledger, and appends that to it. It does not replace
 * the signature of the recipe: no zone accepts a recipe for it.
 *
 * @throws SVC-CFG-001 without a ledger, SVC-REG-005 for a recipe that the store does not have, the errors of the ledger
 */
export async function approveRecipe(
  { config, report }: { readonly config: Config; readonly report: Report },
  { recipe, store, signer, actor }: ApproveInput,
): Promise<TypeOf<typeof custodyApproval>> {
  return audited(
    report,
    { actor, action: 'custody.approve', target: recipe, details: { keyFingerprint: signer.fingerprint } },
    async () => {
      const custody = requireCustody(config);
      const all = store.index.recipes();
      const found = all.find(({ name, version }) => `${name}@${version}` === recipe);
      if (found === undefined)
        throw toUnknownName(
          recipe,
          all.map(({ name, version }) => `${name}@${version}`),
        );
      const { name, version, digest, documentDigest } = found;
      const site = requireSetting('custody.site', config.custody.site);
      const bytes = writeApproval(
        { site, actor, approvedAt: toStamp(), recipe: { name, version, digest } },
        documentDigest,
        signer,
      );
      const statement = hashBytes(bytes);
      const stateRoot = requireSetting('state.root', config.state.root);
      const path = toApprovalPath(stateRoot, statement);
      await custody.during(
        {
          type: 'approved',
          actor,
          subjects: [
            { name: recipe, digest },
            { name: statementNames.approval, digest: statement },
          ],
          details: { keyFingerprint: signer.fingerprint },
        },
        async () => {
          await makeStateFolder(dirname(path));
          await writeStateFile(path, bytes);
          await keepKey(stateRoot, 'approver', signer.publicKey);
        },
      );
      return { recipe, digest, statement: path, keyFingerprint: signer.fingerprint };
    },
  );
}
