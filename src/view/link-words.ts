import type { LinkForecast } from '../contract/link.ts';
import type { Plan } from '../contract/plan.ts';
import type { TaskWait } from '../contract/task.ts';
import { network } from '../text/words/network.ts';
import { sync } from '../text/words/sync.ts';
import { tasks } from '../text/words/tasks.ts';
import type { Words } from '../text/words/words.ts';

/** Describes the limits of transfers with other hosts, in short parts; none without limits. */
export function toLinkParts({ say, format }: Words, link: LinkForecast): readonly string[] {
  const { bytesPerSecond, windows, timeZone = 'UTC', open, changesAt } = link;
  return [
    ...(bytesPerSecond === undefined ? [] : [say(network.capped, { rate: bytesPerSecond })]),
    ...toDurationParts({ say, format }, link),
    ...(windows === undefined
      ? []
      : [say(network.inWindows, { windows: windows.join(', '), zone: timeZone })]),
    ...(open || changesAt === undefined ? [] : [say(network.opensAt, { time: format.time(changesAt) })]),
  ];
}

function toDurationParts(
  { say, format }: Pick<Words, 'say' | 'format'>,
  { seconds = 0, accuracy = 'about' }: LinkForecast,
): readonly string[] {
  if (seconds === 0) return accuracy === 'at-least' ? [say(network.takesUnknown)] : [];
  const takes = {
    about: network.takes,
    'at-most': network.takesAtMost,
    'at-least': network.takesAtLeast,
  } as const;
  return [say(takes[accuracy], { duration: format.duration(seconds * 1000) })];
}

/** Describes the content that a plan pushes into the destination, in one part; none when it pushes nothing. */
export function toPromotionParts(
  { say }: Pick<Words, 'say'>,
  promotion: Plan['promotion'],
): readonly string[] {
  if (promotion === undefined) return [];
  if (promotion.unasked > 0) return [say(sync.toPushUnknown)];
  return promotion.bytes === 0 ? [] : [say(sync.toPush, { bytes: promotion.bytes })];
}

/** Says why a task does not go on, and until when. */
export function toWaitSentence({ say, format }: Words, { until }: TaskWait): string {
  return until === undefined
    ? say(tasks.waitsForWindow)
    : say(tasks.waitsUntil, { time: format.time(until) });
}

/** Says the same of all tasks of a list that do not go on: the windows are those of all. */
export function toPausedSentence({ say, format }: Words, { until }: TaskWait): string {
  return until === undefined
    ? say(tasks.pausedForWindow)
    : say(tasks.pausedUntil, { time: format.time(until) });
}
