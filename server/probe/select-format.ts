/** Text formats of the metrics. */
export type MetricsFormat = 'openmetrics' | 'prometheus';

const formats = {
  openmetrics: { type: 'application/openmetrics-text', version: '1.0.0' },
  prometheus: { type: 'text/plain', version: '0.0.4' },
} as const;

/** Returns the content type of a format. */
export function toContentType(format: MetricsFormat): string {
  const { type, version } = formats[format];
  return `${type}; version=${version}; charset=utf-8`;
}

/** One range of an `Accept` header. */
interface Range {
  readonly type: string;
  readonly version: string | undefined;
  readonly q: number;
}

/** Bounds of an `Accept` header; a longer one is not read. */
const maxLength = 2048;
const maxRanges = 32;

function parseRange(text: string): Range {
  const [type = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase());
  const values = new Map(
    parameters.map((parameter): [string, string] => {
      const [name = '', value = ''] = parameter.split('=', 2).map((part) => part.trim());
      return [name, value.replace(/^"(.*)"$/, '$1')];
    }),
  );
  const q = values.get('q') ?? '1';
  const weight = /^(?:0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?)$/.test(q) ? Number(q) : 0;
  return { type, version: values.get('version'), q: weight };
}

/** How specifically a range names a format: 0 not, 1 any type, 2 any subtype, 3 its type, 4 its version too. */
function toPrecision({ type, version }: Range, format: MetricsFormat): number {
  const own = formats[format];
  if (type === own.type) {
    if (version === undefined) return 3;
    return version === own.version ? 4 : 0;
  }
  if (type === `${own.type.split('/', 1)[0]}/*`) return 2;
  return type === '*/*' ? 1 : 0;
}

/** Returns the weight that a header gives to a format: that of the most specific range (RFC 9110, section 12.5.1). */
function weigh(ranges: readonly Range[], format: MetricsFormat): number {
  let best = { precision: 0, q: 0 };
  for (const range of ranges) {
    const precision = toPrecision(range, format);
    if (precision > best.precision) best = { precision, q: range.q };
  }
  return best.q;
}

/**
 * Selects the format that an `Accept` header prefers. OpenMetrics is preferred between equal weights and without a
 * header. When neither format is acceptable, the answer is the Prometheus text format. Every scraper reads it, and a
 * readable answer is more useful than none.
 */
export function selectFormat(accept: string | undefined): MetricsFormat {
  if (accept === undefined || accept.trim() === '') return 'openmetrics';
  if (accept.length > maxLength) return 'prometheus';
  const ranges = accept.split(',').slice(0, maxRanges).map(parseRange);
  const open = weigh(ranges, 'openmetrics');
  return open > 0 && open >= weigh(ranges, 'prometheus') ? 'openmetrics' : 'prometheus';
}
