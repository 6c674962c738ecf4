import assert from 'node:assert/strict';

/** The metrics of an instance at one moment. */
export interface Scrape {
  /** Seconds since the epoch. */
  readonly at: number;
  /** Value by series, as it is written: `name{label="value"}`. */
  readonly samples: ReadonlyMap<string, number>;
  readonly text: string;
  /** The value of a series. Throws when it is absent. */
  value(series: string): number;
}

/** Reads the Prometheus text format as far as the instance writes it. */
export function parseScrape(text: string, at = Date.now() / 1000): Scrape {
  const samples = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, series, value] = /^([a-z_][a-z0-9_]*(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    assert.ok(series !== undefined && value !== undefined, `not a sample: ${line}`);
    assert.ok(!samples.has(series), `twice: ${series}`);
    samples.set(series, value === '+Inf' ? Number.POSITIVE_INFINITY : Number(value));
  }
  return {
    at,
    samples,
    text,
    value: (series) => {
      const value = samples.get(series);
      assert.ok(value !== undefined, `no ${series} in\n${text}`);
      return value;
    },
  };
}

/** Scrapes an instance as an older Prometheus server does. */
export async function scrape({ url }: { readonly url: string }): Promise<Scrape> {
  const response = await fetch(`${url}/metrics`, { headers: { accept: 'text/plain;version=0.0.4' } });
  assert.equal(response.status, 200);
  return parseScrape(await response.text());
}
