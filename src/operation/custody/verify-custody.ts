import { readdir, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Digest } from '../../base/digest.ts';
import { requireSetting } from '../../base/require-setting.ts';
import type { Config } from '../../config/model.ts';
import { type CustodyCheck, type CustodyLine, custodyLimits } from '../../contract/custody.ts';
import { checkLedger, type LedgerCheck, listLedgerFiles } from '../../custody/check-ledger.ts';
import { type Claim, KnownClaims, listContradictions } from '../../custody/claims.ts';
import { stepOf } from '../../custody/ended-intents.ts';
import { toCustodyFolder } from '../../custody/ledger-files.ts';
import { readClaims } from '../../custody/read-claims.ts';
import { toNamedFileError } from '../../disk/named-file-error.ts';
import { isSvcError, svcError, toErrorRecord } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { carriedNames } from './carry-custody.ts';
import { listIssuedClaims, listKeptClaims } from './known-claims.ts';

/** Most open operations that are listed. */
const mostOpen = 1000;

type Judged = Omit<CustodyCheck, 'open' | 'peer'>;

/**
 * Checks every line of the ledger of a configuration, and the ends of it that other sites know. Does the same with the ledger
 * of another site: every end of it that was ever accepted must be in it.
 *
 * @param peer its files, or one folder of them, oldest first; a part of a ledger is checked from its first line on
 * @param peerSite its site, where no claim about it may be known
 * @returns also of a broken ledger: `error` names the broken line
 * @throws SVC-CFG-001 without a state folder, SVC-FIL-005 for a file that is absent, SVC-VAL-001 for a folder or file that is no
 *   ledger, SVC-STO-001, SVC-STO-014
 */
export async function verifyCustody(
  { state, custody }: Pick<Config, 'state' | 'custody'>,
  {
    peer = [],
    peerSite,
    signal,
  }: { readonly peer?: readonly string[]; readonly peerSite?: string; readonly signal?: AbortSignal } = {},
): Promise<CustodyCheck> {
  const stateRoot = requireSetting('state.root', state.root);
  const place = toCustodyFolder(stateRoot);
  const { site } = custody;
  const kept = [...(await listKeptClaims(stateRoot)), ...(await listIssuedClaims(stateRoot))];
  const accepted = await readClaims(place, site, [], signal);
  const known = new KnownClaims();
  for (const claim of [...kept, ...accepted.claims]) known.add(claim);
  const claims = known.list();
  const open = new Map<number, CustodyLine>();
  /** The last intent of each run that is under way. */
  const runs = new Map<string, number>();
  const files = await listLedgerFiles(place);
  const own = await judge(files, claims, {
    place,
    site,
    signal,
    visit: (line) => {
      const step = stepOf(line);
      // a resumed task has a new intent, which takes the former one over
      const before = step.run === undefined ? undefined : runs.get(step.run);
      if (before !== undefined) open.delete(before);
      if (line.of !== undefined) open.delete(line.of);
      if (line.step === 'intent') {
        open.set(line.seq, line);
        if (step.run !== undefined) runs.set(step.run, line.seq);
      } else if (step.run !== undefined) runs.delete(step.run);
      const [oldest] = open.keys();
      if (open.size > mostOpen) open.delete(oldest!);
    },
  });
  const contradictions = listContradictions(claims).map(toErrorRecord);
  const others = (await Promise.all(peer.map(listPeerFiles))).flat();
  const options = { place: peer.at(-1) ?? '', site: peerSite, isPeerOf: site ?? '', signal };
  return {
    ...own,
    open: [...open.values()],
    ...(contradictions.length === 0 ? {} : { contradictions }),
    ...(peer.length === 0 ? {} : { peer: await judge(others, claims, options) }),
  };
}

/**
 * The files of the ledger of another site. Something else is no ledger of which the end was cut.
 *
 * @throws SVC-FIL-005; SVC-VAL-001 for a folder without files of a ledger, and for the lines that a medium carries
 */
async function listPeerFiles(path: string): Promise<readonly string[]> {
  const refuse = (isPart: boolean) =>
    svcError('SVC-VAL-001', {
      file: path,
      problem: 'ledger',
      rule: isPart
        ? rule([
            'a medium carries these lines, which are only a part of a ledger',
            fr`ces lignes sont celles d’un support, qui n’a qu’une partie d’un journal de garde`,
          ])
        : rule([
            'the folder has no file of a ledger',
            fr`le dossier n’a aucun fichier d’un journal de garde`,
          ]),
    });
  try {
    if (!(await stat(path)).isDirectory()) {
      if (basename(path) === carriedNames.lines) throw refuse(true);
      return [path];
    }
    const found = await listLedgerFiles(path);
    if (found.length === 0) throw refuse((await readdir(path)).includes(carriedNames.lines));
    return found;
  } catch (cause) {
    throw isSvcError(cause) ? cause : toNamedFileError(cause, path);
  }
}

interface JudgeOptions {
  /** The folder, which errors name where there is no file. */
  readonly place: string;
  /** The site that keeps the ledger; default: its lines name it. */
  readonly site?: string | undefined;
  /** The site of this instance, where the ledger is that of another one. */
  readonly isPeerOf?: string | undefined;
  readonly visit?: (line: CustodyLine) => void;
  readonly signal?: AbortSignal | undefined;
}

async function judge(
  files: readonly string[],
  claims: readonly Claim[],
  { place, site, isPeerOf, visit, signal }: JudgeOptions,
): Promise<Judged> {
  const isPeer = isPeerOf !== undefined;
  const claimed = new Set(claims.map((claim) => claim.site));
  const expected = Map.groupBy(claims, ({ seq }) => seq);
  const sites = new Set<string>(site === undefined ? [] : [site]);
  const others: Claim[] = [];
  const compare = (seq: number, digest: Digest): void => {
    for (const claim of expected.get(seq) ?? []) if (claim.head !== digest) others.push(claim);
  };
  let last: Judged['last'];
  let first: number | undefined;
  let isNamed = false;
  const check = await checkLedger(files, {
    isPart: isPeer,
    signal,
    visit: (line, { seq, digest }) => {
      if (first === undefined) compare(seq - 1, line.prev);
      first ??= seq;
      compare(seq, digest);
      isNamed ||= site === undefined ? claimed.has(line.site) : line.site === site;
      // a ledger can have as many sites as lines
      if (claimed.has(line.site)) sites.add(line.site);
      last = { site: line.site, seq, head: digest };
      visit?.(line);
    },
  });
  // nothing says of which of the other sites a ledger without lines is
  if (isPeer && site === undefined && last === undefined)
    for (const one of claimed) if (one !== isPeerOf) sites.add(one);
  const known = claims.filter((claim) => sites.has(claim.site) && claim.seq >= (first ?? 1) - 1);
  const other = others.find((claim) => sites.has(claim.site));
  const isStrange = isPeer && !isNamed && (last !== undefined || (site === undefined && known.length === 0));
  const fault = findFault(check, known, other, isStrange ? (last?.site ?? '') : undefined);
  const { lines, broken, unfinished } = check;
  const path = broken?.path ?? files.at(-1) ?? place;
  return {
    files,
    lines,
    ...(last ? { last } : {}),
    ...(unfinished ? { unfinished: unfinished.bytes } : {}),
    known: known
      .filter(({ isWithin }) => isWithin === undefined)
      .toSorted((one, next) => one.seq - next.seq)
      .slice(-custodyLimits.known)
      .map(({ site: of, seq, head, from }) => ({
        ...{ site: of, seq, head, from: String(from) },
        ...(typeof from === 'string' ? {} : { fromRule: from }),
      })),
    ...(fault
      ? { error: toErrorRecord(svcError('SVC-CUS-001', { path, line: broken?.line, rule: fault })) }
      : {}),
  };
}

/**
 * Finds why a ledger does not hold: its chain is broken, or a claim about it names a line that it does not have.
 *
 * @param other a claim that names another line than the ledger has
 * @param strange the site of a ledger that no claim and nobody names; empty for a ledger without lines
 */
export function findFault(
  { head, broken }: LedgerCheck,
  known: readonly Claim[],
  other: Claim | undefined,
  strange?: string,
): Rule | undefined {
  if (broken !== undefined) return broken.rule;
  if (other !== undefined)
    return rule(
      ['line {seq} is another one than {from} names', fr`la ligne {seq} n’est pas celle que nomme {from}`],
      { seq: other.seq, from: other.from },
    );
  if (strange !== undefined)
    return rule(
      [
        'no statement names a line of [site {site}|it]: give the name of its site with --peer-site',
        fr`aucune déclaration ne nomme une ligne [du site {site}|de ce journal de garde] : indiquez le nom de son site avec --peer-site`,
      ],
      { site: strange },
    );
  const cut = known.find(({ seq }) => seq > head.seq);
  return (
    cut &&
    rule(
      [
        'it ends with line {seq}, and {from} names line {known}',
        fr`il finit à la ligne {seq}, et {from} nomme la ligne {known}`,
      ],
      { seq: head.seq, from: cut.from, known: cut.seq },
    )
  );
}
