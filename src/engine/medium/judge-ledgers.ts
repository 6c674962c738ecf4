import { isAbsolute, relative } from 'node:path';
import type { Store } from '../../store/model.ts';
import type { MediumEntry, MediumHeader } from '../../store/rest/media-manifest.ts';
import { type SvcError, svcError } from '../../text/error.ts';
import { fr } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { textParam } from '../../text/text-param.ts';
import { compareHeader } from './compare-graph.ts';
import { type MediumFiles, toFileProblem } from './judge-file.ts';

const missing = rule(['missing', fr`manque`]);

/** Verdict on the ledgers of a medium. */
interface LedgerVerdict {
  /** SVC-MED-005: the recipe graph was changed after the medium was made. */
  readonly blocks: readonly SvcError[];
  /**
   * SVC-MED-022: damaged ledger content, which is not used. SVC-MED-015: a listed file in `ledger/` that is
   * not a ledger.
   */
  readonly findings: readonly SvcError[];
}

/**
 * Checks the ledgers: the current ones must be listed and unaltered, belong to this medium, and name the
 * recipes that the manifest names. An altered recipe ledger blocks the medium; an altered content ledger is a
 * finding.
 */
export function judgeLedgers(
  store: Pick<Store, 'root' | 'mediaId' | 'ledgers' | 'damage' | 'contradicted' | 'lastSync' | 'index'>,
  header: MediumHeader,
  entries: ReadonlyMap<string, MediumEntry>,
  files: MediumFiles,
): LedgerVerdict {
  const blocks = new Map<string, SvcError>();
  const findings = new Map<string, SvcError>();
  const note = (path: string, detail: Rule | string, expected?: string): void => {
    if (!path.startsWith('ledger/recipes')) findings.set(path, svcError('SVC-MED-022', { path, detail }));
    else blocks.set(path, toLedgerError(path, detail === missing, detail, expected));
  };
  for (const { path: full, detail } of store.damage)
    note(isAbsolute(full) ? relative(store.root, full) : full, detail);
  if (store.contradicted > 0)
    note(
      store.ledgers.content,
      rule(
        [
          'it contradicts the bytes of {contradicted} manifests',
          fr`il contredit les octets de {contradicted} manifestes`,
        ],
        { contradicted: store.contradicted },
      ),
    );
  const inForce = [store.ledgers.content, store.ledgers.recipes];
  const listed = [...entries.keys()].filter((path) => path.startsWith('ledger/'));
  for (const path of new Set([...inForce, ...listed])) {
    const entry = entries.get(path);
    if (!entry) {
      note(path, files.has(path) ? rule(['not in the inventory', fr`absent de l’inventaire`]) : missing);
      continue;
    }
    const problem = toFileProblem(files, path, entry.digest, entry.size);
    if (problem) note(path, toDetail(problem), entry.digest);
    else if (!inForce.includes(path)) findings.set(path, svcError('SVC-MED-015', { path }));
  }
  const path = 'media.jsonl';
  const difference =
    header.mediaId === store.mediaId
      ? compareHeader(header.recipes, store.index.recipes())
      : { path, expected: store.mediaId, actual: header.mediaId };
  if (difference) blocks.set(path, svcError('SVC-MED-005', difference));
  const { lastSync } = store;
  if (lastSync && (lastSync.zone !== header.zone || lastSync.resolvedAt !== header.resolvedAt)) {
    const detail = rule(
      [
        'the recipe ledger says zone {zone}, resolved {resolvedAt}',
        fr`le journal des recettes indique la zone {zone}, résolue le {resolvedAt}`,
      ],
      { zone: lastSync.zone, resolvedAt: lastSync.resolvedAt },
    );
    findings.set(path, svcError('SVC-MED-022', { path, detail }));
  }
  return { blocks: [...blocks.values()], findings: [...findings.values()] };
}

/** The error for a recipe ledger that is altered, or that an incomplete copy does not have. */
export function toLedgerError(
  path: string,
  isMissing: boolean,
  actual: Rule | string,
  expected?: string,
): SvcError {
  return svcError('SVC-MED-005', isMissing ? { path, missing: 'yes' } : { path, expected, actual });
}

function toDetail(error: SvcError): Rule | string {
  switch (error.code) {
    case 'SVC-MED-010':
      return missing;
    case 'SVC-MED-011':
      return rule(['{actual} bytes', fr`{actual} octets`], { actual: String(error.params.actual) });
    default:
      return textParam(error, 'actual') ?? textParam(error, 'detail') ?? error.code;
  }
}
