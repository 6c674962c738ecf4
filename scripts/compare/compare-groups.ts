import { compareHelp, compareLines } from './compare-lines.ts';
import { readDocuments } from './documents.ts';
import { compareSubjects } from './judge/compare-subjects.ts';
import { renderFindings } from './judge/render-findings.ts';
import { compareAnswers, readOpenApi } from './scene/compare-answers.ts';
import { comparePages } from './scene/compare-pages.ts';
import { openScene, type Scene } from './scene/open-scene.ts';
import { openSceneOrigin } from './scene/origin.ts';
import type { Side } from './side.ts';
import type { Group, Subjects } from './subject.ts';

interface Surroundings {
  readonly stop: AbortSignal;
  /** Tells how far the comparison is. */
  readonly say: (line: string) => void;
  /** Prints findings. */
  readonly print: (text: string) => void;
}

type Sides = readonly [older: Side, newer: Side];
type Pair = readonly [older: Subjects, newer: Subjects];
type Judge = (group: Group, pair: Pair) => void;

/** Compares groups one after another, and prints the findings of each. @returns whether there are additions at most */
export async function compareGroups(
  sides: Sides,
  only: readonly Group[],
  { stop, say, print }: Surroundings,
): Promise<boolean> {
  const [older, newer] = sides;
  let isSame = true;
  const judge: Judge = (group, [before, after]) => {
    const findings = compareSubjects(before, after);
    if (findings.some(({ kind }) => kind !== 'added')) isSame = false;
    print(`${renderFindings(group, before, findings)}\n`);
  };
  const has = (group: Group): boolean => only.includes(group);
  if (has('help')) {
    say('runs the help of every command');
    judge('help', await compareHelp(sides, stop));
    if (only.length === 1) return isSame;
  }
  if (has('lines')) say('runs the command lines');
  const table = has('lines') ? await compareLines(sides, stop) : undefined;
  say('opens an instance of each program');
  await using origin = await openSceneOrigin();
  await using before = await openScene(older, origin, stop);
  await using after = await openScene(newer, origin, stop);
  const scenes = [before, after] as const;
  if (has('documents')) judge('documents', await readAllDocuments(scenes));
  if (has('pages')) judge('pages', await comparePages(scenes, stop));
  if (has('answers')) judge('answers', await compareAnswers(scenes, origin.host, stop));
  if (table !== undefined) {
    for (const scene of scenes) await scene.finish();
    judge('lines', [new Map([...table[0], ...before.lines]), new Map([...table[1], ...after.lines])]);
  }
  return isSame;
}

async function readAllDocuments([older, newer]: readonly [Scene, Scene]): Promise<Pair> {
  const read = async (scene: Scene): Promise<Subjects> =>
    new Map([...(await readDocuments(scene.side)), ['OpenAPI document', await readOpenApi(scene)]]);
  return [await read(older), await read(newer)];
}
