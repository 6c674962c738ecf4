import {
  type Doubt,
  doubtWords,
  formatNames,
  type OmissionReason,
  omissionWords,
  type RecipeDraft,
} from '../../src/authoring/door.ts';
import { escapeText } from '../../src/text/escape.ts';
import { fr, type Language, say, speak } from '../../src/text/language.ts';
import { sayRule } from '../../src/text/rule.ts';

/** Omissions that are listed; `--output json` has all. */
const most = 100;

/** Names of ingredients or files in one line. */
const namedAtOnce = 8;

/** Names of the ingredients that are comments, by the reason. */
function groupByDoubt({ ingredients }: RecipeDraft): ReadonlyMap<Doubt, readonly string[]> {
  const groups = new Map<Doubt, string[]>();
  for (const { name, doubt } of ingredients)
    if (doubt !== undefined) groups.set(doubt, [...(groups.get(doubt) ?? []), name]);
  return groups;
}

/** Reasons that say the same of many files of a folder, which are listed in one line. */
const listedTogether: ReadonlySet<OmissionReason> = new Set(['own', 'link', 'hidden', 'other-kind']);

type Omissions = RecipeDraft['omissions'];

interface OmissionGroup extends Omit<Omissions[number], 'what'> {
  readonly names: readonly string[];
}

function groupOmissions(omissions: Omissions): readonly OmissionGroup[] {
  const groups = new Map<string, OmissionGroup & { readonly names: string[] }>();
  for (const [i, { what, ...omission }] of omissions.entries()) {
    const { source, reason } = omission;
    const key = JSON.stringify(listedTogether.has(reason) ? [source, reason] : i);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { ...omission, names: [what] });
    else group.names.push(what);
  }
  return [...groups.values()];
}

/** The first names of a list, and how many follow. */
function listNames(names: readonly string[], language: Language): string {
  const rest = names.length - namedAtOnce;
  const more = rest > 0 ? speak(language)(` and ${rest} more`, fr` et ${rest} de plus`) : '';
  return `${names.slice(0, namedAtOnce).join(', ')}${more}`;
}

/** Renders the images read, those skipped and why, and those renamed, for people on stderr. */
export function renderDraft(draft: RecipeDraft, language: Language): string {
  const text = speak(language);
  const lines: string[] = [];
  for (const { source, format, images, charts } of draft.sources) {
    const name = say(formatNames[format], language);
    if (format === 'fileset') {
      lines.push(text(`${source}: taken as ${name}`, fr`${source} : pris comme ${name}`));
      continue;
    }
    const counts = [
      // the tags of a repository can be those of a chart, a FileSet or another artifact
      format === 'repository'
        ? text(
            `${images} tag${images === 1 ? '' : 's'} taken`,
            fr`${images} étiquette${images > 1 ? 's retenues' : ' retenue'}`,
          )
        : text(`${images} image${images === 1 ? '' : 's'}`, fr`${images} image${images > 1 ? 's' : ''}`),
      ...(charts === 0
        ? []
        : [text(`${charts} chart${charts === 1 ? '' : 's'}`, fr`${charts} chart${charts > 1 ? 's' : ''}`)]),
    ].join(', ');
    lines.push(text(`${source}: read as ${name}: ${counts}`, fr`${source} : lu comme ${name} : ${counts}`));
  }
  const omissions = groupOmissions(draft.omissions);
  for (const { source, names, where, reason, detail, detailRule } of omissions.slice(0, most)) {
    const said = detailRule === undefined ? detail : sayRule(detailRule, language);
    const end = said === undefined ? '' : `${text(': ', fr` : `)}${said}`;
    const why = `${say(omissionWords[reason], language)}${end}`;
    const place = where === '' ? source : `${source}, ${where}`;
    const what = listNames(names, language);
    lines.push(text(`not taken: ${what} (${place}): ${why}`, fr`pas repris : ${what} (${place}) : ${why}`));
  }
  const more = omissions.length - most;
  if (more > 0)
    lines.push(
      text(`${more} more (--output json lists all)`, fr`${more} de plus (--output json liste tout)`),
    );
  for (const { name, renamedFrom } of draft.ingredients)
    if (renamedFrom !== undefined)
      lines.push(
        text(
          `${name}: another ingredient is called ${renamedFrom}`,
          fr`${name} : un autre ingrédient s’appelle ${renamedFrom}`,
        ),
      );
  for (const { name, ref, version = '', pushed } of draft.ingredients) {
    if (pushed === undefined) continue;
    const { files, unchanged } = pushed;
    const counted = text(
      `${files} file${files === 1 ? '' : 's'}`,
      fr`${files} fichier${files > 1 ? 's' : ''}`,
    );
    lines.push(
      unchanged
        ? text(
            `${name}: ${ref}:${version} is already published with the same content`,
            fr`${name} : ${ref}:${version} est déjà publié avec le même contenu`,
          )
        : text(
            `${name}: pushed as ${ref}:${version}, ${counted}`,
            fr`${name} : poussé comme ${ref}:${version}, ${counted}`,
          ),
    );
  }
  for (const { name, ref, missingDependencies = [] } of draft.ingredients) {
    const missing = missingDependencies.join(', ');
    if (missing !== '')
      lines.push(
        text(
          `warning: the chart ${name} was pushed without ${missing}: a sync refuses it (SVC-CHT-001); run helm dependency update, raise version in Chart.yaml and push it again, or set vendorDependencies: true in the draft and pin it with --vendor-to, below another repository than ${ref}`,
          fr`avertissement : le chart ${name} a été poussé sans ${missing} : une synchronisation le refuse (SVC-CHT-001) ; lancez helm dependency update, augmentez version dans Chart.yaml et poussez-le de nouveau, ou mettez vendorDependencies: true dans le brouillon et figez-le avec --vendor-to, sous un autre dépôt que ${ref}`,
        ),
      );
  }
  for (const [doubt, names] of groupByDoubt(draft)) {
    const why = say(doubtWords[doubt], language);
    const shown = listNames(names, language);
    lines.push(
      text(`proposed in comments: ${shown}: ${why}`, fr`proposés en commentaire : ${shown} : ${why}`),
    );
  }
  const proposed = draft.ingredients.filter(({ doubt }) => doubt !== undefined).length;
  const taken = draft.ingredients.length - proposed;
  lines.push(
    text(
      `${taken} ingredient${taken === 1 ? '' : 's'}${proposed > 0 ? `, ${proposed} more proposed in comments` : ''}`,
      fr`${taken} ingrédient${taken > 1 ? 's' : ''}${proposed > 0 ? fr`, ${proposed} de plus proposés en commentaire` : ''}`,
    ),
  );
  return lines.map((line) => `svc: ${escapeText(line)}\n`).join('');
}
