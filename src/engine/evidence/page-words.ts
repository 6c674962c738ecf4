import type { Digest } from '../../base/digest.ts';
import type { Evidence, EvidenceLine } from '../../contract/evidence.ts';
import { fr, type Language, type Sentence, say } from '../../text/language.ts';
import { type Rule, rule } from '../../text/rule.ts';
import { actionWords, begunWords, outcomeWords } from '../../text/words/history.ts';
import type { IsClaimed, PeerOf } from './claimed-media.ts';

/** `2026-03-01T12:00:00.000Z` as `2026-03-01 12:00:00`, below a heading that says UTC. */
export const toTime = (stamp: string): string =>
  stamp.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)\.\d{3}Z$/, '$1 $2');

/** The event in the words of the history, without their first one: every line of the page is of a ledger. */
export function sayEvent({ type, open }: EvidenceLine, language: Language): string {
  const action = `custody.${type}` as const;
  const begun: Readonly<Record<string, Sentence>> = begunWords;
  return say((open === true ? begun[action] : undefined) ?? actionWords[action], language).replace(
    /^[^:]*: /,
    '',
  );
}

/** The outcome in the words of the history. An intent with its outcome in another line has only begun. */
export function sayOutcome({ step, result, open }: EvidenceLine, language: Language): string {
  if (open === true) return say(outcomeWords.open, language);
  if (result === undefined && step === 'intent') return say(['begun', fr`début`], language);
  return say(outcomeWords[result ?? 'success'], language);
}

/** The subject of the pack and, of a delivery, the actors and times of its writing, handover and import. */
export function sayScope(
  { kind, value }: Evidence['scope'],
  deliveries: Evidence['deliveries'],
  lines: readonly EvidenceLine[],
  isClaimed: IsClaimed,
): Rule {
  if (kind === 'recipe')
    return rule([
      'Lines of custody ledgers about this recipe, with the signed statements that they name.',
      fr`Lignes de journaux de garde sur cette recette, avec les déclarations signées qu’elles citent.`,
    ]);
  if (kind === 'since')
    return rule([
      'Lines of custody ledgers since then, with the signed statements that they name.',
      fr`Lignes de journaux de garde depuis cette date, avec les déclarations signées qu’elles citent.`,
    ]);
  const last = (type: EvidenceLine['type']) =>
    lines.findLast(
      (line) =>
        line.type === type &&
        line.step !== 'intent' &&
        (line.result ?? 'success') === 'success' &&
        !isClaimed(line),
    );
  const [written, handed, imported] = [last('written'), last('handed-over'), last('imported')];
  return rule(
    [
      'Lines of custody ledgers about this delivery[ for the zone {zone}], with the signed statements that they name.[ {writer} wrote it on {written} UTC.][ {hander} handed it over on {handed} UTC.][ {importer} imported it on {imported} UTC.]',
      fr`Lignes de journaux de garde sur cette livraison[ pour la zone {zone}], avec les déclarations signées qu’elles citent.[ Elle a été écrite par {writer} le {written} UTC.][ Elle a été remise par {hander} le {handed} UTC.][ Elle a été importée par {importer} le {imported} UTC.]`,
    ],
    {
      zone: deliveries.find(({ id }) => id === value)?.zone,
      writer: written?.actor,
      written: written && toTime(written.ts),
      hander: handed?.actor,
      handed: handed && toTime(handed.ts),
      importer: imported?.actor,
      imported: imported && toTime(imported.ts),
    },
  );
}

/** The media of a delivery that lines of the own ledger name, also without its part, as those about a handover. */
export const listNamedMedia = (
  lines: readonly EvidenceLine[],
  { id, peer }: Pick<Evidence['deliveries'][number], 'id' | 'peer'>,
  { isClaimed, peerOf }: { readonly isClaimed: IsClaimed; readonly peerOf: PeerOf },
): readonly Digest[] => [
  ...new Set(
    lines
      .filter((line) => line.details.delivery === id && !isClaimed(line))
      .flatMap((line) =>
        line.subjects.flatMap(({ name, digest }) =>
          name === 'media.jsonl' && peerOf(line, digest) === peer ? [digest] : [],
        ),
      ),
  ),
];

/** A medium of a delivery: its part, and why it is none that was imported. */
export const sayMedium = ({
  part,
  refused,
  verified,
}: Evidence['deliveries'][number]['media'][number]): Rule =>
  rule(
    [
      '{part}[{verified=yes}, only verified][, refused: {refused}]:',
      fr`{part}[{verified=yes}, seulement vérifié][, refusé : {refused}] :`,
    ],
    { part, refused, verified: verified && 'yes' },
  );

/** A disk that names a delivery whose passport is of another medium. */
export const sayClaimed = ({
  part,
  parts,
  refused,
  reported,
}: NonNullable<Evidence['deliveries'][number]['claimed']>[number]): Rule =>
  rule(
    [
      'claimed, without a passport, as part {part} of {parts}[, refused: {refused}][, reported: {reported}]:',
      fr`prétendu, sans passeport, comme partie {part} sur {parts}[, refusé : {refused}][, signalé : {reported}] :`,
    ],
    { part, parts, refused, reported: reported?.join(', ') },
  );
