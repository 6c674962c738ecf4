/**
 * The closed catalogue of coded errors: class, HTTP status and parameters of each code.
 * Sentences live in `message-en.ts` and `message-fr.ts`; an error carries code and parameters only.
 */

/** Decides the exit code: failure 1, policy 3, verification 4. */
export type ErrorClass = 'failure' | 'policy' | 'verification';

interface Entry {
  readonly class: ErrorClass;
  /** HTTP status of the error in an answer; 500 for errors that occur only at start. */
  readonly status: number;
  /** Parameter names; a trailing `?` marks one that may be absent. */
  readonly params: readonly string[];
}

const table = {
  'SVC-AUTH-001': { class: 'policy', status: 500, params: ['detail?', 'at?', 'hint?'] },
  'SVC-AUTH-002': { class: 'failure', status: 401, params: ['session?', 'fileset?'] },
  'SVC-AUTH-003': { class: 'policy', status: 403, params: ['role'] },
  'SVC-AUTH-004': { class: 'failure', status: 403, params: [] },
  'SVC-AUTH-005': { class: 'failure', status: 401, params: [] },
  'SVC-AUTH-006': { class: 'failure', status: 422, params: [] },
  'SVC-AUTH-007': { class: 'failure', status: 422, params: ['rule?'] },
  'SVC-AUTH-008': { class: 'failure', status: 422, params: ['rule'] },
  'SVC-AUTH-009': { class: 'failure', status: 409, params: ['name'] },
  'SVC-AUTH-010': { class: 'failure', status: 404, params: ['name'] },
  'SVC-AUTH-011': { class: 'policy', status: 409, params: ['name'] },
  'SVC-AUTH-012': { class: 'failure', status: 429, params: ['retryAfterSeconds'] },
  'SVC-CFG-001': { class: 'failure', status: 409, params: ['setting', 'detail?', 'problem?', 'hint?'] },
  'SVC-CFG-002': { class: 'policy', status: 500, params: ['path', 'root'] },
  'SVC-NET-001': { class: 'failure', status: 502, params: ['proxy', 'detail?'] },
  'SVC-NET-002': { class: 'failure', status: 500, params: ['path', 'detail?'] },
  'SVC-NET-003': { class: 'failure', status: 500, params: ['path', 'detail?'] },
  'SVC-NET-004': { class: 'failure', status: 422, params: ['detail?'] },
  'SVC-VAL-001': {
    class: 'failure',
    status: 422,
    params: ['file', 'path?', 'line?', 'rule', 'unpinned?', 'problem?'],
  },
  'SVC-VAL-002': { class: 'failure', status: 413, params: ['limit', 'file?'] },
  'SVC-REG-001': { class: 'failure', status: 400, params: ['reference', 'rule?', 'form?'] },
  'SVC-REG-002': {
    class: 'failure',
    status: 502,
    params: ['host', 'detail?', 'problem?', 'proxyVariable?', 'caVariable?', 'clock?', 'until?'],
  },
  'SVC-REG-003': { class: 'failure', status: 502, params: ['host', 'detail?', 'login?'] },
  'SVC-REG-004': { class: 'failure', status: 504, params: ['host', 'timeout', 'setting?'] },
  'SVC-REG-005': {
    class: 'failure',
    status: 404,
    params: ['reference', 'effective?', 'hint?', 'file?', 'local?', 'nearest?', 'push?', 'recipe?'],
  },
  'SVC-REG-006': {
    class: 'failure',
    status: 422,
    params: ['reference', 'constraint', 'candidates', 'empty?'],
  },
  'SVC-REG-007': { class: 'failure', status: 502, params: ['reference', 'detail', 'status?'] },
  'SVC-REG-008': { class: 'failure', status: 422, params: ['reference', 'platforms', 'available'] },
  'SVC-REG-009': { class: 'failure', status: 422, params: ['reference', 'detail'] },
  'SVC-POL-001': { class: 'policy', status: 403, params: ['host', 'hop?', 'reason?'] },
  'SVC-POL-002': { class: 'policy', status: 403, params: ['repository', 'recipes'] },
  'SVC-POL-003': { class: 'policy', status: 403, params: ['repository'] },
  'SVC-POL-004': {
    class: 'policy',
    status: 409,
    params: ['reference', 'published', 'document?', 'candidate', 'content?'],
  },
  'SVC-POL-005': { class: 'policy', status: 403, params: ['reference'] },
  'SVC-SIG-001': {
    class: 'verification',
    status: 422,
    params: ['subject', 'reason', 'fingerprints?', 'attested?', 'limit?'],
  },
  'SVC-SIG-002': { class: 'verification', status: 422, params: ['reference', 'expected', 'actual'] },
  'SVC-SIG-003': {
    class: 'verification',
    status: 422,
    params: ['expected', 'actual', 'reference?', 'problem?'],
  },
  'SVC-SGN-001': { class: 'failure', status: 422, params: ['path', 'rule', 'problem?'] },
  'SVC-SGN-002': { class: 'verification', status: 422, params: ['path', 'rule', 'subject'] },
  'SVC-DST-001': { class: 'failure', status: 422, params: ['reference', 'limit'] },
  'SVC-DST-002': { class: 'failure', status: 422, params: ['reference', 'missing'] },
  'SVC-DST-003': { class: 'failure', status: 422, params: ['reference', 'digest'] },
  'SVC-DST-004': { class: 'failure', status: 422, params: ['reference', 'mediaType', 'detail'] },
  'SVC-DST-005': { class: 'failure', status: 422, params: ['reference', 'rule?', 'limit?'] },
  'SVC-FIL-001': { class: 'failure', status: 422, params: ['path', 'rule'] },
  'SVC-FIL-002': { class: 'policy', status: 422, params: ['path', 'rule'] },
  'SVC-FIL-003': { class: 'policy', status: 403, params: ['path', 'layout?'] },
  'SVC-FIL-004': { class: 'policy', status: 422, params: ['reference', 'path', 'rule'] },
  'SVC-FIL-005': {
    class: 'failure',
    status: 422,
    params: ['path', 'absent?', 'disk?', 'folder?', 'special?', 'denied?', 'parent?'],
  },
  'SVC-FIL-006': { class: 'failure', status: 409, params: ['path', 'kept?'] },
  'SVC-FIL-007': { class: 'policy', status: 422, params: ['path', 'rule'] },
  'SVC-FIL-008': { class: 'verification', status: 422, params: ['path', 'count', 'faults'] },
  'SVC-FIL-009': {
    class: 'failure',
    status: 422,
    params: ['program', 'path', 'detail?', 'absent?', 'problem?'],
  },
  'SVC-CHT-001': { class: 'verification', status: 422, params: ['chart', 'dependency'] },
  'SVC-DRF-001': { class: 'failure', status: 422, params: ['images', 'flags'] },
  'SVC-DRF-002': { class: 'failure', status: 422, params: ['sources', 'proposed?', 'found?'] },
  'SVC-CHT-002': { class: 'failure', status: 422, params: ['chart', 'problem?', 'detail?'] },
  'SVC-STO-001': { class: 'failure', status: 500, params: ['path', 'detail?', 'problem?', 'user?', 'root?'] },
  'SVC-STO-002': {
    class: 'failure',
    status: 500,
    params: ['path', 'detail?', 'problem?', 'user?', 'folder?', 'root?'],
  },
  'SVC-STO-003': {
    class: 'failure',
    status: 500,
    params: ['path', 'detail?', 'problem?', 'user?'],
  },
  'SVC-STO-004': {
    class: 'failure',
    status: 507,
    params: ['path', 'needed', 'usable', 'free', 'margin?', 'shortfall', 'reserve?', 'place?'],
  },
  'SVC-STO-005': { class: 'failure', status: 507, params: ['path', 'filesystem', 'limit', 'size'] },
  'SVC-STO-006': { class: 'failure', status: 422, params: [] },
  'SVC-STO-007': { class: 'failure', status: 409, params: ['path', 'holder?'] },
  'SVC-STO-008': { class: 'failure', status: 409, params: ['found', 'supported'] },
  'SVC-STO-009': { class: 'verification', status: 422, params: ['path', 'detail?'] },
  'SVC-STO-010': { class: 'verification', status: 422, params: ['path', 'detail?'] },
  'SVC-STO-011': { class: 'verification', status: 422, params: ['path', 'detail', 'mended?'] },
  'SVC-STO-012': { class: 'failure', status: 422, params: ['path', 'detail', 'leftovers?', 'bytes?'] },
  'SVC-STO-013': { class: 'failure', status: 409, params: ['path', 'found', 'state?'] },
  'SVC-STO-014': { class: 'failure', status: 503, params: ['path', 'detail?'] },
  'SVC-STO-015': { class: 'failure', status: 409, params: ['repository'] },
  'SVC-STO-016': { class: 'failure', status: 409, params: ['recipe', 'reference', 'digest'] },
  'SVC-STO-017': { class: 'failure', status: 409, params: ['path', 'mount'] },
  'SVC-STO-018': { class: 'failure', status: 500, params: ['path', 'detail?'] },
  'SVC-STO-019': { class: 'failure', status: 503, params: ['path', 'detail?'] },
  'SVC-STO-020': { class: 'failure', status: 503, params: ['path', 'state?'] },
  'SVC-MED-001': {
    class: 'verification',
    status: 422,
    params: ['path', 'mediaId?', 'folder?', 'found?', 'nested?'],
  },
  'SVC-MED-002': { class: 'verification', status: 422, params: ['path', 'detail?', 'mediaId?'] },
  'SVC-MED-003': { class: 'verification', status: 422, params: ['found', 'supported', 'mediaId?'] },
  'SVC-MED-004': { class: 'verification', status: 422, params: ['found', 'supported', 'mediaId?'] },
  'SVC-MED-005': {
    class: 'verification',
    status: 422,
    params: ['path', 'expected?', 'actual?', 'missing?', 'mediaId?'],
  },
  'SVC-MED-006': { class: 'policy', status: 409, params: ['expected', 'found', 'mediaId?'] },
  'SVC-MED-007': {
    class: 'policy',
    status: 409,
    params: ['importedAt?', 'zone', 'resolvedAt', 'recordedAt', 'recordedMediaId?', 'mediaId?'],
  },
  'SVC-MED-010': { class: 'verification', status: 422, params: ['path', 'recipe?', 'mediaId?'] },
  'SVC-MED-011': {
    class: 'verification',
    status: 422,
    params: ['path', 'expected?', 'actual?', 'recipe?', 'mediaId?'],
  },
  'SVC-MED-012': {
    class: 'verification',
    status: 422,
    params: ['path', 'expected?', 'actual?', 'recipe?', 'mediaId?'],
  },
  'SVC-MED-013': { class: 'verification', status: 422, params: ['path', 'recipe?', 'mediaId?'] },
  'SVC-MED-014': { class: 'verification', status: 422, params: ['path', 'detail?', 'recipe?', 'mediaId?'] },
  'SVC-MED-015': { class: 'verification', status: 422, params: ['path', 'recipe?', 'mediaId?'] },
  'SVC-MED-020': { class: 'failure', status: 422, params: ['path', 'form?', 'nested?', 'mediaId?'] },
  'SVC-MED-021': { class: 'failure', status: 422, params: ['path', 'mediaId?'] },
  'SVC-MED-022': { class: 'failure', status: 422, params: ['path', 'detail?', 'mediaId?'] },
  'SVC-MED-023': { class: 'failure', status: 422, params: ['recipe', 'version', 'imported', 'mediaId?'] },
  'SVC-MED-024': { class: 'failure', status: 422, params: ['resolvedAt', 'now', 'mediaId?'] },
  'SVC-MED-025': { class: 'verification', status: 422, params: ['mediaId?'] },
  'SVC-MED-030': { class: 'policy', status: 403, params: ['mediaId?', 'change?'] },
  'SVC-MED-031': { class: 'failure', status: 409, params: ['stage', 'mediaId?'] },
  'SVC-MED-032': { class: 'policy', status: 403, params: ['mediaId?'] },
  'SVC-MED-033': { class: 'failure', status: 503, params: ['mediaId?', 'problem?'] },
  'SVC-LAY-001': { class: 'failure', status: 422, params: ['path', 'detail?'] },
  'SVC-LAY-002': { class: 'verification', status: 422, params: ['path', 'rule'] },
  'SVC-LAY-003': { class: 'failure', status: 409, params: ['path', 'detail?'] },
  'SVC-TSK-001': { class: 'failure', status: 404, params: ['id'] },
  'SVC-TSK-002': { class: 'failure', status: 429, params: ['limit', 'actor?'] },
  'SVC-TSK-003': { class: 'failure', status: 409, params: ['task?'] },
  'SVC-TSK-004': { class: 'failure', status: 409, params: ['actor'] },
  'SVC-TSK-005': { class: 'failure', status: 409, params: ['task'] },
  'SVC-TSK-006': { class: 'failure', status: 500, params: ['command'] },
  'SVC-TSK-007': { class: 'failure', status: 409, params: ['task', 'command'] },
  'SVC-SRV-001': { class: 'failure', status: 500, params: [] },
  'SVC-SRV-002': { class: 'failure', status: 404, params: ['path', 'lacks?', 'name?'] },
  'SVC-SRV-003': {
    class: 'failure',
    status: 502,
    params: ['instance', 'detail?', 'task?', 'start?', 'variable?'],
  },
  'SVC-SRV-004': { class: 'failure', status: 405, params: ['method', 'allow'] },
  'SVC-SRV-005': { class: 'failure', status: 415, params: ['contentType?'] },
  'SVC-SRV-006': { class: 'failure', status: 503, params: ['reason?'] },
  'SVC-SRV-007': { class: 'failure', status: 409, params: ['subject'] },
  'SVC-SRV-008': { class: 'failure', status: 500, params: [] },
} as const;

/** Every code of the catalogue. */
export type ErrorCode = keyof typeof table;

export type ParamValue = string | number | readonly string[];

type Names<C extends ErrorCode> = (typeof table)[C]['params'][number];
type Optional<N extends string> = N extends `${infer Bare}?` ? Bare : never;
type Mandatory<N extends string> = N extends `${string}?` ? never : N;

/** The typed parameters of one code. */
export type ErrorParams<C extends ErrorCode> = { readonly [N in Mandatory<Names<C>>]: ParamValue } & {
  readonly [N in Optional<Names<C>>]?: ParamValue | undefined;
};

export const catalogue: Readonly<Record<ErrorCode, Entry>> = table;
export const errorCodes: readonly ErrorCode[] = Object.keys(table) as ErrorCode[];
