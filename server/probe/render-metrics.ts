/** A sample as the metrics library returns it. */
interface Sample {
  readonly value: number;
  readonly labels: Readonly<Record<string, string | number | undefined>>;
  /** Name with a suffix, such as `_bucket`; absent: the name of the family. */
  readonly metricName?: string | undefined;
}

/** A metric with its samples. The name of a counter ends with `_total`. */
export interface Family {
  readonly name: string;
  readonly help: string;
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

/** Returns when a series was created, in seconds since the epoch; undefined when that is not known. */
type ToCreated = (family: string, labels: Sample['labels']) => number | undefined;

/** Units that names end with (OpenMetrics 1.0, section "Units and Base Units"). */
const unitPattern = /_(seconds|bytes)$/;

function escapeLine(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n');
}

function toLabels(labels: Sample['labels'], toBound: (bound: string) => string): string {
  const parts = Object.entries(labels).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const text = name === 'le' ? toBound(String(value)) : String(value);
    return [`${name}="${escapeLine(text).replaceAll('"', '\\"')}"`];
  });
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}

function toNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf';
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value);
}

/**
 * Renders metrics in the Prometheus text exposition format 0.0.4. Times of creation are left out: in this format they
 * would be metrics of their own.
 */
export function renderPrometheus(families: readonly Family[]): string {
  const lines = families.flatMap(({ name, help, kind, samples }) => [
    `# HELP ${name} ${escapeLine(help)}`,
    `# TYPE ${name} ${kind}`,
    ...samples.map(
      ({ metricName = name, labels, value }) =>
        `${metricName}${toLabels(labels, (bound) => bound)} ${toNumber(value)}`,
    ),
  ]);
  return `${lines.join('\n')}\n`;
}

/** Bounds of buckets are written as Go writes floats (OpenMetrics 1.0, section "Considerations: Canonical Numbers"). */
const toCanonical = (bound: string): string => (/^-?\d+$/.test(bound) ? `${bound}.0` : bound);

/** Renders metrics in the OpenMetrics text format 1.0. */
export function renderOpenMetrics(families: readonly Family[], toCreated: ToCreated): string {
  const lines = families.flatMap(({ name, help, kind, samples }) => {
    const family = kind === 'counter' ? name.replace(/_total$/, '') : name;
    const unit = unitPattern.exec(family)?.[1];
    const created = (labels: Sample['labels']): readonly string[] => {
      const seconds = toCreated(name, labels);
      return seconds === undefined
        ? []
        : [`${family}_created${toLabels(labels, toCanonical)} ${toNumber(seconds)}`];
    };
    return [
      `# TYPE ${family} ${kind}`,
      ...(unit === undefined ? [] : [`# UNIT ${family} ${unit}`]),
      `# HELP ${family} ${escapeLine(help).replaceAll('"', '\\"')}`,
      ...samples.flatMap(({ metricName = name, labels, value }) => {
        const sample = `${metricName}${toLabels(labels, toCanonical)} ${toNumber(value)}`;
        // the samples of one series stand together, the time of its creation last
        const isLast = kind === 'counter' || metricName.endsWith('_count');
        return kind === 'gauge' || !isLast ? [sample] : [sample, ...created(labels)];
      }),
    ];
  });
  return `${lines.join('\n')}\n# EOF\n`;
}
