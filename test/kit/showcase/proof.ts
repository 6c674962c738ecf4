import type { MediumProof } from '../../../src/contract/proof.ts';

const image = 'docker.example/library/redis:7.4.1';
const reference = 'registry.invalid/registry.example/shop/web:1.4.2';

/** A proof with an image that a chart needs and that is absent, and with a doubt. */
export const showcaseProof: MediumProof = {
  verdict: 'incomplete',
  against: { kind: 'receipt', zone: 'zone-c', sequence: 7 },
  steps: [
    { name: 'media', checked: 418, bytes: 2 * 2 ** 30, milliseconds: 1480 },
    { name: 'trust', checked: 4, bytes: 0, milliseconds: 21 },
    { name: 'import', checked: 4, bytes: 2_141_192_192, milliseconds: 90 },
    { name: 'charts', checked: 2, bytes: 48_000, milliseconds: 35 },
    { name: 'capacity', checked: 1, bytes: 2_141_192_192, milliseconds: 1 },
  ],
  findings: [
    {
      step: 'charts',
      code: 'SVC-CLO-001',
      severity: 'error',
      subject: 'shop',
      detail: `The chart shop uses the image ${image}, which is not in the delivery (values: image.repository).`,
      remedy: `Add to the recipe: ${image}`,
      params: { chart: 'shop', image, where: 'values: image.repository', entry: image },
    },
    {
      step: 'capacity',
      code: 'SVC-CLO-004',
      severity: 'warning',
      subject: reference,
      detail: `The destination may refuse ${reference}: platforms of the index are absent.`,
      remedy: 'Ask the zone for a receipt, which says whether its registry accepts it.',
      params: { reference, problem: 'sparse' },
    },
  ],
  limits: [
    {
      name: 'runtime-images',
      detail: 'images that a program chooses while it runs, such as those that an operator starts',
    },
    { name: 'own-roots', detail: 'the trust roots of the zone: those of this configuration were taken' },
  ],
};
