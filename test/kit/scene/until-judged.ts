import type { VerificationState } from '../../../src/contract/medium.ts';
import { eventually } from '../instance/eventually.ts';
import type { Instance } from '../instance/instance.ts';

/** The state when the verification that an instance began by itself has ended. */
export async function untilJudged(instance: Instance): Promise<VerificationState> {
  return eventually(
    'the first verification',
    async () => {
      const state = (await instance.api('GET', '/media/verification')).body as VerificationState;
      return state.report && !state.running && state;
    },
    // a medium that takes the walk a moment takes a busy machine many
    90,
  );
}
