import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { toFingerprint } from '../../attest/public-key.ts';
import { toIndentedPieces } from '../../base/json/json-pieces.ts';
import { Pacer, runInTurns } from '../../base/pacer.ts';
import { requireSetting } from '../../base/require-setting.ts';
import type { Evidence, EvidenceScope } from '../../contract/evidence.ts';
import { listLedgerFiles } from '../../custody/check-ledger.ts';
import type { Claim } from '../../custody/claims.ts';
import { toCustodyFolder } from '../../custody/ledger-files.ts';
import { refuseLedger } from '../../custody/read-head.ts';
import { collectRecipe } from '../../engine/evidence/collect-recipe.ts';
import { listDeliveries, listRecipes } from '../../engine/evidence/derive.ts';
import type { Collected, EvidenceKey, EvidenceSignature } from '../../engine/evidence/model.ts';
import { listAbsent, listNamed, toStatementKey } from '../../engine/evidence/named-statements.ts';
import type { PackFolder } from '../../engine/evidence/pack-folder.ts';
import { renderGuide } from '../../engine/evidence/render-guide.ts';
import { renderPage } from '../../engine/evidence/render-page.ts';
import { type SelectedLedger, selectFromLedger } from '../../engine/evidence/select-lines.ts';
import { toKeyFile, toKeyPath } from '../../engine/evidence/sign-files.ts';
import { createWithoutActors, withheldName } from '../../engine/evidence/without-actors.ts';
import { toRecipeDestination } from '../../engine/sync/recipe-places.ts';
import type { SignedSource } from '../../oci/ports.ts';
import type { Store } from '../../store/model.ts';
import { openRepository } from '../../store/open-repository.ts';
import { svcError } from '../../text/error.ts';
import type { Language } from '../../text/language.ts';

import { type Context, toDestinationSetting } from '../context.ts';
import { loadConfiguredPeers } from '../load-policy.ts';
import { openOwnSigner } from '../zone/issue-receipt.ts';
import { collectParts } from './collect-parts.ts';
import { collectApprovals, collectPassports, collectReceipts } from './collect-statements.ts';
import { readKeptKeys } from './kept-keys.ts';
import { listIssuedClaims, listKeptClaims } from './known-claims.ts';
import { findFault } from './verify-custody.ts';

interface PackEvidenceInput {
  readonly scope: EvidenceScope;
  readonly withholdActors: boolean;
  readonly language: Language;
  /** The store of this instance, for recipes; another place is the destination. */
  readonly store: Store | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Collects everything that the ledgers of this instance tell of a delivery, of a recipe, or of a time: the lines, the recipes
 * with their signatures, the receipts, and the keys. The same inputs give the same bytes.
 *
 * @param folder receives the files; the caller finishes it
 * @throws SVC-CUS-001 for a broken ledger, SVC-CUS-002 where no line is selected, SVC-CUS-004 for too many lines;
 *   SVC-CFG-001, errors of the state, of the folder and of keys
 */
export async function packEvidence(
  context: Context,
  folder: PackFolder,
  { scope, withholdActors, language, store, signal }: PackEvidenceInput,
): Promise<Evidence> {
  const { config } = context;
  const stateRoot = requireSetting('state.root', config.state.root);
  const {
    check,
    first,
    site: own,
    lines,
    files,
    named,
  } = await packLedger(folder, stateRoot, { scope, site: config.custody.site, signal });
  if (lines.length === 0) {
    const unfound = scope.kind === 'since' ? 'since' : 'name';
    const problem = config.custody.enabled ? unfound : 'off';
    throw svcError('SVC-CUS-002', { [scope.kind]: scope.value, problem });
  }
  const site = own ?? requireSetting('custody.site', config.custody.site);

  const keys = (await loadKeys(context, stateRoot, site)).map((key) =>
    withholdActors && context.policy.roots.includes(key) ? { ...key, name: withheldName } : key,
  );
  const sources = (name: string): readonly SignedSource[] => listSources(context, store, name);
  const signatures: EvidenceSignature[] = [];
  // each is written at once: all of them together may be larger than the memory
  const put = async (found: Collected): Promise<void> => {
    signatures.push(...found.signatures);
    for (const { path, bytes } of found.files) await folder.put(path, bytes);
  };
  const shown = new Set(lines.flatMap(listNamed).map(toStatementKey));
  const parts = await collectParts(stateRoot, scope, { keys, named: shown, signal });
  const present = new Set(parts.map((part) => part.present));
  const putStatements = async (found: Awaited<ReturnType<typeof collectReceipts>>): Promise<void> => {
    for (const key of found.present) present.add(key);
    await put(found);
  };
  const hide = createWithoutActors();
  const ledgers: Evidence['ledgers'][number][] = [];
  for (const ledger of [
    { site, count: check.lines, first, head: check.head.digest, files, lines },
    ...parts.map((part) => part.ledger),
  ])
    ledgers.push(
      withholdActors ? { ...ledger, files: [], lines: await runInTurns(hide(ledger.lines)) } : ledger,
    );
  const pacer = new Pacer();
  const recipes: Evidence['recipes'][number][] = [];
  const passports = await collectPassports(stateRoot, lines, keys);
  const sourcesOfMedia = { site, ledgers, signatures: passports.signatures };
  for (const named of await runInTurns(listRecipes({ scope, ...sourcesOfMedia }), pacer)) {
    const found = await collectRecipe(named, sources(named.name), keys, { signal });
    recipes.push(found.recipe);
    await put(found);
    if (pacer.isDue()) await pacer.rest();
  }
  await putStatements(
    await collectReceipts(stateRoot, { scope, site, named, end: check.head.seq, recipes }, lines, keys),
  );
  await putStatements(passports);
  // the signed bytes of an approval have the name of an account
  if (!withholdActors) await putStatements(await collectApprovals(stateRoot, lines, keys));
  for (const {
    files: [ledger, ...others],
    signatures,
  } of parts)
    await put({ signatures, files: withholdActors ? others : [ledger!, ...others] });
  const used = new Set(signatures.flatMap(({ key }) => key ?? []));
  const shownKeys = keys.filter((key) => used.has(toKeyPath(key)));

  const actors = withholdActors ? 'withheld' : 'named';
  const evidence: Evidence = {
    formatVersion: '1.0',
    version: context.version,
    scope,
    site,
    actors,
    ledgers,
    deliveries: await runInTurns(listDeliveries(sourcesOfMedia), pacer),
    recipes,
    signatures,
    keys: shownKeys.map((key) => ({ path: toKeyPath(key), name: key.name, fingerprint: key.fingerprint })),
    absent: listAbsent({ ledgers, actors }, present),
  };
  for (const { path, bytes } of shownKeys.map(toKeyFile)) await folder.put(path, bytes);
  if (withholdActors) for (const file of files) await folder.remove(file);
  await folder.putText('evidence.json', toDocument(evidence));
  await folder.putText('index.html', renderPage(evidence, language));
  await folder.put('VERIFY.md', Buffer.from(renderGuide(evidence, language)));
  return evidence;
}

function* toDocument(evidence: Evidence): Generator<string> {
  yield* toIndentedPieces(evidence);
  yield '\n';
}

/**
 * Copies the files of the ledger, selects lines of the copies, and lists the keys of all named statements. The ledger must have
 * the lines that receipts of this instance name; one without lines, those that any statement names.
 *
 * @param options.site the site that the settings name
 * @throws SVC-CUS-001, SVC-CUS-004
 */
async function packLedger(
  folder: PackFolder,
  stateRoot: string,
  {
    scope,
    site,
    signal,
  }: {
    readonly scope: EvidenceScope;
    readonly site: string | undefined;
    readonly signal: AbortSignal | undefined;
  },
): Promise<SelectedLedger & { readonly files: readonly string[]; readonly named: ReadonlySet<string> }> {
  const from = toCustodyFolder(stateRoot);
  const own = await listIssuedClaims(stateRoot);
  let other: Claim | undefined;
  const files: string[] = [];
  for (const path of await listLedgerFiles(from)) {
    const name = `ledger/${basename(path)}`;
    await folder.copy(name, path, (await stat(path)).size);
    files.push(name);
  }
  const paths = files.map((name) => join(folder.root, name));
  const named = new Set<string>();
  const selected = await selectFromLedger(paths, scope, {
    signal,
    visit: (line, { seq, digest }) => {
      other ??= own.find((one) => one.site === line.site && one.seq === seq && one.head !== digest);
      for (const one of listNamed(line)) named.add(toStatementKey(one));
    },
  });
  const { check } = selected;
  const { broken, unfinished } = check;
  const claims = check.lines === 0 ? await listKeptClaims(stateRoot) : own;
  const about = claims.filter((one) => one.site === (selected.site ?? site));
  const fault = findFault(check, about, other);
  if (fault !== undefined)
    refuseLedger(join(from, basename(broken?.path ?? files.at(-1) ?? '')), fault, broken?.line);
  // a line that is being written at this moment
  if (unfinished !== undefined) await folder.cut(files.at(-1)!, unfinished.bytes);
  return { ...selected, files, named };
}

/** Keys under which signatures are verified: trust roots, peers, the key of this instance, and those that signed here. */
async function loadKeys(
  { config, policy, report }: Context,
  stateRoot: string,
  site: string,
): Promise<readonly EvidenceKey[]> {
  const peers = await loadConfiguredPeers(config, policy);
  const keys: EvidenceKey[] = [...policy.roots, ...peers];
  try {
    const signer = await openOwnSigner(config);
    if (signer !== undefined) {
      const fingerprint = toFingerprint(signer.publicKey);
      keys.push({ name: config.zone ?? site, key: signer.publicKey, fingerprint });
    }
  } catch (error) {
    report.log(
      'warn',
      'The key of this instance cannot be read: its signatures are not verified in the pack',
      {
        error,
      },
    );
  }
  for (const key of await readKeptKeys(stateRoot, site))
    if (!keys.some(({ fingerprint }) => fingerprint === key.fingerprint)) keys.push(key);
  return keys;
}

/** Places that may have a recipe: the store, and the destination. */
function listSources(
  { config, registry }: Context,
  store: Store | undefined,
  name: string,
): readonly SignedSource[] {
  const repositories = new Set(
    (store?.index.recipes() ?? []).flatMap((one) => (one.name === name ? [one.repository] : [])),
  );
  const local = [...repositories].map((repository) =>
    openRepository(store!, repository, { owner: { provenance: 'recipe' } }),
  );
  const destination = toDestinationSetting(config);
  if (destination === undefined) return local;
  const place = toRecipeDestination(destination, name);
  return [...local, registry.repository(place, { access: 'push', substitute: false })];
}
