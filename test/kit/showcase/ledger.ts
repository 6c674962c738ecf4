import { hashBytes } from '../../../src/base/digest.ts';
import { openCustody } from '../../../src/custody/custody.ts';

const delivery = 'dlv_48d77967b98f';

/** Writes the custody ledger of three days, whose last operation has no outcome, below a state root. */
export async function writeLedger(stateRoot: string): Promise<void> {
  let now = Date.parse('2026-07-05T09:00:00.000Z');
  const custody = openCustody({ stateRoot, site: 'zone-b', clock: { wall: () => now } });
  const recipes = ['shop@1.4.2', 'base@12.4.0', 'monitoring@3.1.0', 'agent@2.0.1'];
  const subjects = recipes.map((name) => ({ name, digest: hashBytes(name) }));
  await custody.record({ type: 'fetched', actor: 'schedule', subjects, details: { bytes: 4_831_838_208 } });
  now += 26 * 3_600_000;
  const written = await custody.begin({
    type: 'written',
    actor: 'olga',
    details: { delivery, zone: 'zone-c' },
  });
  now += 1_800_000;
  await written.end({
    subjects: [{ name: 'media.jsonl', digest: hashBytes('medium') }],
    details: { part: 1, parts: 1 },
  });
  await custody.record({
    ...{
      type: 'handed-over',
      actor: 'olga',
      subjects: [{ name: 'media.jsonl', digest: hashBytes('medium') }],
    },
    details: { delivery, text: 'courier 12, seal 4711' },
  });
  now += 20 * 3_600_000;
  await custody.begin({ type: 'proved', actor: 'alice', details: { delivery } });
}
