import { deliveries } from '../../../../src/text/words/delivering/deliveries.ts';
import { overview } from '../../../../src/text/words/overview.ts';
import type { Sentence, Words } from '../../../../src/text/words/words.ts';
import type { Run, WantedRecipe } from '../../../../src/view/runs.ts';
import { takesMedia } from '../../../views/media.ts';
import { toPath } from '../../to-href.ts';
import type { PageCall } from '../../ui-route.ts';
import { stateOfItem } from '../tasks/item-state.ts';

type Missing = Pick<
  WantedRecipe,
  'name' | 'status' | 'error' | 'owed' | 'arrival' | 'isAside' | 'isWithheld'
>;

/**
 * The page with the way to a recipe that is not on the disk: its delivery, with the disks that are still needed, else the
 * run that did not bring it, with the items in its state. Of one that is in the zone, the delivery or the run that brought it.
 *
 * @param run that wanted recipes last
 */
export function missingPlace(
  call: PageCall,
  { name, status, error, owed, arrival, isAside, isWithheld }: Missing,
  run: Pick<Run, 'task'> | undefined,
): string {
  if (isWithheld) return toPath('/recipes/-/{name}', { name });
  const delivery = owed?.delivery?.id ?? arrival?.delivery;
  if (delivery !== undefined && call.can('operator') && takesMedia(call)) return `/media#${delivery}`;
  const id = owed?.task ?? (isAside ? undefined : run?.task.id);
  return id === undefined
    ? toPath('/recipes', {}, { q: name })
    : // a page tells apart why items were left out
      toPath('/tasks/{id}', { id }, status === 'skipped' ? {} : { state: stateOfItem({ status, error }) });
}

/** Which disks of which delivery bring a recipe, by a sentence about them; undefined for one of no open delivery. */
export function sayDisks(
  { say, format }: Words,
  sentence: Sentence,
  { owed }: Pick<WantedRecipe, 'owed'>,
): string | undefined {
  // the disk of a refused recipe came
  if (owed?.delivery === undefined || owed.state === 'blocked') return undefined;
  const { id, writtenAt, parts, needed } = owed.delivery;
  // no disk of the delivery has the missing content: the zone had it when they were written
  if (needed.length === 0) return say(deliveries.held, {});
  return say(sentence, { id, parts: needed, total: parts, time: format.day(writtenAt) });
}

/** The reason of a recipe that is not here, in a row of a list. */
export function sayAwaited({ say }: Words, { owed }: Pick<WantedRecipe, 'owed'>): string | undefined {
  // the disk of a refused recipe came
  if (owed?.delivery === undefined || owed.state === 'blocked') return undefined;
  const { id, parts, needed } = owed.delivery;
  return needed.length === 0
    ? say(overview.awaitsBase, { id })
    : say(overview.awaitsLine, { id, parts: needed, total: parts });
}
