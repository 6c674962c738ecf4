import { test } from 'node:test';
import { toRandom } from '../../fault/rig/random.ts';
import { planRandomDelivery, requireDelivered } from '../../kit/scene/random-delivery.ts';

for (let round = 0; round < 5; round += 1) {
  const delivery = planRandomDelivery(toRandom(`delivery ${round}`));
  test(`round ${round}: the recipes land whose content arrived (${delivery.description})`, () =>
    requireDelivered(delivery));
}
