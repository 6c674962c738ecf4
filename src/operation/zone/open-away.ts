import { requireSetting } from '../../base/require-setting.ts';
import { type AwayContent, openAwayContent } from '../../engine/medium/parts/away-content.ts';
import { openSegmentSpool } from '../../engine/medium/parts/segment-spool.ts';
import type { MediumVerification } from '../../engine/medium/verify-medium.ts';
import type { Destination } from '../../engine/promotion/model.ts';
import type { ZoneSurvey } from '../../engine/zone/survey.ts';
import type { Context } from '../context.ts';
import { surveyDestination } from './survey-destination.ts';

interface OpenAwayInput {
  /** Real path of the medium. */
  readonly root: string;
  readonly zone: string;
  readonly destination: Destination;
  readonly verification: Pick<MediumVerification, 'report'>;
  /** Called before the recipes of the registry are looked at. */
  readonly onSurvey?: (() => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The content that a medium lacks, and the content of the registry of the zone. */
export interface AskedZone {
  readonly away: AwayContent;
  /** Looks at the recipes of the registry, once. */
  readonly survey: () => Promise<ZoneSurvey>;
}

/**
 * Opens the content that a verified medium lacks: in the registry of the zone, and in the segments that the state keeps. The
 * recipes of the registry are looked at when a blob is not in its final repository.
 *
 * @throws SVC-CFG-001 without a state folder
 */
export function openAway(context: Context, input: OpenAwayInput): AskedZone {
  const { config, registry } = context;
  const { root, zone, destination, verification, onSurvey, signal } = input;
  let surveyed: Promise<ZoneSurvey> | undefined;
  const survey = (): Promise<ZoneSurvey> => {
    if (surveyed === undefined) {
      onSurvey?.();
      const names = verification.report.recipes.map(({ name }) => name);
      surveyed = surveyDestination(context, { zone, destination, names, signal });
    }
    return surveyed;
  };
  const away = openAwayContent({
    root,
    registry,
    destination,
    spool: openSegmentSpool(requireSetting('state.root', config.state.root)),
    peer: verification.report.passport?.signer,
    homes: async () => (await survey()).places,
    signal,
  });
  return { away, survey };
}
