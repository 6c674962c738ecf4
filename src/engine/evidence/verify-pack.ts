import { existsSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parseStrictJson, RepeatedMemberError } from '../../base/json/parse-json.ts';
import { runAtOnce } from '../../base/pacer.ts';
import { checkValue } from '../../contract/check-value.ts';
import { Evidence, evidenceLimits } from '../../contract/evidence.ts';
import { readBounded } from '../../disk/named-file.ts';
import { toNamedFileError } from '../../disk/named-file-error.ts';
import { toReadError } from '../../disk/read-error.ts';
import { isSvcError, type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { textParam } from '../../text/text-param.ts';
import { checkSizes, sumsLimit } from './check-sizes.ts';
import { listDeliveries, listRecipes, listSpeakers, listWitnesses, type Witnessed } from './derive.ts';
import { hashPackFile } from './hash-file.ts';
import type { EvidenceSignature } from './model.ts';
import type { NamedStatement } from './named-statements.ts';
import { sumsName } from './pack-folder.ts';
import { renderGuide } from './render-guide.ts';
import { renderPage } from './render-page.ts';
import {
  type CheckedStatement,
  checkAgreement,
  checkPart,
  checkWhole,
  type LedgerNames,
} from './verify-ledger.ts';
import { checkNamed, type PackStatement } from './verify-lines.ts';
import { checkNames, checkRecipes, type Naming } from './verify-recipes.ts';
import {
  checkSignature,
  documentName,
  type Fault,
  type GivenKey,
  type OpenedPack,
  readKeys,
} from './verify-statements.ts';

/** Outcome of the check of an evidence pack. */
export interface PackCheck {
  /** Absent where `evidence.json` cannot be read. */
  readonly evidence?: Evidence;
  /** Number of checked files. */
  readonly files: number;
  /** The signatures that a given key verifies. */
  readonly verified: readonly (Pick<EvidenceSignature, 'path' | 'kind' | 'about'> & {
    readonly predicateType: string | undefined;
    readonly by: GivenKey;
  })[];
  /** The last lines of the ledger of the site that verified statements name. */
  readonly witnessed: Witnessed;
  /** Receipts and passports that lines name, and that a site keeps for a time only. */
  readonly forgotten: readonly NamedStatement[];
  /** Recipes without a verified signature, or without files: then with the code for which the pack does not have them. */
  readonly unsigned: readonly Pick<Evidence['recipes'][number], 'name' | 'version' | 'digest' | 'missing'>[];
  /** Whether `index.html` and `VERIFY.md` are those of `evidence.json`; those of another version are not compared. */
  readonly page: 'same' | 'different' | 'uncompared';
  readonly faults: readonly SvcError[];
  /** Those of the faults that only say that no given key verifies a signature. */
  readonly keyless: ReadonlySet<SvcError>;
}

const bounds = { depth: 16, values: 4_000_000 };
/** A path in a pack: plain characters, so that a shell, a terminal and a filesystem treat it as a name. */
const plainPath = /^(?!.*(?:^|\/)\.\.?(?:\/|$))[a-zA-Z0-9@+._-]+(?:\/[a-zA-Z0-9@+._-]+){0,4}$/;
const pageName = 'index.html';
const guideName = 'VERIFY.md';

/**
 * Checks an evidence pack: its files, its ledgers, the lines that it shows of them, and its signatures. Everything in it is
 * untrusted, and `evidence.json` a claim: each signature must verify under a given key, in the role of that key.
 *
 * @param keys one for each role and site of a key; the keys of the pack are not believed
 * @param predicates types of statements that approve a recipe, in addition to that of `cosign sign`
 * @param version of this program: the page and the guide of the same one are rendered anew, and compared
 * @throws SVC-FIL-005 for an absent folder, SVC-VAL-001 for one that is no pack, SVC-STO-001, SVC-STO-014
 */
export async function verifyPack(
  root: string,
  {
    keys,
    predicates = [],
    version,
    signal,
  }: {
    readonly keys: readonly GivenKey[];
    readonly predicates?: readonly string[];
    readonly version: string;
    readonly signal?: AbortSignal | undefined;
  },
): Promise<PackCheck> {
  const faults: SvcError[] = [];
  const keyless = new Set<SvcError>();
  const fault = (path: string, broken: Rule): void => {
    faults.push(svcError('SVC-CUS-003', { path, rule: broken }));
  };
  await requireFolder(root);
  await checkSizes(root, [sumsName], fault);
  const sums: ReadonlyMap<string, string> = faults.length > 0 ? new Map() : await readSums(root, fault);
  const unread = {
    files: sums.size,
    verified: [],
    forgotten: [],
    unsigned: [],
    witnessed: { others: [] },
    page: 'uncompared',
    faults,
    keyless,
  } as const;
  await checkSizes(root, sums.keys(), fault);
  if (faults.length > 0) return unread;
  for (const [path, sum] of sums) {
    signal?.throwIfAborted();
    const found = await hashOrAbsent(join(root, path));
    if (found === undefined) fault(path, rule(['it is absent', fr`il est absent`]));
    else if (found !== sum)
      fault(
        path,
        rule(['its bytes do not have the listed SHA-256', fr`ses octets n’ont pas le SHA-256 indiqué`]),
      );
  }
  const listed = new Set([sumsName, ...sums.keys()]);
  for (const path of await listFiles(root, fault))
    if (!listed.has(path))
      fault(path, rule([`${sumsName} does not list it`, fr`${sumsName} ne le cite pas`]));
  // a file that is not as listed is not read any further
  if (faults.length > 0) return unread;
  const evidence = await readDocument(root, fault);
  if (evidence === undefined) return unread;
  const isListed = (path: string, of: string): boolean => {
    if (!listed.has(path))
      fault(path, rule([`{of} names it, and it is absent`, fr`{of} le cite, et il est absent`], { of }));
    return listed.has(path);
  };
  const pack = { root, isListed, fault, signal };
  checkDerived(evidence, fault);
  checkAccounted(evidence, sums, fault);
  const names = await checkRecipes(pack, evidence.recipes);
  const packed = await readKeys(pack, evidence, keys);
  const statements: CheckedStatement[] = [];
  const named: PackStatement[] = [];
  const verified: PackCheck['verified'][number][] = [];
  const { recipes } = evidence;
  for (const signature of evidence.signatures) {
    signal?.throwIfAborted();
    const { path, kind, about, predicateType } = signature;
    const checked = await checkSignature(pack, signature, { recipes, keys, predicates, packed });
    const { by, statement } = checked;
    if (checked.isKeyless) keyless.add(faults.at(-1)!);
    if (by !== undefined) verified.push({ path, kind, about, predicateType, by });
    if (statement === undefined) continue;
    named.push({ ...statement, by, sites: by === undefined ? [] : listSitesOf(keys, by) });
    const { points } = signature;
    const { part } = statement;
    if (points !== undefined)
      statements.push({ path, isVerified: by !== undefined, points, ...(part && { part }) });
  }
  if (verified.length === 0) {
    fault(
      documentName,
      rule([
        'the pack has no statement that a given key signed: it proves nothing',
        fr`le dossier n’a aucune déclaration signée par une clé indiquée : il ne prouve rien`,
      ]),
    );
    keyless.add(faults.at(-1)!);
  }
  let known: LedgerNames | undefined;
  for (const ledger of evidence.ledgers) {
    if (!ledger.files.every((path) => isListed(path, documentName))) continue;
    if (ledger.checkpoint === undefined) known = await checkWhole(pack, evidence, ledger, statements);
    else await checkPart(pack, evidence, ledger, statements);
  }
  checkAgreement(evidence, statements, fault);
  checkNames(evidence, names, named.flatMap(toNamings), fault);
  const forgotten = checkNamed(evidence, named, known, fault);
  // the lines of withheld actors are compared with nothing
  const isWhole = evidence.ledgers[0]?.files.length !== 0;
  const speaking = named.flatMap(({ by, sites, signature: { points = [] } }) =>
    by?.site === undefined ? [] : [{ by: [by.site, ...sites, ...listSpeakers(points)], points }],
  );
  return {
    evidence,
    files: sums.size,
    verified,
    witnessed: listWitnesses(evidence.site, isWhole ? speaking : []),
    forgotten,
    unsigned: listUnsigned(recipes, verified),
    page: evidence.version === version ? await checkPages(pack, evidence) : 'uncompared',
    faults,
    keyless,
  };
}

/** One key may be that of several sites: none of them vouches for the others. */
const listSitesOf = (keys: readonly GivenKey[], { fingerprint }: GivenKey): readonly string[] =>
  keys.filter((one) => one.fingerprint === fingerprint).flatMap(({ site }) => site ?? []);

function listUnsigned(recipes: Evidence['recipes'], verified: PackCheck['verified']): PackCheck['unsigned'] {
  const signed = new Set(verified.flatMap(({ kind, path }) => (kind === 'recipe' ? [dirname(path)] : [])));
  return recipes.flatMap(({ name, version, digest, refused, folder, missing }) =>
    refused !== undefined || (folder !== undefined && signed.has(folder))
      ? []
      : [{ name, version, digest, ...(missing && { missing }) }],
  );
}

/** The recipes that a passport, an approval or a receipt names. A medium may give any name to a recipe that a zone refused. */
function toNamings({ signature, passport }: PackStatement): readonly Naming[] {
  const { kind, about, subjects, receipt } = signature;
  const path = `${signature.path}.signed`;
  if (kind === 'approval') return subjects.map((digest) => ({ path, name: about[0]!, digest }));
  const received = (receipt?.recipes ?? []).filter(({ state }) => state !== 'blocked');
  return [...(passport?.recipes ?? []), ...received].flatMap(({ name, version, digest }) =>
    name === undefined || version === undefined ? [] : [{ path, digest, name: `${name}@${version}` }],
  );
}

/** Compares the page and the guide with those that this version renders, both in one language. */
async function checkPages(
  { root, isListed, fault }: OpenedPack,
  evidence: Evidence,
): Promise<PackCheck['page']> {
  const isSame = async (name: string, pieces: Iterable<string>): Promise<boolean> =>
    isListed(name, documentName) &&
    (await readBounded(join(root, name), evidenceLimits.document)).equals(Buffer.from([...pieces].join('')));
  const differ = (name: string): 'different' => {
    fault(
      name,
      rule(
        ['it is not what svc {version} makes of {of}', fr`ce n’est pas ce que svc {version} fait de {of}`],
        { version: evidence.version, of: documentName },
      ),
    );
    return 'different';
  };
  for (const language of ['en', 'fr'] as const)
    if (await isSame(pageName, renderPage(evidence, language)))
      return (await isSame(guideName, [renderGuide(evidence, language)])) ? 'same' : differ(guideName);
  return differ(pageName);
}

/** @throws SVC-FIL-005 naming the folder, and not a file in it */
async function requireFolder(root: string): Promise<void> {
  const info = await stat(root).catch((cause: unknown) => {
    throw toNamedFileError(cause, root);
  });
  if (!info.isDirectory()) throw svcError('SVC-FIL-005', { path: root, file: root });
  if (existsSync(join(root, sumsName)) || existsSync(join(root, documentName))) return;
  const none = rule(['it has neither {sums} nor {document}', fr`il n’a ni {sums} ni {document}`], {
    ...{ sums: sumsName, document: documentName },
  });
  throw svcError('SVC-VAL-001', { file: root, problem: 'pack', rule: none });
}

async function readSums(root: string, fault: Fault): Promise<ReadonlyMap<string, string>> {
  const text = (await readBounded(join(root, sumsName), sumsLimit)).toString('utf8');
  const sums = new Map<string, string>();
  const lines = text.split('\n').slice(0, -1);
  if (!text.endsWith('\n') || lines.length > evidenceLimits.files)
    fault(sumsName, rule(['it is cut, or has too many lines', fr`il est coupé, ou a trop de lignes`]));
  else
    for (const line of lines) {
      const [, sum, path] = /^([0-9a-f]{64}) {2}(.{1,512})$/.exec(line) ?? [];
      if (sum === undefined || path === undefined || !plainPath.test(path) || sums.has(path)) {
        fault(
          sumsName,
          rule(['a line of it is none of sha256sum', fr`une de ses lignes n’en est pas une de sha256sum`]),
        );
        return new Map();
      }
      sums.set(path, sum);
    }
  return sums;
}

async function hashOrAbsent(path: string): Promise<string | undefined> {
  try {
    return await hashPackFile(path);
  } catch (error) {
    if (isSvcError(error, 'SVC-STO-014')) throw error;
    return undefined;
  }
}

/** All files below a folder. A link or a device in place of one is a fault, and so is an empty folder: a pack has none. */
async function listFiles(root: string, fault: Fault): Promise<readonly string[]> {
  const found: string[] = [];
  let seen = 0;
  const walk = async (folder: string): Promise<void> => {
    const entries = await readdir(join(root, folder), { withFileTypes: true });
    if (entries.length === 0) fault(folder, rule(['it is an empty folder', fr`c’est un dossier vide`]));
    for (const entry of entries) {
      seen += 1;
      if (seen > 2 * evidenceLimits.files) return;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) await walk(path);
      else if (entry.isFile()) found.push(path);
      else fault(path, rule(['it is no regular file', fr`ce n’est pas un fichier ordinaire`]));
    }
  };
  try {
    await walk('');
  } catch (error) {
    throw toReadError(error, root);
  }
  return found;
}

async function readDocument(root: string, fault: Fault): Promise<Evidence | undefined> {
  try {
    const value: unknown = parseStrictJson(
      await readBounded(join(root, documentName), evidenceLimits.document),
      bounds,
    );
    checkValue(value, Evidence, '', documentName);
    return value as Evidence;
  } catch (error) {
    if (error instanceof RepeatedMemberError) fault(documentName, error.rule);
    else if (error instanceof SyntaxError) fault(documentName, rule(['not JSON', fr`pas du JSON`]));
    else if (isSvcError(error, 'SVC-VAL-001'))
      fault(
        documentName,
        rule(['{path} {broken}', fr`{path} {broken}`], {
          path: textParam(error, 'path'),
          broken: textParam(error, 'rule'),
        }),
      );
    else throw error;
    return undefined;
  }
}

/** Compares the document with the lines of the pack, from which its lists follow. */
function checkDerived(evidence: Evidence, fault: Fault): void {
  const { site, ledgers, recipes, deliveries, signatures, keys } = evidence;
  const named = runAtOnce(listRecipes(evidence));
  const isSameRecipe = (
    { folder, documentDigest: _, missing, ...one }: (typeof recipes)[number],
    i: number,
  ) => {
    const wanted = named[i];
    const isPlace = folder === undefined ? missing !== undefined : folder === wanted?.folder;
    return isPlace && isDeepStrictEqual({ ...one, folder: wanted?.folder }, wanted);
  };
  const sent = runAtOnce(listDeliveries(evidence));
  for (const { id, claimed = [] } of sent)
    for (const { part, manifest } of deliveries.flatMap((one) => (one.id === id ? one.media : [])))
      if (claimed.some((one) => one.manifest === manifest))
        fault(
          documentName,
          rule(
            [
              'it shows a disk without a passport as part {part} of {id}, for which a passport vouches for another medium',
              fr`il montre un disque sans passeport comme la partie {part} de {id}, dont un passeport garantit un autre support`,
            ],
            { part, id },
          ),
        );
  const used = new Set(signatures.map(({ key }) => key));
  const isSame =
    site === ledgers[0]?.site &&
    ledgers.every(({ checkpoint }, i) => (checkpoint === undefined) === (i === 0)) &&
    recipes.length === named.length &&
    recipes.every(isSameRecipe) &&
    isDeepStrictEqual(deliveries, sent) &&
    new Set(signatures.map(({ path }) => path)).size === signatures.length &&
    keys.every(({ path }) => used.has(path));
  if (!isSame)
    fault(
      documentName,
      rule([
        'its lists do not follow from the lines of the pack',
        fr`ses listes ne découlent pas des lignes du dossier`,
      ]),
    );
}

/** Finds files that the document does not account for: the sums alone are no reason to believe them. */
function checkAccounted(
  { ledgers, recipes, signatures, keys }: Evidence,
  sums: ReadonlyMap<string, string>,
  fault: Fault,
): void {
  const known = new Set([
    ...[documentName, pageName, guideName],
    ...ledgers.flatMap(({ files }) => files),
    ...recipes.flatMap(({ folder }) =>
      folder === undefined ? [] : [`${folder}/manifest.json`, `${folder}/recipe.yaml`],
    ),
    ...signatures.flatMap(({ path, bundle }) => [`${path}.signed`, `${path}.sig`, bundle]),
    ...keys.map(({ path }) => path),
  ]);
  for (const path of sums.keys())
    if (!known.has(path))
      fault(
        path,
        rule(['{of} does not account for it', fr`{of} n’en rend pas compte`], { of: documentName }),
      );
}
