import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CustodyLine } from '../../../src/contract/custody.ts';
import { checkLedger, listLedgerFiles } from '../../../src/custody/check-ledger.ts';
import { createSigner } from '../content/signer.ts';
import { runSvc } from '../program/svc.ts';
import { createRegistryDouble, type RegistryDouble } from '../result/registry-double.ts';
import { type BuiltMedium, buildMedium, type MediumRecipe } from './medium.ts';

/** A source and a zone that both keep a ledger, believe each other, and have a key each. */
export interface CustodySites extends AsyncDisposable {
  readonly medium: BuiltMedium;
  readonly registry: RegistryDouble;
  /** Configuration files. */
  readonly source: string;
  readonly zone: string;
  readonly sourceKey: string;
  /** Folders of the states. */
  readonly sourceState: string;
  readonly zoneState: string;
  path(name: string): string;
  /** Runs a command, and reads its document. @param exitCode expected; default 0 */
  run(args: readonly string[], exitCode?: number): Promise<any>;
}

/** @param keepsLedger default true @param recipes of the source; default: two, both signed with the key of the trust root */
export async function openCustodySites(
  keepsLedger = true,
  recipes?: readonly MediumRecipe[],
): Promise<CustodySites> {
  const medium = await buildMedium(recipes && { recipes });
  const registry = await createRegistryDouble();
  const { folder, signer } = medium;
  const path = (name: string): string => join(folder, name);
  for (const name of ['zone-a', 'zone-b']) {
    const { privateKey, publicKeyPem } = createSigner();
    await writeFile(path(`${name}.key`), privateKey.export({ type: 'pkcs8', format: 'pem' }), {
      mode: 0o600,
    });
    await writeFile(path(`${name}.pub`), publicKeyPem);
  }
  const statements = ['receipt', 'passport', 'checkpoint'];
  const settings = (own: string, peer: string, more: object) => ({
    mode: 'mirror',
    zone: own,
    trust: { roots: [{ name: 'release', key: signer.publicKeyPem }] },
    signing: { keyFile: path(`${own}.key`) },
    peers: [{ name: peer, keyFile: path(`${peer}.pub`), for: statements }],
    custody: { enabled: keepsLedger },
    ...more,
  });
  const [source, zone] = [path('source.json'), path('zone.json')];
  const [sourceState, zoneState] = [path('maker'), path('zone-state')];
  const ofSource = { storage: { root: medium.root }, state: { root: sourceState } };
  await writeFile(source, JSON.stringify(settings('zone-a', 'zone-b', ofSource)));
  const ofZone = {
    storage: { root: path('carried') },
    state: { root: zoneState },
    destination: { registry: registry.host },
    registries: { insecure: [registry.host] },
  };
  await writeFile(zone, JSON.stringify(settings('zone-b', 'zone-a', ofZone)));
  return {
    ...{ medium, registry, source, zone, sourceState, zoneState, path },
    sourceKey: path('zone-a.key'),
    run: async (args, exitCode = 0) => {
      const result = await runSvc([...args, '--output', 'json']);
      assert.equal(result.exitCode, exitCode, `${args.join(' ')}\n${result.stderr}\n${result.stdout}`);
      return result.stdout === '' ? undefined : JSON.parse(result.stdout);
    },
    [Symbol.asyncDispose]: async () => {
      await registry[Symbol.asyncDispose]();
      await medium[Symbol.asyncDispose]();
    },
  };
}

/** The lines of the ledger of a state, whose chain must be whole. */
export async function readCustody(stateRoot: string): Promise<readonly CustodyLine[]> {
  const lines: CustodyLine[] = [];
  const { broken } = await checkLedger(await listLedgerFiles(join(stateRoot, 'custody')), {
    visit: (line) => lines.push(line),
  });
  assert.equal(broken, undefined);
  return lines;
}

/** A line in one word: its type, and its step or result. */
export const nameLine = ({ type, step, result }: CustodyLine): string => `${type} ${result ?? step}`;
