import { test } from 'node:test';
import { planRandomDelivery, requireDelivered } from '../../kit/scene/random-delivery.ts';
import { only, onlyRound, seed, times } from '../rig/form.ts';
import { toRandom } from '../rig/random.ts';
import { repeatable } from '../rig/repeatable.ts';

test('of any delivery over any parts, the recipes land whose content arrived', async (t) => {
  if (only !== undefined && only !== 'delivery') return t.skip(`not run: only ${only} was asked for`);
  const rounds = times(3, 300);
  for (let round = onlyRound ?? 0; round < (onlyRound ?? rounds - 1) + 1; round += 1) {
    const delivery = planRandomDelivery(toRandom(`${seed} delivery ${round}`));
    await repeatable('delivery', round, delivery.description, () => requireDelivered(delivery));
  }
  t.diagnostic(`delivery: ${rounds} deliveries`);
});
