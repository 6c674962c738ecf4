import assert from 'node:assert/strict';
import { test } from 'node:test';
import { selectFormat } from '../../../server/probe/select-format.ts';

const cases: readonly (readonly [
  accept: string | undefined,
  format: 'openmetrics' | 'prometheus',
  why: string,
])[] = [
  [undefined, 'openmetrics', 'no header'],
  ['', 'openmetrics', 'an empty header'],
  ['*/*', 'openmetrics', 'anything'],
  [
    'application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1',
    'openmetrics',
    'Prometheus 2',
  ],
  [
    'application/openmetrics-text;version=1.0.0;escaping=allow-utf-8;q=0.6,application/openmetrics-text;version=0.0.1;q=0.5,text/plain;version=1.0.0;escaping=allow-utf-8;q=0.4,text/plain;version=0.0.4;q=0.3,*/*;q=0.2',
    'openmetrics',
    'Prometheus 3',
  ],
  ['text/plain;version=0.0.4;q=1,*/*;q=0.1', 'prometheus', 'a scraper of the older format'],
  ['text/plain', 'prometheus', 'plain text'],
  ['text/*', 'prometheus', 'any text'],
  ['text/plain;q=0.3, application/openmetrics-text;q=0.2', 'prometheus', 'the higher weight'],
  ['text/plain, application/openmetrics-text', 'openmetrics', 'equal weights'],
  ['application/openmetrics-text; version="1.0.0"', 'openmetrics', 'a quoted version'],
  ['application/openmetrics-text; version=0.0.1', 'prometheus', 'a version that is not served'],
  ['application/openmetrics-text; version=2.0.0, text/plain;q=0.1', 'prometheus', 'a later version'],
  ['application/openmetrics-text;q=0, */*', 'prometheus', 'one format excluded: the specific range counts'],
  ['text/plain;q=0, */*', 'openmetrics', 'the other excluded'],
  ['APPLICATION/OpenMetrics-Text; Q=1', 'openmetrics', 'case does not matter'],
  ['application/json', 'prometheus', 'neither format'],
  ['*/*;q=0', 'prometheus', 'nothing is acceptable'],
  ['text/html', 'prometheus', 'a page'],
  ['application/openmetrics-text;q=2', 'prometheus', 'a weight that is none'],
  [`${'text/html,'.repeat(5000)}application/openmetrics-text`, 'prometheus', 'an endless header'],
];

for (const [accept, format, why] of cases) {
  test(`metrics are ${format} for: ${why}`, () => assert.equal(selectFormat(accept), format));
}
