import { resources } from '../src/base/shares/resources.ts';
import type { Bounds, Rank } from '../src/base/shares/shares.ts';

interface Row {
  readonly what: string;
  readonly isBytes?: true;
  /** The effect of the limit. */
  readonly refused: string;
}

const busy = '503 `SVC-SRV-006`';
const waits = `${busy} after 5 s`;
const dropped = 'the oldest of the account is dropped';

const rows: Readonly<Record<keyof typeof resources, Row>> = {
  connections: {
    what: 'connections; a trusted proxy has the share of an administrator',
    refused: 'one that is silent, idle or slow is closed, of the origin itself or of the one that has most',
  },
  answers: {
    what: 'answers that are made at once, of the API, the pages and lists of the registry',
    refused: 'the request waits; callers take turns, and so do the addresses of one caller',
  },
  unreadBytes: {
    what: 'bytes of finished answers that one address has not read, without those in buffers of the system',
    isBytes: true,
    refused: 'the oldest of these answers is broken off',
  },
  sessions: { what: 'sessions of the web interface', refused: 'the oldest session of the account ends' },
  signIns: { what: 'passwords that are being checked', refused: busy },
  smallBodies: {
    what: 'bodies of requests up to 64 KiB',
    isBytes: true,
    refused: `${busy}; before sign-in, the connection of the oldest unfinished body is closed`,
  },
  largeBodies: { what: 'larger bodies', isBytes: true, refused: 'the same' },
  uploads: {
    what: 'open uploads to the registry',
    refused: 'its longest idle upload ends; 429 when none is idle',
  },
  inspections: { what: 'inspections before an import', refused: waits },
  plans: { what: 'plans', refused: waits },
  documents: { what: 'recipes being pinned or compared', refused: waits },
  evidence: { what: 'evidence packs that are made or sent', refused: waits },
  exports: { what: 'exports of the history that are read', refused: waits },
  tasks: { what: 'waiting tasks', refused: '429 `SVC-TSK-002`' },
  results: { what: 'results that pages keep', refused: dropped },
  resultBytes: { what: 'bytes of these results', isBytes: true, refused: dropped },
  said: { what: 'confirmations for the next page', refused: dropped },
  pairs: { what: 'certificates that wait for a confirmation', refused: dropped },
  secrets: { what: 'secrets of new tokens until they are shown', refused: dropped },
  refusalRecords: { what: 'log records of refusals in a minute', refused: 'counted in one record' },
  auditRecords: {
    what: 'audit records of refused requests and of sign-ins in a minute',
    refused: 'counted in one record for each action and outcome',
  },
  attemptRecords: {
    what: 'audit records of changes that were refused or failed, in a minute',
    refused: 'the same',
  },
};

function toText(units: number, { isBytes }: Row): string {
  if (units === 0) return '–';
  if (isBytes === undefined) return String(units);
  return units < 1 << 20 ? `${units >> 10} KiB` : `${units >> 20} MiB`;
}

/** The table of everything that callers share, as `docs/operating/limits.md` has it. */
export function renderResources(): string {
  const lines = Object.entries(rows).map(([name, row]) => {
    const { total, reserve, share }: Bounds = resources[name as keyof typeof resources];
    const ofRank = (rank: Rank): string => toText(share[rank], row);
    const cells = [
      row.what,
      toText(total, row),
      ofRank('account'),
      ofRank('origin'),
      ofRank('admin'),
      toText(reserve, row),
      row.refused,
    ];
    return `| ${cells.join(' | ')} |`;
  });
  const head =
    '| resource | of all | of an account or token | of an origin before sign-in | of an administrator | reserve | at a limit |';
  return `${head}\n|---|---|---|---|---|---|---|\n${lines.join('\n')}\n`;
}
