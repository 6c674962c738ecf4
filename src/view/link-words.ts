import { network } from '../base/words/network.ts';
import { tasks } from '../base/words/tasks.ts';
import type { Words } from '../base/words/words.ts';
import type { LinkForecast } from '../link/show-link.ts';
import type { TaskWait } from '../task/model.ts';

/** Says what limits transfers with other hosts, in short parts; none when nothing does. */
export function toLinkParts({ say, format }: Words, link: LinkForecast): readonly string[] {
  const { bytesPerSecond, windows, timeZone = 'UTC', open, changesAt, seconds } = link;
  return [
    ...(bytesPerSecond === undefined ? [] : [say(network.capped, { rate: bytesPerSecond })]),
    ...(seconds === undefined || seconds === 0
      ? []
      : [say(network.takes, { duration: format.duration(seconds * 1000) })]),
    ...(windows === undefined
      ? []
      : [say(network.inWindows, { windows: windows.join(', '), zone: timeZone })]),
    ...(open || changesAt === undefined ? [] : [say(network.opensAt, { time: format.time(changesAt) })]),
  ];
}

/** Says why a task does not go on, and until when. */
export function toWaitSentence({ say, format }: Words, { until }: TaskWait): string {
  return until === undefined
    ? say(tasks.waitsForWindow)
    : say(tasks.waitsUntil, { time: format.time(until) });
}
